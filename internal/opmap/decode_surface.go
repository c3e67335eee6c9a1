package opmap

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sqlcode "github.com/tool-mapping-protocol/tmp/internal/risk/code"
	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/surface/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Operations of the surfaces "api" and "sql" are no commands: what they send is a
// record, which the compiled map keeps as it is for the program that runs them.

// recordFields are the members of an operation that make its record, by surface. A
// member with the surface's name holds them too.
var recordFields = map[string][]string{
	surface.API: {"server", "method", "path", "url", "auth", "headers", "body", "pages", "idempotency_key", "select", "query", "encoding", "responses"},
	surface.SQL: {"query", "connection"},
}

// surface checks where the operation lives and returns the fields that only
// operations of that surface have; they are kept as they are.
func (d *decoder) surface(o *object, op *Operation) []string {
	switch op.Surface {
	case "cli", "script":
		if op.Template == "" {
			o.errorf("template", "is missing: an operation of surface %s needs one", op.Surface)
		}
		return nil
	case "workflow":
		return nil
	case surface.API, surface.SQL:
		expected := append([]string{op.Surface}, recordFields[op.Surface]...)
		d.record(o, op, expected)
		return expected
	}
	o.errorf("surface", "%q: want cli, script, workflow, api or sql", op.Surface)
	return nil
}

// record reads what the surface needs, and finds what the map does not say: the
// effect and the level from the statement or the method.
func (d *decoder) record(o *object, op *Operation, fields []string) {
	if op.Template != "" {
		o.errorf("template", "an operation of surface %s has none", op.Surface)
	}
	all := map[string]*value{}
	for _, m := range o.v.members {
		if !slices.Contains(fields[1:], m.name) || m.value.kind == nullKind {
			continue
		}
		all[m.name] = m.value
	}
	if in := o.peek(op.Surface); in != nil {
		if in.kind != objectKind {
			o.errorf(op.Surface, "is %s: want an object", in.kind)
			return
		}
		for _, m := range in.members {
			if all[m.name] != nil {
				o.errorf(m.name, "is given twice, in %q too", op.Surface)
			}
			all[m.name] = m.value
		}
	}
	text := func(name string) string {
		if v := all[name]; v != nil && v.kind == stringKind {
			return v.text
		} else if v != nil {
			d.errorf(v.line, o.field(name), "is %s: want a string", v.kind)
		}
		return ""
	}
	if op.Surface == surface.SQL {
		if v := all["query"]; v != nil && strings.HasSuffix(d.file, ".sql") {
			op.queryLine = v.line
		}
		d.statement(o, op, text("query"), text("connection"))
		return
	}
	d.request(o, op, strings.ToUpper(text("method")), text("path")+text("url"))
}

// peek is a member without taking it for read: it is kept as it stands.
func (o *object) peek(name string) *value {
	for i := range o.v.members {
		if m := &o.v.members[i]; m.name == name && m.value.kind != nullKind {
			return m.value
		}
	}
	return nil
}

// statement reads the template of an operation of surface sql.
func (d *decoder) statement(o *object, op *Operation, query, connection string) {
	op.sql = surface.SQLRecord{Query: query, Connection: connection}
	if query == "" {
		o.errorf("query", "is missing: an operation of surface sql needs one")
		return
	}
	if reason := badText(connection); reason != "" {
		o.errorf("connection", "%s", reason)
	}
	s, err := statement.Parse(sqltext.Postgres, query)
	if err != nil {
		// What one dialect reads as unfinished another may not.
		for _, other := range []sqltext.Dialect{sqltext.MySQL, sqltext.SQLite} {
			if again, e := statement.Parse(other, query); e == nil {
				s, err = again, nil
				break
			}
		}
	}
	if err != nil {
		o.errorf("query", "%v", err)
		return
	}
	d.slots(o, op, s)
	reads := s.Reads()
	if !reads {
		op.writes = s.Target()
	}
	if op.Effect == "" {
		op.Effect = "read-only"
		if !reads {
			op.Effect = "network-write"
			if strings.HasPrefix(connection, "file:") {
				op.Effect = "local-write"
			}
		}
	}
	least, said := tcpdb.Low, op.Risk
	if !reads {
		least = tcpdb.High
		if level, err := tcpdb.ParseLevel(said); err == nil && level == tcpdb.Medium {
			least = tcpdb.Medium
		}
		if s.Everything() {
			least = tcpdb.Critical
		}
	}
	if r := sqlcode.Read("sql", s.Text); r.Level > least && (r.Level >= tcpdb.Critical || least != tcpdb.Medium) {
		least = r.Level
	}
	op.raise(least)
}

// slots holds the places of a statement against the parameters. Where none is
// declared they are those of the statement, and are needed.
func (d *decoder) slots(o *object, op *Operation, s *statement.Statement) {
	names := s.Names()
	if len(op.Parameters) == 0 {
		for _, name := range names {
			p := &Parameter{Name: name, Required: true, found: true}
			if name == "limit" || name == "offset" {
				p.Type = "integer"
			}
			if !validParameterName(name) {
				o.errorf("query", ":%s: want lower-case letters, digits and _, beginning with a letter", name)
			}
			op.Parameters = append(op.Parameters, p)
		}
		return
	}
	used := map[string]bool{}
	for _, slot := range s.Slots {
		switch {
		case slot.Name != "":
			if op.Param(slot.Name) == nil {
				o.errorf("query", ":%s is not among the parameters", slot.Name)
			}
			used[slot.Name] = true
		case slot.Number > len(op.Parameters):
			o.errorf("query", "the place %d for a value has no parameter: %d are declared", slot.Number, len(op.Parameters))
		default:
			used[op.Parameters[slot.Number-1].Name] = true
		}
	}
	for i, p := range op.Parameters {
		if p.Name != "" && !used[p.Name] {
			o.errorf("parameters", "parameters[%d] %q does not stand in the query", i, p.Name)
		}
	}
}

// request reads what an operation of surface api sends, as far as its effect and
// level depend on it.
func (d *decoder) request(o *object, op *Operation, method, path string) {
	if method == "" || path == "" {
		o.errorf("method", "an operation of surface api needs a method and a path")
		return
	}
	least := tcpdb.High
	switch method {
	case "GET", "HEAD", "OPTIONS":
		least = tcpdb.Low
		if op.Effect == "" {
			op.Effect = "network"
		}
	case "DELETE":
		if op.Effect == "" {
			op.Effect = "network-write + destructive"
		}
	default:
		if op.Effect == "" {
			op.Effect = "network-write"
		}
		if level, err := tcpdb.ParseLevel(op.Risk); err == nil && level == tcpdb.Medium {
			least = tcpdb.Medium
		}
	}
	op.raise(least)
}

// raise sets the risk to a level unless it is that or higher.
func (op *Operation) raise(least tcpdb.Level) {
	if level, err := tcpdb.ParseLevel(op.Risk); op.Risk != "" && (err != nil || level >= least) {
		return
	}
	op.Risk = strings.ToLower(strings.TrimSuffix(least.String(), "_RISK"))
}

// recordText is the record of an operation as the compiled map keeps it, "" for one
// that has none.
func (op *Operation) recordText(file string) json.RawMessage {
	switch op.Surface {
	case surface.SQL:
		r := op.sql
		r.File, r.Line = file, op.queryLine
		data, err := json.Marshal(r)
		if err != nil {
			return nil
		}
		return data
	case surface.API:
		w := newObject()
		for _, e := range op.Extra {
			switch v, problem := readJSON("", e.Value); {
			case problem != nil:
			case e.Name == surface.API && v.kind == objectKind:
				w.v.members = append(w.v.members, v.members...)
			case slices.Contains(recordFields[surface.API], e.Name):
				w.add(e.Name, v)
			}
		}
		if p := op.OutputPolicy; p != nil {
			for _, e := range p.Extra {
				if v, problem := readJSON("", e.Value); problem == nil && e.Name == "select" && !has(w.v, e.Name) {
					w.add(e.Name, v)
				}
			}
		}
		return w.v.append(nil)
	}
	return nil
}

// Belied is what the statement of an operation says that it does, by its words, where
// its effect says that it only reads; "" for one that is as it says.
func (op *Operation) Belied() string {
	if op.Surface == surface.SQL && op.Effect == "read-only" {
		return op.writes
	}
	return ""
}

// Sends is what an operation that is no command sends, in a line for a person who
// reviews it; "" for a command.
func (op *Operation) Sends() string {
	switch op.Surface {
	case surface.SQL:
		text := strings.Join(strings.Fields(op.sql.Query), " ")
		if op.sql.Connection != "" {
			text += "  (to " + op.sql.Connection + ")"
		}
		return text
	case surface.API:
		return string(op.recordText(""))
	}
	return ""
}

// Record is what an operation that is no command sends, as the compiled map holds it.
func (s *Source) Record(op *Operation) json.RawMessage { return op.recordText(s.File) }

// constraint reads a bound of a parameter: a number, written as one or as text.
func (o *object) constraint(name string) string {
	v := o.get(name)
	if v == nil {
		return ""
	}
	if v.kind != numberKind && v.kind != stringKind || strings.Trim(v.text, "+-.0123456789eE") != "" || v.text == "" {
		o.errorf(name, "is %s: want a number", v.kind)
		return ""
	}
	return v.text
}

// words reads a closed set of values: texts, numbers and booleans.
func (o *object) words(name string) []string {
	var out []string
	for i, v := range o.list(name) {
		switch v.kind {
		case stringKind, numberKind:
			out = append(out, v.text)
		case boolKind:
			out = append(out, fmt.Sprint(v.yes))
		case nullKind:
			continue
		default:
			o.d.errorf(v.line, fmt.Sprintf("%s[%d]", o.field(name), i), "is %s: want a word", v.kind)
			continue
		}
		if reason := badText(out[len(out)-1]); reason != "" {
			o.d.errorf(v.line, fmt.Sprintf("%s[%d]", o.field(name), i), "%s", reason)
		}
	}
	return out
}
