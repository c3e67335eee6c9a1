package te

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/envelope"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

// handle answers with a part of a result, or with -i all of it.
func (c *call) handle() int {
	c.event.cmd = "handle"
	id := c.options.handle
	s, code := c.load(id)
	if code != "" {
		return c.fail("handle", code, "", statusUsage)
	}
	c.event.of = s.Meta.Cmd
	src, done, code := c.source(s)
	if code != "" {
		return c.fail("handle", code, "", statusUsage)
	}
	defer done()
	if c.options.raw {
		return c.handleRaw(s, src)
	}
	n := int64(1)
	if c.options.hasChunk {
		n = c.options.chunk
	}
	if n < 1 || n > int64(len(s.Chunks)) {
		return c.fail("handle", envelope.NoSuchChunk, fmt.Sprintf("no such chunk: there are %d", len(s.Chunks)), statusUsage)
	}
	c.event.mode = "enriched"
	m := s.Meta
	m.Cmd, m.Of, m.Handle, m.Chunk, m.Chunks = "handle", s.Meta.Cmd, id, n, int64(len(s.Chunks))
	m.Truncated = len(s.Chunks) > 1
	m.Definitions, m.Ignored, m.Binary, m.HotZone = 0, 0, 0, ""
	k := s.Chunks[n-1]
	var a *envelope.Answer
	var err error
	if s.Meta.Cmd == "cat" {
		a, err = envelope.PieceOfFile(s.Call, m, c.options.json, s.Budget, k, s.Total, src)
	} else {
		a, err = envelope.Piece(s.Call, m, c.options.json, s.Budget, k, s.Total, src, func(recs []*envelope.Record) { c.locate(s.Call, s.Path, recs) })
	}
	if err != nil {
		return c.fail("handle", envelope.DamagedHandle, "", statusUsage)
	}
	c.print(a)
	return 0
}

// handleRaw writes all of a result as lines.
func (c *call) handleRaw(s *stored, src io.ReaderAt) int {
	c.event.mode = "raw"
	w := &counting{f: c.Stdout}
	var err error
	if s.Meta.Cmd == "cat" {
		_, err = io.Copy(w, io.NewSectionReader(src, 0, s.Size))
	} else {
		err = envelope.WriteLines(s.Call, s.Chunks, src, w)
	}
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		panic(writeError{err})
	}
	return 0
}

// handles lists or removes what is kept in this session.
func (c *call) handles(args []string) int {
	if len(args) != 1 || args[0] != "list" && args[0] != "purge" {
		return c.fail("handles", envelope.Usage, "te handles list|purge", statusUsage)
	}
	c.event.mode = "enriched"
	p, ok := c.place()
	if !ok {
		return 0
	}
	if args[0] == "purge" {
		c.sayHandles(fmt.Sprintf("%d handles removed\n", c.purge(p)))
		return 0
	}
	c.sayHandles(c.listHandles(p))
	return 0
}

func (c *call) sayHandles(text string) {
	c.event.output = int64(len(text))
	c.write([]byte(text))
}

// listHandles is a line for each handle: ID, age, command, how much, parts.
func (c *call) listHandles(p runlog.Place) string {
	names, _ := p.Beside()
	out := ""
	for _, n := range names {
		if !isHandle(n) {
			continue
		}
		s, code := c.load(n)
		if code != "" {
			continue
		}
		age, _ := handleAge(n, c.Now())
		out += n + "\t" + age.Round(time.Second).String() + "\t" + s.Meta.Cmd + "\t" + strconv.FormatInt(s.Total, 10) + "\t" + strconv.Itoa(len(s.Chunks)) + "\n"
	}
	return out
}
