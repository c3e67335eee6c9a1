package ask

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// place is something that says where a command acts: "context prod-eu".
type place struct {
	kind, name string
	// where: it is a place to be on: a host, a context, a profile. Others only name
	// a part of one: a namespace, a database.
	where bool
}

func (p place) String() string { return strings.TrimSpace(p.kind + " " + p.name) }

// placesOf returns the places that the command of a finding acts on, as far as
// they are known.
func (f *Facts) placesOf(g *line.Finding) (list []place) {
	if g.Call == nil {
		return f.formPlaces(g)
	}
	for i := range g.Call.Parts {
		p := &g.Call.Parts[i]
		chose := map[string]bool{}
		for _, s := range g.Call.Set {
			kind, name, _ := strings.Cut(s, "=")
			if chose[kind] = true; concerns(p, kind) {
				list = append(list, placeOf(kind, name))
			}
		}
		for _, s := range p.Places {
			kind, name, _ := strings.Cut(s, "=")
			chose[kind] = true
			list = append(list, placeOf(kind, name))
		}
		dependsOn(program(p), func(d dependence) {
			for _, s := range d.around {
				if s == WorkingDirectory {
					list = append(list, directories(g.Call, p)...)
				}
				if !chose[surroundingKinds[s]] && !chosen(p, s) {
					list = append(list, f.surrounding(s)...)
				}
			}
			list = append(list, f.variables(d.places)...)
		})
	}
	for _, s := range g.Call.Before { // AWS_PROFILE=prod aws …
		for w := range strings.FieldsSeq(s) { // export AWS_PROFILE=prod
			if name, value, ok := strings.Cut(w, "="); ok && strings.Contains(placesTable, name) && isPlaceVariable(name) {
				list = append(list, placeOf("", strings.Trim(value, `'"`)))
			}
		}
	}
	return list
}

// concerns reports whether a kind of place is one that a command acts on: a workspace
// is nothing to docker.
func concerns(p *line.Part, kind string) (does bool) {
	dependsOn(program(p), func(d dependence) {
		for _, s := range d.around {
			does = does || surroundingKinds[s] == kind || s == KubeContext && kind == "namespace"
		}
	})
	return does || kind == "profile" && p.Path != "" && strings.HasPrefix(p.Path, "az ")
}

// directories are those that a command is sent to: by its option, by a cd before it.
func directories(c *line.Call, p *line.Part) (list []place) {
	for _, dir := range p.Dirs {
		list = append(list, placeOf("directory", dir))
	}
	for _, s := range c.Before {
		if dir, ok := strings.CutPrefix(s, "cd "); ok {
			list = append(list, placeOf("directory", strings.Trim(dir, `'"`)))
		}
	}
	return list
}

// surroundingKinds are the kinds of places that surroundings are.
var surroundingKinds = [...]string{GitBranch: "branch", KubeContext: "context", DockerContext: "docker", CloudProject: "project", TerraformContext: "workspace", WorkingDirectory: "directory"}

func isPlaceVariable(name string) bool {
	for row := range strings.Lines(placesTable) {
		if i := strings.LastIndexByte(row, '\t'); i >= 0 && row[0] != '#' && slices.Contains(strings.Fields(row[i:]), name) {
			return true
		}
	}
	return false
}

// formPlaces are those of a command whose words are not all known: what options
// say, else the context.
func (f *Facts) formPlaces(g *line.Finding) (list []place) {
	tool, _, _ := strings.Cut(g.Key, " ")
	if name := option(g.Form, "--context", "--kube-context", "--profile", "--project", "--host"); name != "" {
		return []place{placeOf("context", name)}
	}
	dependsOn(tool, func(d dependence) {
		for _, s := range d.around {
			list = append(list, f.surrounding(s)...)
		}
		list = append(list, f.variables(d.places)...)
	})
	return list
}

// surrounding is what the machine says of where one is.
func (f *Facts) surrounding(s Surrounding) []place {
	if s == GitBranch {
		return nil // what branches are to a push is not a place that all of git acts on
	}
	if s == KubeContext && f.Cluster != nil {
		if name := f.Cluster(); name != "" {
			return []place{placeOf("context", name)}
		}
	}
	if f.Around == nil {
		return nil
	}
	is, known := f.Around(s)
	if !known || is == "" {
		return nil
	}
	context, namespace, ok := strings.Cut(is, ", namespace ")
	list := []place{placeOf(surroundingKinds[s], context)}
	if ok {
		list = append(list, placeOf("namespace", namespace))
	}
	return list
}

// variables are the places that variables of the environment name.
func (f *Facts) variables(names string) (list []place) {
	if f.Env == nil || names == "" {
		return nil
	}
	for _, v := range f.Env(strings.Fields(names)) {
		name, value, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(value, "#") { // a digest
			list = append(list, placeOf(name, value))
		}
	}
	return list
}

// placeOf reads what names a place: of a URL the host and the database, of user@host
// the host, of a path its last parts.
func placeOf(kind, name string) place {
	p := place{kind: kind, name: name}
	switch kind {
	case "namespace", "database", "user", "directory", "limit", "inventory", "RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "PGDATABASE", "DJANGO_SETTINGS_MODULE", "workspace", "TF_WORKSPACE":
	default:
		p.where = true
	}
	if _, rest, ok := strings.Cut(name, "://"); ok {
		p.name = rest
	}
	if i := strings.LastIndexByte(p.name, '@'); i >= 0 {
		p.name = p.name[i+1:]
	}
	return p
}

// names are the parts of a place's name that patterns are held against: it itself,
// and what slashes, colons and commas part.
func (p place) names() []string {
	out := []string{p.name}
	parts := strings.FieldsFunc(p.name, func(r rune) bool { return strings.ContainsRune("/:,", r) })
	if p.kind == "directory" {
		out = nil
		parts = parts[max(0, len(parts)-3):]
	}
	return append(out, parts...)
}

// settled is where the command of a finding acts: in production with the name of
// the place, on what is the person's own, or where the map says.
func (f *Facts) placed(g *line.Finding, reach tcpdb.Reach) (tcpdb.Reach, string) {
	places := f.placesOf(g)
	own, others := 0, 0
	for _, p := range places {
		if slices.ContainsFunc(p.names(), f.Settings.production) {
			return tcpdb.ProductionReach, p.String()
		}
		switch {
		case !p.where:
		case slices.ContainsFunc(p.names(), f.Settings.own):
			own++
		default:
			others++
		}
	}
	switch {
	case others > 0 && reach <= tcpdb.MachineReach:
		return tcpdb.SharedReach, ""
	case own > 0 && others == 0 && reach == tcpdb.SharedReach:
		return tcpdb.OwnReach, ""
	}
	return reach, ""
}
