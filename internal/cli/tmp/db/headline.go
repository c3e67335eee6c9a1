package db

import "fmt"

// beside is a figure of the specification and the same one of this machine.
type beside struct {
	Name string `json:"name"`
	Spec string `json:"specification"`
	Here string `json:"here"`
}

// beside sets the headline of seed 001 (§1.1, §4, §5) against what count found.
// Where members of a family collide with unequal risk, the records stored in
// full are counted, which the specification does not do.
func (h *headline) beside(families []familyStat) []beside {
	var git, all familyStat
	for _, f := range families {
		all.Members += f.Members
		all.Flat += f.Flat
		all.Six += f.Six
		all.Copies += f.Copies
		if f.Tool == "git" {
			git = f
		}
	}
	return []beside{
		{"documentation to record", "362:1", fmt.Sprintf("%.0f:1, %d pages", h.RatioManual, h.ManualPages)},
		{"commands on PATH", "709 in 17016 bytes", fmt.Sprintf("%d of %d in %d bytes", h.PathKnown, h.PathCommands, 24*h.PathKnown)},
		{"their documentation", "236 MB, 13669:1", fmt.Sprintf("%.1f MB, %.0f:1", float64(h.PathManual)/1e6, ratio(h.PathManual, int64(24*h.PathKnown)))},
		{"git", "164: 3936 to 1164, 3.4:1", compression(git)},
		{"all families", "184: 4416 to 1524, 2.9:1", compression(all)},
		{"overview, a parent a family", "under 2 KB", fmt.Sprintf("%d in %d bytes", len(families), 16*len(families))},
	}
}

// compression writes what a family takes up in 24-byte records and in v3 form.
func compression(f familyStat) string {
	if f.Members == 0 {
		return "none"
	}
	whole := f.Six + 24*f.Copies
	return fmt.Sprintf("%d: %d to %d, %.1f:1 (%d in full too)", f.Members, f.Flat, whole, ratio(f.Flat, whole), f.Copies)
}
