package tcpdb

// Codec of a node block: one command with its flags and arguments, and of each
// sub-command what a list of them needs and where its own block is.

// Bits of an encoded flag and argument.
const (
	bitRepeatable = 1 << iota
	bitHidden
	bitDeprecated
	bitNegatable
	bitRequired
	bitAfterDash
	bitWith
	bitRole
	bitRoleWith
)

// bitClass, in the bits of a whole node, says that classes and a form of output
// follow.
const bitClass = 1 << 15

// Bits of the number of an encoded spec's kind: what stands behind its list
// separator.
const (
	specOtherwise = 0x20 // nothing more
	specNext      = 0x40 // specs of words that go on
	specThen      = 0x80 // a continuation
)

// maxSpecDepth bounds specs within specs.
const maxSpecDepth = 8

func pick(bit int, on bool) uint64 {
	if on {
		return uint64(bit)
	}
	return 0
}

// encodeNode writes a node; refs are the places of the blocks of its Subs.
func encodeNode(n *Node, path string, refs []uint32) []byte {
	e := &encoder{}
	e.string(path)
	e.uint(uint64(len(n.Name)))
	e.strings(n.Aliases)
	e.string(n.Description)
	classed := len(n.Class) > 0 || n.Output != ""
	e.uint(uint64(n.Bits) | pick(bitClass, classed))
	if classed {
		e.strings(n.Class)
		e.string(n.Output)
	}
	e.string(n.Exec)
	encodeWrapper(e, &n.Wrapper)
	e.uint(uint64(len(n.Flags)))
	for i := range n.Flags {
		encodeFlag(e, &n.Flags[i])
	}
	e.uint(uint64(len(n.Args)))
	for i := range n.Args {
		encodeArg(e, &n.Args[i])
	}
	e.uint(uint64(len(n.Subs)))
	for i, s := range n.Subs {
		e.uint(uint64(refs[i]))
		e.string(path + " " + s.Name)
		e.uint(uint64(len(s.Name)))
		e.strings(s.Aliases)
		e.string(s.Description)
		e.uint(uint64(s.Bits))
	}
	return e.payload()
}

func encodeWrapper(e *encoder, w *Wrapper) {
	e.uint(uint64(w.Mode))
	if w.Mode == NoWrap {
		return
	}
	e.uint(uint64(max(w.Skip, 0)))
	e.string(w.ShellFlag)
	e.uint(pick(1, w.Assignments) | pick(2, w.Elsewhere))
	e.strings(w.Markers)
	e.strings(w.Terminators)
	e.uint(uint64(w.Adds))
	e.string(w.Dialect)
}

func encodeFlag(e *encoder, f *Flag) {
	e.string(f.ID)
	e.strings(f.Names)
	e.uint(uint64(f.Value))
	encodeSpec(e, &f.Spec)
	e.uint(pick(bitRepeatable, f.Repeatable) | pick(bitHidden, f.Hidden) |
		pick(bitDeprecated, f.Deprecated) | pick(bitNegatable, f.Negatable) | roleBits(f.Role, f.RoleWith))
	e.string(f.Group)
	e.string(f.Description)
	encodeRole(e, f.Role, f.RoleWith)
}

func roleBits(r Role, with []string) uint64 {
	return pick(bitRole, r != "") | pick(bitRoleWith, r != "" && len(with) > 0)
}

func encodeRole(e *encoder, r Role, with []string) {
	if r == "" {
		return
	}
	e.string(string(r))
	if len(with) > 0 {
		e.strings(with)
	}
}

func decodeRole(d *decoder, bits uint64) (r Role, with []string) {
	if bits&bitRole == 0 {
		return "", nil
	}
	r = Role(d.string())
	if bits&bitRoleWith != 0 {
		with = d.strings()
	}
	return r, with
}

func encodeArg(e *encoder, a *Arg) {
	e.string(a.Name)
	encodeSpec(e, &a.Spec)
	e.uint(uint64(len(a.Alt)))
	for i := range a.Alt {
		encodeSpec(e, &a.Alt[i])
	}
	e.uint(pick(bitRepeatable, a.Repeatable) | pick(bitRequired, a.Required) | pick(bitAfterDash, a.AfterDash) |
		pick(bitWith, len(a.With) > 0) | roleBits(a.Role, a.RoleWith))
	e.string(a.Description)
	if len(a.With) > 0 {
		e.strings(a.With)
	}
	encodeRole(e, a.Role, a.RoleWith)
}

func encodeSpec(e *encoder, s *ValueSpec) {
	next := 0
	for i := range s.Enum {
		if s.Enum[i].Next != nil {
			next++
		}
	}
	e.uint(uint64(s.Kind) | pick(specNext, next > 0) | pick(specThen, s.Then != nil) | pick(specOtherwise, s.Otherwise))
	e.string(s.Name)
	e.uint(uint64(len(s.Enum)))
	for i := range s.Enum {
		e.string(s.Enum[i].Value)
		e.string(s.Enum[i].Description)
	}
	e.string(s.List)
	if next > 0 {
		e.uint(uint64(next))
		for i := range s.Enum {
			if s.Enum[i].Next != nil {
				e.uint(uint64(i))
				encodeSpec(e, s.Enum[i].Next)
			}
		}
	}
	if s.Then != nil {
		e.string(s.Then.Separator)
		e.uint(pick(1, s.Then.Required))
		encodeSpec(e, &s.Then.Spec)
	}
}

// decodeNode reads the node block at ref of the given layer's image.
func (im *Image) decodeNode(layer Layer, ref uint32) (*Node, error) {
	return im.joinNode(nil, layer, ref)
}

// joinNode reads the node block at ref of the given layer's image and joins it to
// base, which it may change. After an error base may hold some of it, and is of no
// use. Flags are joined one by one as they are read: of a tool that two layers map
// most of those of the upper one add nothing, and are not kept.
func (im *Image) joinNode(base *Node, layer Layer, ref uint32) (*Node, error) {
	payload, err := im.block(toolTable, ref, nodeBlock)
	if err != nil {
		return nil, err
	}
	d := newDecoder(payload)
	n := &Node{}
	decodeHead(d, n)
	n.refs[layer] = ref
	apart := base == nil || replaces(n, layer)
	if apart {
		n.Flags = decodeList(d, decodeFlag)
	} else {
		base.Flags = joinFlags(base.Flags, d, standingOf(base, n, layer))
	}
	n.Args = decodeList(d, decodeArg)
	n.subs = decodeSubs(d, layer, ref)
	if d.bad || d.s != "" { // before its error, for which the path is put together
		return nil, d.err("node " + n.Path)
	}
	if apart {
		return n, nil
	}
	return mergeNode(base, n, layer), nil
}

// decodeHead reads what comes before the flags.
func decodeHead(d *decoder, n *Node) {
	decodeTitle(d, n)
	if n.Bits&bitClass != 0 {
		n.Bits &^= bitClass
		n.Class = d.strings()
		n.Output = d.string()
	}
	n.Exec = d.string()
	decodeWrapper(d, &n.Wrapper)
}

func decodeTitle(d *decoder, n *Node) {
	n.Path = d.string()
	name := d.uint()
	if name > uint64(len(n.Path)) {
		d.fail()
		return
	}
	n.Name = n.Path[len(n.Path)-int(name):]
	n.Aliases = d.strings()
	n.Description = d.string()
	n.Bits = NodeBits(d.uint())
}

func decodeList[T any](d *decoder, read func(*decoder, *T)) []T {
	count := d.count()
	if count == 0 {
		return nil
	}
	// A count is at most the bytes that are left; what they cannot hold is not
	// made room for.
	l := make([]T, 0, min(count, 1024))
	for range count {
		var zero T
		l = append(l, zero)
		if read(d, &l[len(l)-1]); d.bad {
			return nil
		}
	}
	return l
}

func decodeWrapper(d *decoder, w *Wrapper) {
	w.Mode = WrapMode(d.uint())
	if w.Mode == NoWrap {
		return
	}
	w.Skip = int(d.uint() & (1<<31 - 1))
	w.ShellFlag = d.string()
	bits := d.uint()
	w.Assignments, w.Elsewhere = bits&1 != 0, bits&2 != 0
	w.Markers = d.strings()
	w.Terminators = d.strings()
	w.Adds = Flags(d.uint())
	w.Dialect = d.string()
}

func decodeFlag(d *decoder, f *Flag) {
	f.ID = d.string()
	f.Names = d.strings()
	f.Value = ValueMode(d.uint())
	decodeSpec(d, &f.Spec)
	bits := d.uint()
	f.Repeatable, f.Hidden = bits&bitRepeatable != 0, bits&bitHidden != 0
	f.Deprecated, f.Negatable = bits&bitDeprecated != 0, bits&bitNegatable != 0
	f.Group = d.string()
	f.Description = d.string()
	f.Role, f.RoleWith = decodeRole(d, bits)
}

func decodeArg(d *decoder, a *Arg) {
	a.Name = d.string()
	decodeSpec(d, &a.Spec)
	a.Alt = decodeList(d, decodeSpec)
	bits := d.uint()
	a.Repeatable, a.Required, a.AfterDash = bits&bitRepeatable != 0, bits&bitRequired != 0, bits&bitAfterDash != 0
	a.Description = d.string()
	if bits&bitWith != 0 {
		a.With = d.strings()
	}
	a.Role, a.RoleWith = decodeRole(d, bits)
}

func decodeSpec(d *decoder, s *ValueSpec) { decodeSpecWithin(d, s, maxSpecDepth) }

func decodeSpecWithin(d *decoder, s *ValueSpec, depth int) {
	kind := d.uint()
	if depth == 0 {
		d.fail()
	}
	s.Kind, s.Otherwise = SpecKind(kind&^(specNext|specThen|specOtherwise)), kind&specOtherwise != 0
	s.Name = d.string()
	s.Enum = decodeList(d, func(d *decoder, v *EnumValue) {
		v.Value = d.string()
		v.Description = d.string()
	})
	s.List = d.string()
	if kind&specNext != 0 {
		for n := d.count(); n > 0 && !d.bad; n-- {
			i, next := d.uint(), new(ValueSpec)
			if i >= uint64(len(s.Enum)) {
				d.fail()
				return
			}
			decodeSpecWithin(d, next, depth-1)
			s.Enum[i].Next = next
		}
	}
	if kind&specThen != 0 && !d.bad {
		s.Then = &Continuation{Separator: d.string(), Required: d.uint()&1 != 0}
		decodeSpecWithin(d, &s.Then.Spec, depth-1)
	}
}
