package te

import (
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/envelope"
)

// cat answers with the content of files. Regular files are read here; anything else,
// and what options of cat change, comes from the tool.
func (c *call) cat(k *envelope.Call, path string, formed bool) int {
	x := &envelope.CatIndex{Call: k, Limits: c.limits(k), Formed: formed}
	x.Lines = x.Limits.Preview
	for _, o := range k.Operands {
		if o != "-" {
			x.Names = append(x.Names, o)
		}
	}
	if len(x.Names) == 0 {
		x.Names = []string{""}
	}
	if !formed && !k.Wrong {
		if files, prints, ok := c.regular(k); ok {
			defer files.Close()
			return c.catFiles(k, path, x, files, prints)
		}
	}
	sp := c.newSpool()
	defer sp.close()
	e, err := c.run(path, "cat", k.Argv, c.Stdin, c.timeout(k), tee{x, sp})
	if err != nil {
		panic(err)
	}
	if e.stopped != 0 {
		return 128 + int(e.stopped)
	}
	x.Close()
	c.event.input = sp.size
	m := x.Meta()
	status := c.judge(&m, &x.Message, k, e, x.Size())
	src := sp.reader()
	var a *envelope.Answer
	if !x.Binary() {
		a = x.Whole(m, src)
	}
	if a == nil {
		c.keep(&m, sp, &stored{Call: k, Path: path, Budget: x.Limits.Budget, Meta: x.Meta(), Total: x.Total(), Size: sp.size, Chunks: chunksOf(x)})
		a = x.Preview(m)
	}
	c.print(a)
	c.complain(e)
	return status
}

func chunksOf(x *envelope.CatIndex) []envelope.Chunk {
	if x.Binary() {
		return nil
	}
	return x.Chunks()
}

// regular opens the operands if all of them are regular files that can be read.
func (c *call) regular(k *envelope.Call) (*parts, []fingerprint, bool) {
	if len(k.Operands) == 0 || len(k.Operands) > 256 {
		return nil, nil, false
	}
	p := &parts{}
	var prints []fingerprint
	for _, o := range k.Operands {
		f, err := os.OpenFile(o, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil || o == "-" {
			p.Close()
			return nil, nil, false
		}
		p.files = append(p.files, f)
		st, err := f.Stat()
		if err != nil || !st.Mode().IsRegular() || st.Size() == 0 { // files of /proc have no size
			p.Close()
			return nil, nil, false
		}
		abs := o
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(c.Dir, abs)
		}
		p.sizes = append(p.sizes, st.Size())
		prints = append(prints, fingerprintOf(abs, st))
	}
	return p, prints, true
}

func (c *call) catFiles(k *envelope.Call, path string, x *envelope.CatIndex, files *parts, prints []fingerprint) int {
	buf := make([]byte, 256<<10)
	for i, f := range files.files {
		left := files.sizes[i]
		for left > 0 {
			n, err := f.Read(buf[:min(int64(len(buf)), left)])
			_, _ = x.Write(buf[:n])
			left -= int64(n)
			if err == io.EOF {
				break
			}
			if err != nil {
				panic(err)
			}
		}
	}
	x.Close()
	c.event.input = x.Size()
	m := x.Meta()
	var a *envelope.Answer
	if !x.Binary() {
		a = x.Whole(m, files)
	}
	if a == nil {
		s := &stored{Call: k, Path: path, Budget: x.Limits.Budget, Meta: m, Total: x.Total(), Size: x.Size(), Files: prints, Chunks: chunksOf(x)}
		handle, err := c.save(s)
		m.Handle, m.NotStored, c.event.handle = handle, err != nil, err == nil
		if err == nil {
			m.Chunks = int64(len(s.Chunks))
		}
		a = x.Preview(m)
	}
	c.print(a)
	return 0
}
