package runs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// picker copies the lines of a text that were asked for.
type picker struct {
	first, last int64 // lines from 1, both included; all with 1 and the greatest
	match       *regexp.Regexp
}

// newPicker reads "3-9", "3-", "-9" or "3" as the lines, and a regular
// expression as Go has them; "" for all.
func newPicker(lines, match string) (*picker, error) {
	p := &picker{first: 1, last: math.MaxInt64}
	if lines != "" {
		from, to, ranged := strings.Cut(lines, "-")
		ok := from != "" || to != ""
		number := func(s string, n *int64) {
			v, err := strconv.ParseInt(s, 10, 64)
			if *n = v; err != nil || v < 1 {
				ok = false
			}
		}
		if from != "" {
			number(from, &p.first)
		}
		switch {
		case !ranged:
			p.last = p.first
		case to != "":
			number(to, &p.last)
		}
		if !ok || p.first > p.last {
			return nil, term.Usagef("--lines: %q: want lines such as 3-9, 3-, -9 or 3, counted from 1", lines)
		}
	}
	if match != "" {
		var err error
		if p.match, err = regexp.Compile(match); err != nil {
			return nil, term.Usagef("--grep: %s", err)
		}
	}
	return p, nil
}

// longest is how much of a line is matched; a longer one is matched by its
// beginning and copied whole.
const longest = 1 << 20

// copy writes the lines as they are; with an expression each follows its
// number, "12:". No match is status 1, as grep has it.
func (p *picker) copy(w io.Writer, r io.Reader) error {
	if p.first == 1 && p.last == math.MaxInt64 && p.match == nil {
		_, err := io.Copy(w, r)
		return err
	}
	in, out := bufio.NewReaderSize(r, longest), bufio.NewWriter(w)
	found := false
	for n := int64(1); n <= p.last; n++ {
		head, err := in.ReadSlice('\n')
		if len(head) == 0 && errors.Is(err, io.EOF) {
			break
		}
		wanted := n >= p.first && (p.match == nil || p.match.Match(withoutEnd(head)))
		found = found || wanted
		if wanted && p.match != nil {
			fmt.Fprintf(out, "%d:", n)
		}
		for {
			if wanted {
				if _, e := out.Write(head); e != nil {
					return e
				}
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
			head, err = in.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if p.match != nil && !found {
		return term.ExitStatus(1)
	}
	return nil
}

// withoutEnd is a line without its end, so that "$" means the end of the line.
func withoutEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}
