package db

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type statOptions struct{ json bool }

// NewStat is tmp db stat.
func NewStat(env *term.Env, f *command.Flags) command.Run {
	var o statOptions
	f.Bool("json", &o.json)
	return func(command.Input) error { return o.run(env) }
}

// layerStat is one map in numbers.
type layerStat struct {
	Layer      string         `json:"layer"`
	File       string         `json:"file,omitempty"`
	Bytes      int            `json:"bytes"`
	Tools      int            `json:"tools"`
	Nodes      int            `json:"nodes"`
	Flags      int            `json:"flags"`
	Args       int            `json:"args"`
	Entries    int            `json:"entries"`
	Levels     map[string]int `json:"levels"`
	Variants   int            `json:"variants"`
	Operations int            `json:"operations"`
	Intents    int            `json:"intents"`
	Sources    int            `json:"sources"`
	Tables     []tableStat    `json:"tables"`
	Families   []familyStat   `json:"families"`
}

type tableStat struct {
	Name   string `json:"name"`
	Keys   int    `json:"keys"`
	Index  int    `json:"index"`
	Heads  int    `json:"heads"`
	Bodies int    `json:"bodies"`
}

// familyStat compares the ways to store a family; the ratio counts 6-byte
// deltas and the copies in full.
type familyStat struct {
	Tool    string  `json:"tool"`
	Members int     `json:"members"`
	Flat    int     `json:"flat"`
	Six     int     `json:"delta6"`
	Seven   int     `json:"delta7"`
	Copies  int     `json:"copies"`
	Ratio   float64 `json:"ratio"`
}

type scaleStat struct {
	Commands int `json:"commands"`
	Flat     int `json:"flat"`
	Seed     int `json:"seed"`
	Six      int `json:"delta6"`
	Seven    int `json:"delta7"`
}

// headline are the figures of the specification's summary, and ours.
type headline struct {
	PathCommands int   `json:"path_commands"` // names on PATH that can be executed
	PathKnown    int   `json:"path_known"`    // of these, those that a map has a descriptor for
	Descriptors  int   `json:"descriptors"`
	FlatBytes    int   `json:"flat_bytes"`        // 24 bytes each
	HierBytes    int   `json:"hier_bytes"`        // families compressed, copies counted, the rest 24 bytes each
	Copies       int   `json:"copies"`            // members that collide with unequal risk: stored in full too
	MapBytes     int   `json:"map_bytes"`         // what the maps take up with everything in them
	PathManual   int64 `json:"path_manual_bytes"` // manual pages of the known commands on PATH, uncompressed
	// Manual pages of commands with a descriptor, uncompressed; a page is
	// counted once.
	ManualPages int   `json:"manual_pages"`
	ManualBytes int64 `json:"manual_bytes"`
	// RatioManual compares them with the 24-byte records of the same commands.
	RatioManual float64 `json:"ratio_manual"`
	// RatioMaps compares them with all bytes of the maps: what it really takes
	// to know these commands.
	RatioMaps float64 `json:"ratio_maps"`
}

type dbStat struct {
	V         int         `json:"v"`
	Layers    []layerStat `json:"layers"`
	AppendixB []scaleStat `json:"appendix_b"`
	Headline  headline    `json:"headline"`
	Beside    []beside    `json:"beside"` // the headline of the specification and ours, line by line
}

func (o *statOptions) run(env *term.Env) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	stat := dbStat{V: 1, Layers: []layerStat{}}
	for _, l := range tcpdb.Layers() {
		im, file := w.View.Image(l)
		if im == nil {
			continue
		}
		s, err := tcpdb.Stats(im)
		if err != nil {
			env.Notice("%s: %s", l, err)
			continue
		}
		stat.Layers = append(stat.Layers, layerNumbers(l, file, s))
		stat.Headline.MapBytes += s.Bytes
	}
	for _, r := range tcpdb.AppendixB() {
		stat.AppendixB = append(stat.AppendixB, scaleStat{r.Commands, r.Flat, r.Seed, r.Six, r.Seven})
	}
	families := stat.Headline.count(w.View, env.Getenv)
	stat.Beside = stat.Headline.beside(families)
	if o.json {
		return env.PrintJSON(stat)
	}
	stat.print(env.Stdout)
	return nil
}

func layerNumbers(l tcpdb.Layer, file string, s tcpdb.Stat) layerStat {
	x := layerStat{
		Layer: l.String(), File: file, Bytes: s.Bytes, Tools: s.Tools, Nodes: s.Nodes, Flags: s.Flags, Args: s.Args,
		Entries: s.Entries, Levels: map[string]int{}, Variants: s.Variants, Operations: s.Operations,
		Intents: s.Intents, Sources: s.Sources, Tables: []tableStat{}, Families: []familyStat{},
	}
	for level, n := range s.Levels {
		if n > 0 {
			x.Levels[tcpdb.Level(level).String()] = n
		}
	}
	for _, t := range s.Tables {
		x.Tables = append(x.Tables, tableStat{t.Name, t.Keys, t.Index, t.Heads, t.Bodies})
	}
	for _, f := range s.Families {
		x.Families = append(x.Families, familyStat{f.Tool, f.Members, f.Flat, f.Six, f.Seven, f.Copies, ratio(f.Flat, f.Six+24*f.Copies)})
	}
	return x
}

func ratio[T int | int64](a, b T) float64 {
	if b == 0 {
		return 0
	}
	return float64(int64(float64(a)/float64(b)*10+0.5)) / 10
}

// count fills in the figures of this machine and returns the families that
// compress.
func (h *headline) count(v *tcpdb.View, getenv func(string) string) []familyStat {
	pages := manualPages(getenv("MANPATH"))
	counted := map[string]bool{}
	described := 0
	families := map[string][]tcpdb.Member{}
	known := map[string]bool{}
	for _, key := range v.Keys() {
		d, ok := v.Lookup(key)
		if !ok {
			continue
		}
		h.Descriptors++
		tool, sub, isSub := strings.Cut(key, " ")
		known[key] = true
		if isSub {
			families[tool] = append(families[tool], tcpdb.Member{Name: sub, Descriptor: d})
		} else {
			h.HierBytes += 24
		}
		page := strings.ReplaceAll(key, " ", "-")
		if size, ok := pages[page]; ok && !counted[page] {
			counted[page] = true
			described++
			h.ManualPages++
			h.ManualBytes += size
		}
	}
	var compressed []familyStat
	for tool, members := range families {
		all := len(members)
		members = tcpdb.FirstMembers(members)
		h.HierBytes += 24 * (all - len(members))
		kind := uint16(0)
		if n := v.Root(tool); n != nil {
			kind = tcpdb.FamilyKind(n.Class)
		}
		f, err := tcpdb.BuildFamily(tool, kind, members, 6)
		if err != nil || len(members) < 2 || f.Bytes() >= 24*len(members) {
			h.HierBytes += 24 * len(members)
			continue
		}
		h.HierBytes += f.Bytes()
		h.Copies += len(f.Exact)
		compressed = append(compressed, familyStat{
			Tool: tool, Members: len(members), Flat: 24 * len(members), Six: f.Bytes() - 24*len(f.Exact),
			Copies: len(f.Exact), Ratio: ratio(24*len(members), f.Bytes()),
		})
	}
	for name := range pathCommands(getenv("PATH")) {
		h.PathCommands++
		if known[name] {
			h.PathKnown++
			h.PathManual += pages[name]
		}
	}
	h.FlatBytes = 24 * h.Descriptors
	h.RatioManual = ratio(h.ManualBytes, int64(24*described))
	h.RatioMaps = ratio(h.ManualBytes, int64(h.MapBytes))
	return compressed
}

// pathCommands returns the names on PATH that can be executed.
func pathCommands(path string) map[string]bool {
	names := map[string]bool{}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if names[e.Name()] {
				continue
			}
			st, err := os.Stat(filepath.Join(dir, e.Name()))
			if err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
				names[e.Name()] = true
			}
		}
	}
	return names
}

// manualPages returns the sizes, uncompressed, of the pages of sections 1, 6 and
// 8, by their names without section.
func manualPages(manpath string) map[string]int64 {
	dirs := filepath.SplitList(manpath)
	if len(dirs) == 0 {
		dirs = []string{"/usr/local/share/man", "/usr/share/man", "/opt/homebrew/share/man"}
	}
	pages := map[string]int64{}
	for _, dir := range dirs {
		for _, section := range []string{"man1", "man6", "man8"} {
			entries, err := os.ReadDir(filepath.Join(dir, section))
			if err != nil {
				continue
			}
			for _, e := range entries {
				name := e.Name()
				page := strings.TrimSuffix(name, ".gz")
				page = strings.TrimSuffix(page, filepath.Ext(page))
				if _, ok := pages[page]; !ok {
					pages[page] = pageSize(filepath.Join(dir, section, name))
				}
			}
		}
	}
	return pages
}

// pageSize is the size of a manual page; of a compressed one what the trailer of
// gzip says (RFC 1952 §2.3.1).
func pageSize(path string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !strings.HasSuffix(path, ".gz") || st.Size() < 4 {
		if err != nil {
			return 0
		}
		return st.Size()
	}
	var b [4]byte
	if _, err := f.ReadAt(b[:], st.Size()-4); err != nil {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(b[:]))
}

func (s *dbStat) print(w io.Writer) {
	for _, l := range s.Layers {
		fmt.Fprintln(w, strings.TrimSpace(l.Layer+" "+term.OneLine(l.File)))
		fmt.Fprintf(w, "  %d bytes: %s, %s, %s, %s\n", l.Bytes, screen.Count(l.Tools, "tool"), screen.Count(l.Nodes, "command"), screen.Count(l.Flags, "option"), screen.Count(l.Args, "argument"))
		fmt.Fprintf(w, "  %s (%s), %s, %s, %s\n", screen.Count(l.Entries, "descriptor"), levels(l.Levels), screen.Count(l.Variants, "variant"), screen.Count(l.Operations, "operation"), screen.Count(l.Intents, "intent"))
		for _, t := range l.Tables {
			if t.Index+t.Heads+t.Bodies > 0 {
				fmt.Fprintf(w, "  %-10s %6d keys %8d index %8d heads %8d bodies\n", t.Name, t.Keys, t.Index, t.Heads, t.Bodies)
			}
		}
	}
	s.printFamilies(w)
	fmt.Fprintf(w, "\nfamilies by size, bytes (specification, appendix B)\n")
	fmt.Fprintf(w, "  %8s %8s %8s %8s %8s %10s %10s\n", "commands", "24-byte", "spec", "6-byte", "7-byte", "ratio 6", "ratio 7")
	for _, r := range s.AppendixB {
		fmt.Fprintf(w, "  %8d %8d %8d %8d %8d %8.1f:1 %8.1f:1\n", r.Commands, r.Flat, r.Seed, r.Six, r.Seven, ratio(r.Flat, r.Six), ratio(r.Flat, r.Seven))
	}
	h := s.Headline
	fmt.Fprintf(w, "\nthis machine\n")
	fmt.Fprintf(w, "  %d commands on PATH, %d with a descriptor\n", h.PathCommands, h.PathKnown)
	fmt.Fprintf(w, "  %d descriptors: %d bytes at 24 each, %d with families\n", h.Descriptors, h.FlatBytes, h.HierBytes)
	fmt.Fprintf(w, "  %d of them have a manual page, %d bytes: %.1f:1 to their records, %.1f:1 to all bytes of the maps\n", h.ManualPages, h.ManualBytes, h.RatioManual, h.RatioMaps)
	fmt.Fprintf(w, "\n  %-34s %-30s %s\n", "headline", "specification", "this machine")
	for _, b := range s.Beside {
		fmt.Fprintf(w, "  %-34s %-30s %s\n", b.Name, b.Spec, b.Here)
	}
}

func (s *dbStat) printFamilies(w io.Writer) {
	title := false
	for _, l := range s.Layers {
		for _, f := range l.Families {
			if !title {
				fmt.Fprintf(w, "\nfamilies, bytes\n  %-16s %8s %8s %8s %8s %12s %8s\n", "tool", "members", "24-byte", "6-byte", "7-byte", "in full too", "ratio 6")
				title = true
			}
			fmt.Fprintf(w, "  %-16s %8d %8d %8d %8d %12d %6.1f:1\n", term.OneLine(f.Tool), f.Members, f.Flat, f.Six, f.Seven, f.Copies, f.Ratio)
		}
	}
}

// levels writes counts by level, lowest first.
func levels(counts map[string]int) string {
	var parts []string
	for l := tcpdb.Unknown; l <= tcpdb.Critical; l++ {
		if n := counts[l.String()]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, l))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
