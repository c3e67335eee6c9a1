package inventory

import (
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// own are the door's own tools with what an agent is told of each. The texts are
// part of every conversation: they are as short as they can be.
var own = []struct {
	id, description string
	level           tcpdb.Level
	te              bool // only where te is installed
}{
	{"tmp.resolve", "Find the one verified operation for an intent, or why there is none", tcpdb.Safe, false},
	{"tmp.run", "Run an intent or operation; risky ones need a person's approval", tcpdb.Medium, false},
	{"tmp.complete", "Complete a shell line: candidate values", tcpdb.Safe, false},
	{"tmp.check", "Judge a shell line before running it", tcpdb.Safe, false},
	{"tmp.tools", "Find tools of other servers by query, or show one by id", tcpdb.Safe, false},
	{"tmp.call", "Call a tool that tmp_tools found", tcpdb.Medium, false},
	{"tmp.output", "Read a kept output by handle", tcpdb.Safe, false},
	{"read", "Read a file of the project", tcpdb.Low, true},
	{"grep", "Search the project's files by regular expression", tcpdb.Low, true},
	{"glob", "Find the project's files by name", tcpdb.Low, true},
}

// Own are the rows of the door's own tools; te says whether that program is there.
func Own(te bool) []toolid.Row {
	var out []toolid.Row
	for _, o := range own {
		if o.te && !te {
			continue
		}
		row, err := toolid.NewRow(o.id, toolid.Builtin)
		if err != nil {
			continue // a test looks at each
		}
		row.Description, row.Level = o.description, o.level.String()
		out = append(out, row)
	}
	return out
}

// Description is what an agent is told of one of the door's own tools.
func Description(id string) string {
	for _, o := range own {
		if o.id == id {
			return o.description
		}
	}
	return ""
}
