package tcpdb

// Stat is what an image holds, in numbers. Sizes are bytes.
type Stat struct {
	Bytes   int
	Tools   int
	Aliases int // further names of tools
	Nodes   int // commands and sub-commands
	Flags   int
	Args    int

	Entries    int
	Levels     [Critical + 1]int // entries by level
	Variants   int
	Operations int
	Intents    int
	Sources    int

	Tables   []TableStat
	Families []FamilyStat
}

// TableStat is the size of one table.
type TableStat struct {
	Name                 string
	Keys                 int
	Index, Heads, Bodies int
}

// FamilyStat compares the ways to store a family.
type FamilyStat struct {
	Tool       string
	Members    int
	Flat       int // 24 bytes each
	Six, Seven int // parent and deltas of 6 or 7 bytes
	Copies     int // members stored in full as well, 24 bytes each, to tell collisions apart
}

var tableNames = [tableCount]string{"sources", "tools", "risks", "operations", "intents", "families", "details"}

// Stats counts what an image holds. It reads the whole of it.
func Stats(im *Image) (Stat, error) {
	if im.err != nil {
		return Stat{}, im.err
	}
	s := Stat{Bytes: len(im.data)}
	for t := range tableCount {
		x := TableStat{
			Name: tableNames[t], Index: im.section(t, indexPart).len,
			Heads: im.section(t, headsPart).len, Bodies: im.section(t, bodyPart).len,
		}
		if err := im.eachHead(t, func(string, head) bool { x.Keys++; return true }); err != nil {
			return s, err
		}
		s.Tables = append(s.Tables, x)
	}
	s.Intents, s.Operations = s.Tables[intentTable].Keys, s.Tables[opTable].Keys
	sources, err := im.readSources()
	if err != nil {
		return s, err
	}
	s.Sources = len(sources)
	for _, count := range []func(*Image) error{s.countTools, s.countRisks, s.countFamilies} {
		if err := count(im); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *Stat) countTools(im *Image) error {
	return im.eachTree(func(root *Node) { s.countNode(root) }, func(string) { s.Aliases++ })
}

func (s *Stat) countNode(n *Node) {
	if len(n.Path) == len(n.Name) {
		s.Tools++
	}
	s.Nodes++
	s.Flags += len(n.Flags)
	s.Args += len(n.Args)
	for _, sub := range n.Subs {
		s.countNode(sub)
	}
}

func (s *Stat) countRisks(im *Image) error {
	return im.eachRisk(func(r *riskRecord) {
		if r.base != nil {
			s.Entries++
			s.Levels[r.base.Descriptor.Level()]++
		}
		s.Variants += len(r.variants)
	})
}

func (s *Stat) countFamilies(im *Image) error {
	return im.eachFamily(func(f *Family) {
		n := len(f.Deltas)
		s.Families = append(s.Families, FamilyStat{
			Tool: f.Tool, Members: n, Flat: flatSize(n), Six: hierSize(n, 6), Seven: hierSize(n, 7), Copies: len(f.Exact),
		})
	})
}

func flatSize(members int) int        { return members * descriptorSize }
func hierSize(members, delta int) int { return parentSize + members*delta }

// Scale is a row of seed 001, Appendix B: the sizes of a family as the seed has
// them and as they are. The seed counts deltas of 6 bytes up to 50 commands and
// of 7 for 164, and a single command as no family.
type Scale struct {
	Commands, Flat, Seed, Six, Seven int
}

// AppendixB recomputes the table, without collision copies: those depend on the
// names.
func AppendixB() []Scale {
	rows := []Scale{{Commands: 1, Seed: 24}, {Commands: 5, Seed: 46}, {Commands: 10, Seed: 76}, {Commands: 50, Seed: 316}, {Commands: 164, Seed: 1164}}
	for i := range rows {
		r := &rows[i]
		r.Flat, r.Six, r.Seven = flatSize(r.Commands), hierSize(r.Commands, 6), hierSize(r.Commands, 7)
		if r.Commands == 1 {
			r.Six, r.Seven = r.Flat, r.Flat
		}
	}
	return rows
}
