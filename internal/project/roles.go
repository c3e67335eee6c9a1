package project

//go:generate go run ../../scripts/genroles

// Roles are what core/roles.json holds: what a project can be asked to do, the
// names by which tasks play it, the words by which people ask for it, and the
// standard command of each ecosystem.
type Roles struct {
	// Fillers are words that say nothing, Tail words that say nothing at the end.
	Fillers, Tail []string
	// Words name an ecosystem: "python" is one of Python.
	Words []List
	// Tools are programs that people ask for by name: what does not start the one that
	// was named is no answer.
	Tools []string
	// Lost are runners that a task may call in vain, with the conditions of which one
	// says that the runner is configured.
	Lost       []List
	Ecosystems []EcosystemData
	Roles      []Role
}

// List is a list of words with a name.
type List struct {
	Name  string
	Words []string
}

// Slot is what {name} stands for: the first choice whose conditions hold.
type Slot struct {
	Name    string
	Choices []Choice
}

// CoreRoles are the roles that ship.
func CoreRoles() *Roles { return &coreRoles }

// EcosystemData describes an ecosystem: it is there if one of Any holds and all of
// All do, see unit.holds.
type EcosystemData struct {
	Name, Manager   string
	Any, All, Tools []string
	Facts           []List // a fact holds if one of its conditions does
	Fill            []Slot
	// Late: it plays a role only where no other ecosystem does; Early: before others.
	Early, Late bool
}

// Choice is a list of words with what must hold for it.
type Choice struct {
	If    []string `json:"if"`
	Words []string `json:"words"`
}

// Role is something that a project can be asked to do.
type Role struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Verbs alone and with Whole ask for it ("lint the code"), Nouns alone and with
	// Runs ("run the linter"), Phrases as they stand; "*" in a phrase is an object.
	Verbs   []string `json:"verbs"`
	Nouns   []string `json:"nouns"`
	Runs    []string `json:"runs"`
	Whole   []string `json:"whole"`
	Phrases []string `json:"phrases"`
	// Things ask for it with Runs alone: "remove the build files".
	Things []string `json:"things"`
	// Names are those of tasks that play it, the first that is there; Also those that
	// do if their body has one of Body. Prove asks it of Names too.
	Names []string `json:"names"`
	Also  []string `json:"also"`
	Body  []string `json:"body"`
	Prove bool     `json:"prove"`
	// AlsoBody is what the bodies of Also must have in the place of Body.
	AlsoBody []string `json:"alsobody"`
	// Never are marks in a body that speak against it, Must marks of which one is needed.
	Never []string `json:"never"`
	// Each: a command with one of Never is passed over where another of Body has none.
	Each bool     `json:"each"`
	Must []string `json:"must"`
	// Requires are programs with the options of which one makes them do it: a command
	// of the body that has the first word must have one of the others.
	Requires []string `json:"requires"`
	// Hidden: where no task is called that, the only one whose body is one command of
	// Body plays it, if no mark of NotIn is in it.
	Hidden bool     `json:"hidden"`
	NotIn  []string `json:"notin"`
	// Skip are runners whose tasks never play it.
	Skip []string `json:"skip"`
	// ServeBody: a command of the body must be one of Body and none of Never.
	ServeBody bool `json:"servebody"`
	// Fallback is the role that is played where nobody plays this one.
	Fallback string     `json:"fallback"`
	Append   *Append    `json:"append"`
	Standard []Standard `json:"standard"`
	Of       []Of       `json:"of"`
	// Maps: where nobody plays it, an operation of a map may be what was meant.
	Maps bool `json:"maps"`
}

// Append plays a role by the task of another one with more words.
type Append struct {
	Role string   `json:"role"`
	Body []string `json:"body"`
	Args []string `json:"args"`
}

// Standard is the command by which an ecosystem plays a role.
type Standard struct {
	Eco  string   `json:"eco"` // "any" for every one
	If   []string `json:"if"`
	Argv []string `json:"argv"`
}

// Of is the command for one object of a set.
type Of struct {
	Set  string   `json:"set"`
	If   []string `json:"if"`
	Argv []string `json:"argv"`
}

// Role is the role of that name, or nil.
func (r *Roles) Role(name string) *Role {
	for i := range r.Roles {
		if r.Roles[i].Name == name {
			return &r.Roles[i]
		}
	}
	return nil
}
