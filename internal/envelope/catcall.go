package envelope

var catOptions = []option{
	{"show-all", 'A', noValue},
	{"number-nonblank", 'b', noValue},
	{"", 'e', noValue},
	{"show-ends", 'E', noValue},
	{"number", 'n', noValue},
	{"squeeze-blank", 's', noValue},
	{"", 't', noValue},
	{"show-tabs", 'T', noValue},
	{"", 'u', noValue},
	{"show-nonprinting", 'v', noValue},
	{"help", helpText, noValue},
	{"version", 0x8d, noValue},
	{"", 'l', noValue},
}

// CatCall reads the arguments of cat. Formed is true where its options change the
// content.
func CatCall(args []string, w World) (c *Call, formed bool) {
	c = &Call{Cmd: "cat", Argv: args, Mode: Plain}
	p := getopt(args, catOptions, false, w.Posix)
	c.Wrong = p.wrong
	for _, g := range p.options {
		switch g.short {
		case helpText, 0x8d:
			c.Raw = true
		case 'u':
		default:
			formed = true
		}
	}
	for _, i := range p.operands {
		c.Operands = append(c.Operands, args[i])
	}
	c.Stdin = len(c.Operands) == 0 || len(c.Operands) == 1 && c.Operands[0] == "-"
	return c, formed
}
