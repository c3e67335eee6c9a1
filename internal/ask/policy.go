package ask

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Stake is what is at stake with one finding, as far as the facts tell.
type Stake struct {
	Loss  tcpdb.Loss
	Reach tcpdb.Reach
	// Wide: a tree, a pattern, all rows; of an outage, that it does not come back by
	// itself: deleted, scaled to nothing, drained.
	Wide bool
	// Named stands in place of the table's answer outside production, NoAsking for none.
	Named tcpdb.Asking
	// Level is the finding's, by which is asked where nothing known is lost.
	Level tcpdb.Level
}

// losses are the rows of the table: the losses, and behind them what is wide.
const losses = int(tcpdb.Outage) + 1

const reaches = int(tcpdb.ProductionReach) + 1

// Table is the policy: what Enter does for a loss and a reach. Rows are the losses
// from none on, then content and outage that are wide; columns are the reaches.
type Table [losses + 2][reaches]Action

const (
	contentWide = losses
	outageWide  = losses + 1
)

var rowNames = [losses + 2]string{
	tcpdb.UnknownLoss: "unknown", tcpdb.NoLoss: "none", tcpdb.Rebuildable: "rebuildable", tcpdb.Recoverable: "recoverable",
	tcpdb.Content: "content", tcpdb.Exposure: "exposure", tcpdb.Outage: "outage", contentWide: "content_wide", outageWide: "outage_wide",
}

// columnNames are the reaches; the row of what is unknown has levels in their place.
var (
	columnNames = [...]string{"own", "machine", "shared", "production"}
	levelNames  = [...]string{"high", "critical"}
)

// DefaultTable is the table that holds without a configuration.
func DefaultTable() Table {
	row := func(own, machine, shared, production Action) [reaches]Action {
		return [reaches]Action{Word, own, machine, shared, production}
	}
	return Table{
		tcpdb.UnknownLoss: {Silent, Key, Word}, // by level: below HIGH, HIGH, CRITICAL
		tcpdb.NoLoss:      row(Silent, Silent, Silent, Note),
		tcpdb.Rebuildable: row(Silent, Silent, Note, Key),
		tcpdb.Recoverable: row(Note, Note, Allowable, Key),
		tcpdb.Content:     row(Key, Key, Key, Word),
		tcpdb.Exposure:    row(Key, Key, Key, Word),
		tcpdb.Outage:      row(Silent, Allowable, Allowable, Key),
		contentWide:       row(Word, Word, Word, Word),
		outageWide:        row(Silent, Allowable, Allowable, Word),
	}
}

// Of returns what Enter does about a stake: the table's cell, or the answer of a
// case that is named. It is the one function that all doors decide by.
func (t *Table) Of(s Stake) Action {
	row := int(s.Loss)
	switch {
	case s.Loss == tcpdb.NoLoss:
	case s.Named != tcpdb.NoAsking && s.Reach != tcpdb.ProductionReach:
		return Action(s.Named - 1)
	case s.Named != tcpdb.NoAsking:
		return max(Action(s.Named-1), Key)
	case s.Loss == tcpdb.UnknownLoss:
		a := t[row][min(max(int(s.Level)-int(tcpdb.Medium), 0), 2)]
		if s.Level >= tcpdb.High && s.Reach == tcpdb.ProductionReach {
			a = max(a, Key)
		}
		return a
	case s.Loss == tcpdb.Content && s.Wide:
		row = contentWide
	case s.Loss == tcpdb.Outage && s.Wide:
		row = outageWide
	}
	return t[row][s.Reach] // a reach that nobody knows is the worst
}

// cell returns where a cell is held, by the names of its row and column.
func (t *Table) cell(row, column string) *Action {
	r := slices.Index(rowNames[:], row)
	if r < 0 {
		return nil
	}
	if r == int(tcpdb.UnknownLoss) {
		if c := slices.Index(levelNames[:], column); c >= 0 {
			return &t[r][c+1]
		}
		return nil
	}
	if c := slices.Index(columnNames[:], column); c >= 0 {
		return &t[r][c+1]
	}
	return nil
}

// Cells calls visit for each cell of the table, by its key in the configuration:
// "content.own".
func (t *Table) Cells(visit func(row, column string, a Action)) {
	for r, row := range rowNames {
		columns := columnNames[:]
		if r == int(tcpdb.UnknownLoss) {
			columns = levelNames[:]
		}
		for c, column := range columns {
			visit(row, column, t[r][c+1])
		}
	}
}

// actionNames are the answers that a cell may hold.
var actionNames = []string{"silent", "note", "allowable", "key", "word"}

func parseAction(s string) (Action, bool) {
	i := slices.Index(actionNames, s)
	return Action(max(i, 0)), i >= 0
}

// production reports whether a name is that of a place of production.
func (s *Settings) production(name string) bool {
	name = strings.ToLower(name)
	fits := func(p string) bool { return matches(strings.ToLower(p), name) }
	return name != "" && slices.ContainsFunc(s.Production, fits) && !slices.ContainsFunc(s.Own, fits)
}

// own reports whether a name is that of a place that is the person's own.
func (s *Settings) own(name string) bool {
	name = strings.ToLower(name)
	fits := func(p string) bool { return matches(strings.ToLower(p), name) }
	return name != "" && (slices.ContainsFunc(s.Own, fits) || slices.ContainsFunc(localPlaces, fits))
}

// localPlaces are names of places that are on one's own machine everywhere.
var localPlaces = []string{
	"localhost", "localhost.*", "127.*", "::1", "[::1]", "0.0.0.0", "minikube", "kind-*", "k3d-*", "docker-desktop", "rancher-desktop", "colima*", "orbstack",
	"microk8s*", "default", "desktop-linux", "development", "dev", "test", "unix", "/*",
}
