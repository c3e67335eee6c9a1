package ask

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
)

// Surrounding is something beside the words of a command that decides what it
// acts on.
type Surrounding uint8

const (
	GitBranch        Surrounding = iota // the branch of the work tree
	KubeContext                         // "staging, namespace web"
	DockerContext                       // "remote"
	CloudProject                        // gcloud's active configuration
	TerraformContext                    // the selected workspace
	WorkingDirectory                    // the directory itself: envs/prod
)

// String returns how a surrounding is named in a form.
func (s Surrounding) String() string {
	return [...]string{"on branch", "in context", "in docker context", "in gcloud configuration", "in workspace", "in directory"}[s]
}

// placesTable says what programs depend on beside their words. The file says what
// its columns mean.
//
//go:embed places.tsv
var placesTable string

// dependence is one row of the table.
type dependence struct {
	around []Surrounding
	env    string // names of variables
	places string // those whose value names a place
	// everywhere: it acts on nothing of the directory.
	everywhere bool
}

var surroundingNames = [...]string{GitBranch: "branch", KubeContext: "kube", DockerContext: "docker", CloudProject: "gcloud", TerraformContext: "terraform", WorkingDirectory: "directory"}

// dependsOn calls visit for each row of a program.
func dependsOn(program string, visit func(dependence)) {
	if program == "" || !strings.Contains(placesTable, program) {
		return
	}
	for row := range strings.Lines(placesTable) {
		programs, rest, ok := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		if !ok || row[0] == '#' || !wordlist.Has(programs, program) {
			continue
		}
		around, rest, _ := strings.Cut(rest, "\t")
		var d dependence
		d.env, d.places, _ = strings.Cut(rest, "\t")
		d.everywhere = around == "everywhere"
		for name := range strings.FieldsSeq(around) {
			if i := slices.Index(surroundingNames[:], name); i >= 0 {
				d.around = append(d.around, Surrounding(i))
			}
		}
		visit(d)
	}
}

// surroundings writes all that the commands of a call depend on, in a fixed
// order; ok is false where it cannot be told what that is.
func (f *Facts) surroundings(c *line.Call) (list []string, ok bool) {
	var around []Surrounding
	var env []string
	for i := range c.Parts {
		p := &c.Parts[i]
		elsewhere := false
		dependsOn(program(p), func(d dependence) {
			env = append(env, strings.Fields(d.env)...)
			for _, s := range d.around {
				if s != WorkingDirectory && !chosen(p, s) && !slices.Contains(around, s) {
					around = append(around, s)
				}
			}
			elsewhere = elsewhere || len(d.around) > 0 && !here(c, i)
		})
		if elsewhere {
			return nil, false
		}
	}
	slices.Sort(around)
	for _, s := range around {
		is, known := "", false
		if f.Around != nil {
			is, known = f.Around(s)
		}
		if !known {
			return nil, false
		}
		if is != "" {
			list = append(list, s.String()+" "+quote(is))
		}
	}
	if f.Env != nil && len(env) > 0 {
		for _, v := range f.Env(env) {
			list = append(list, "with "+quote(v))
		}
	}
	return list, true
}

func program(p *line.Part) string {
	name, _, _ := strings.Cut(p.Path, " ")
	return name
}

// here reports whether a part of a call runs in the directory of the shell, on
// this machine, as the same user.
func here(c *line.Call, at int) bool {
	for i := range c.Parts[:at] {
		if c.Parts[i].Away {
			return false
		}
	}
	for i := range c.Parts[:at+1] {
		for _, o := range c.Parts[i].Options {
			switch o.ID {
			case "C", "chdir", "git-dir", "work-tree", "directory", "cwd", "prefix", "kubeconfig":
				return false
			}
		}
	}
	return !slices.ContainsFunc(c.Before, func(s string) bool {
		name, _, _ := strings.Cut(s, " ")
		if slices.Contains([]string{"cd", "pushd", "popd", "chdir"}, name) {
			return true
		}
		return strings.Contains(s, "GIT_") || strings.Contains(s, "KUBECONFIG") || strings.Contains(s, "HOME")
	})
}

// chosen reports whether options of a command say themselves what a surrounding
// would decide.
func chosen(p *line.Part, s Surrounding) bool {
	return slices.ContainsFunc(p.Options, func(o line.CallOption) bool {
		switch s {
		case KubeContext:
			return o.Has && (o.Name == "--context" || o.Name == "--kube-context")
		case DockerContext:
			return o.Has && (o.Name == "--context" || o.Name == "--host")
		case CloudProject:
			return o.Has && o.Name == "--configuration"
		}
		return false
	})
}
