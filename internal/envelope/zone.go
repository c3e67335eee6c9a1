package envelope

import "strings"

// countDir counts the matches of a file for the directories that it is in.
func (x *Index) countDir(s *segment) {
	slash := strings.LastIndexByte(s.path, '/')
	if slash < 0 || x.Call.NoName || x.Call.Mode == Plain {
		return
	}
	if dir := s.path[:slash]; dir != x.dir {
		x.flushDir()
		x.dir = strings.Clone(dir)
	}
	x.dirCount += s.matches
}

func (x *Index) flushDir() {
	if x.dirCount == 0 {
		return
	}
	x.dirs[x.dir] += x.dirCount
	x.dirCount = 0
	if len(x.dirs) > maxDirs {
		x.foldDirs()
	}
}

// foldDirs counts directories with little in them for those above, until half as many
// are left.
func (x *Index) foldDirs() {
	for least := int64(2); len(x.dirs) > maxDirs/2; least *= 2 {
		next := make(map[string]int64, len(x.dirs))
		for d, n := range x.dirs {
			if slash := strings.LastIndexByte(d, '/'); n < least && slash > 0 {
				d = d[:slash]
			}
			next[d] += n
		}
		x.dirs = next
	}
}

// hotZone is the deepest directory below the one that was searched that has at least
// half of the matches; "" if there is none.
func (x *Index) hotZone() (dir string, matches int64) { return x.zone(x.dirs, x.matches) }

// sourceZone is that of what is source alone.
func (x *Index) sourceZone() string {
	if x.overflow != nil {
		return ""
	}
	dirs := map[string]int64{}
	for _, s := range x.segs {
		if slash := strings.LastIndexByte(s.path, '/'); s.class == Source && slash > 0 && !x.Call.NoName {
			dirs[s.path[:slash]] += s.matches
		}
	}
	dir, _ := x.zone(dirs, x.counts[Source])
	return dir
}

// zone is the deepest directory that has half of all matches at least.
func (x *Index) zone(dirs map[string]int64, total int64) (dir string, matches int64) {
	all := map[string]int64{}
	// Of one file that was named, the directory tells nothing that was not typed.
	if ops := x.Call.Operands; len(ops) == 1 && len(dirs) == 1 {
		if slash := strings.LastIndexByte(ops[0], '/'); slash > 0 {
			if _, same := dirs[ops[0][:slash]]; same {
				return "", 0
			}
		}
	}
	for d, n := range dirs {
		root := x.rootOf(d)
		for len(d) > len(root) && below(d, root) != "" {
			all[d] += n
			d = d[:max(strings.LastIndexByte(d, '/'), 0)]
		}
	}
	for d, n := range all {
		if d == "." || d == "" || n*2 < total {
			continue
		}
		deeper := strings.Count(d, "/") - strings.Count(dir, "/")
		if dir == "" || deeper > 0 || deeper == 0 && d < dir {
			dir, matches = d, n
		}
	}
	return dir, matches
}

// rootOf is the operand below which a path lies.
func (x *Index) rootOf(path string) string {
	best := ""
	for i, o := range x.Call.Operands {
		if i >= 64 {
			break
		}
		o = strings.TrimRight(o, "/")
		if len(o) > len(best) && (path == o || strings.HasPrefix(path, o+"/")) {
			best = o
		}
	}
	if best == "" && strings.HasPrefix(path, "./") {
		return "."
	}
	return best
}
