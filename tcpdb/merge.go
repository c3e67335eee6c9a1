package tcpdb

import "slices"

// How layers become one. The base is what the lower layers say, over the next
// higher one.
//
//   - Nodes match by path, flags by any shared name.
//   - A text or value kind is that of the highest layer that states one; a draft
//     only fills what a reviewed layer leaves open.
//   - Lists are joined; a name that another flag has already is not taken over.
//   - HiddenNode, DeprecatedNode and Gap add up; a node is a draft, or
//     partial, if it is in all its layers.
//   - What a Partial node hides is hidden because only judging needs it: where a
//     layer has the command as a whole, that layer says what is offered.
//   - How words are read (the other bits, arity of flags, wrappers) is the base's
//     for drafts and for a project: a changed reading could hide what a command
//     does. For the same reason a project adds sub-commands only where there are
//     some, and states no Exec.
//   - Roles, classes and forms of output are as how words are read: the base's
//     for drafts and for a project.
//   - Replaces counts in system and user layers alone.

// parsing are the bits that say how words are read.
const parsing = Interspersed | SingleDashLong | NoAbbreviation | Plus | NumericFlags | Bundle | Keywords | OwnOptions

// standing says what over may change of base.
type standing struct {
	layer   Layer
	texts   bool // its texts and value kinds replace those of base
	reading bool // its reading of words does too
	// bared and veiled: what base, or over, hides does not count.
	bared, veiled bool
}

func standingOf(base, over *Node, layer Layer) standing {
	draft := over.Bits&DraftNode != 0 && base.Bits&DraftNode == 0
	known, added := base.Bits&Partial == 0, over.Bits&Partial == 0
	return standing{layer: layer, texts: !draft, reading: !draft && layer < ProjectLayer, bared: !known && added, veiled: known && !added}
}

func replaces(n *Node, layer Layer) bool {
	return n.Bits&Replaces != 0 && (layer == SystemLayer || layer == UserLayer)
}

// mergeNode joins over, read from layer, to base, which it may change. The flags
// are those of base already: see joinFlags.
func mergeNode(base, over *Node, layer Layer) *Node {
	s := standingOf(base, over, layer)
	mergeTitle(base, over, s)
	mergeText(&base.Description, over.Description, s)
	if layer < ProjectLayer {
		mergeText(&base.Exec, over.Exec, s)
		if over.Wrapper.Mode != NoWrap && (s.reading || base.Wrapper.Mode == NoWrap) {
			base.Wrapper = over.Wrapper
		}
	}
	switch {
	case len(over.Args) > 0 && (s.texts || len(base.Args) == 0):
		base.Args = over.Args
	case s.bared: // judging needs which argument it is, not what may stand there
		base.Args = slices.Clone(base.Args)
		for i := range min(len(base.Args), len(over.Args)) {
			if base.Args[i].Spec.Kind == AnySpec {
				base.Args[i].Spec = over.Args[i].Spec
			}
		}
	}
	base.Class = mergeClass(base.Class, over.Class, s)
	if over.Output != "" && (s.reading || base.Output == "") {
		base.Output = over.Output
	}
	joinSubs(base, over, layer)
	return base
}

// mergeTitle joins what a list of sub-commands shows.
func mergeTitle(base, over *Node, s standing) {
	if base.Bits&DraftNode != 0 && s.reading {
		base.Bits = base.Bits&^parsing | over.Bits&parsing
	}
	both := base.Bits & over.Bits & (DraftNode | Partial)
	more := over.Bits & (HiddenNode | DeprecatedNode | Gap)
	switch {
	case s.bared:
		base.Bits &^= HiddenNode
	case s.veiled:
		more &^= HiddenNode
	}
	base.Bits = base.Bits&^(DraftNode|Partial) | both | more
	base.Aliases = union(base.Aliases, over.Aliases)
	base.refs[s.layer] = over.refs[s.layer]
}

func mergeText(base *string, over string, s standing) {
	if over != "" && (s.texts || *base == "") {
		*base = over
	}
}

func mergeSubs(base, over []*Node, layer Layer) []*Node {
	for _, o := range over {
		i := slices.IndexFunc(base, func(b *Node) bool { return b.Name == o.Name })
		if i < 0 {
			base = append(base, o)
			continue
		}
		base[i] = mergeSub(base[i], o, layer)
	}
	return base
}

// mergeSub joins what two layers say of a shallow sub-command.
func mergeSub(base, over *Node, layer Layer) *Node {
	if replaces(over, layer) {
		return over
	}
	s := standingOf(base, over, layer)
	mergeText(&base.Description, over.Description, s)
	mergeTitle(base, over, s)
	return base
}

// joinFlags reads a list of flags and joins each to those of base. A flag that shares
// a name only with another of the list, and not with one of base, is left out.
func joinFlags(base []Flag, d *decoder, s standing) []Flag {
	count := d.count()
	if count == 0 {
		return base
	}
	var slots [256]uint32
	var entries [96]nameEntry
	x := nameIndex{slots: slots[:], entries: entries[:0]}
	for i := range base {
		for _, name := range base[i].Names {
			x = x.set(name, i)
		}
	}
	known := len(base)
	var names []string // of the flag that is read, those that no other has
	var over Flag
	for range count {
		over = Flag{}
		if decodeFlag(d, &over); d.bad {
			return base
		}
		at := -1
		names = names[:0]
		for _, name := range over.Names {
			i := x.get(name)
			if i < 0 {
				names = append(names, name)
			} else if at < 0 {
				at = i
			}
		}
		if at < 0 {
			if len(base) == cap(base) { // for few are added
				base = append(make([]Flag, 0, len(base)+len(base)/4+4), base...)
			}
			base = append(base, over)
			at = len(base) - 1
		} else if at < known {
			mergeFlag(&base[at], &over, s)
			switch {
			case len(names) == 0:
			case s.bared: // the first is shown: what judging needs may not be what there is
				base[at].Names = union(slices.Clone(over.Names), base[at].Names)
			default:
				base[at].Names = append(slices.Clip(base[at].Names), names...)
			}
		}
		for _, name := range names {
			x = x.set(name, at)
		}
	}
	return base
}

// mergeFlag joins a flag; its ID stays, since variants of lower layers name it.
func mergeFlag(base, over *Flag, s standing) {
	if s.reading {
		base.Value = over.Value
		base.Negatable = base.Negatable || over.Negatable
	}
	if s.texts {
		base.Repeatable = base.Repeatable || over.Repeatable
	}
	if over.Spec.Kind != AnySpec && (s.texts || base.Spec.Kind == AnySpec) {
		base.Spec = mergeSpec(base.Spec, over.Spec)
	}
	base.Role, base.RoleWith = mergeRole(base.Role, base.RoleWith, over.Role, over.RoleWith, s)
	mergeText(&base.Group, over.Group, s)
	mergeText(&base.Description, over.Description, s)
	switch {
	case s.bared:
		base.Hidden = over.Hidden
	case !s.veiled:
		base.Hidden = base.Hidden || over.Hidden
	}
	base.Deprecated = base.Deprecated || over.Deprecated
}

// mergeRole: a role says how a line is judged, so a draft and a project fill only
// what is open.
func mergeRole(base Role, baseWith []string, over Role, overWith []string, s standing) (Role, []string) {
	if over != "" && (s.reading || base == "") {
		return over, overWith
	}
	return base, baseWith
}

// mergeClass adds what over says; of a draft or a project only where base says
// nothing.
func mergeClass(base, over []string, s standing) []string {
	if len(over) == 0 || len(base) > 0 && !s.reading {
		return base
	}
	return union(base, over)
}

// mergeSpec is over, with the words of a base of the same kind.
func mergeSpec(base, over ValueSpec) ValueSpec {
	if base.Kind != over.Kind || base.Name != over.Name {
		return over
	}
	enum := slices.Clip(over.Enum)
	for _, v := range base.Enum {
		if !slices.ContainsFunc(enum, func(x EnumValue) bool { return x.Value == v.Value }) {
			enum = append(enum, v)
		}
	}
	over.Enum = enum
	if over.List == "" {
		over.List = base.List
	}
	if over.Then == nil {
		over.Then = base.Then
	}
	return over
}

func union(base, over []string) []string {
	for _, s := range over {
		if !slices.Contains(base, s) {
			base = append(slices.Clip(base), s)
		}
	}
	return base
}

// mergeOperation is over, with no less risk and no less approval than base.
func mergeOperation(base, over Operation) Operation {
	over.Risk = max(over.Risk, base.Risk)
	if over.Approval == "" {
		over.Approval = base.Approval
	}
	return over
}

// root reads and joins the root node of a tool. Where a layer turns out to be
// damaged it begins anew without it.
func (v *View) root(tool string) *Node {
	var merged *Node
	alias := ""
	for l := range Layer(layerCount) {
		im := v.about(l, tool)
		if im == nil {
			continue
		}
		h, ok, err := im.find(toolTable, tool)
		switch {
		case ok && h.flags&aliasHead == 0:
			merged, err = im.joinNode(merged, l, h.ref)
		case ok && alias == "":
			var n *Node
			if n, err = im.decodeNode(l, h.ref); err == nil && n.Name != tool {
				alias = n.Name
			}
		}
		if err != nil {
			v.drop(l, err)
			return v.root(tool)
		}
	}
	if merged == nil && alias != "" {
		return v.root(alias)
	}
	return merged
}

// open reads and joins a sub-command, as root does.
func (v *View) open(n *Node) *Node {
	var merged *Node
	for l := range Layer(layerCount) {
		im := v.image(l)
		if im == nil || n.refs[l] == 0 {
			continue
		}
		var err error
		if merged, err = im.joinNode(merged, l, n.refs[l]); err != nil {
			v.drop(l, err)
			return v.open(n)
		}
	}
	if merged == nil {
		return n
	}
	return merged
}
