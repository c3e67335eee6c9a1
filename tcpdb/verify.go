package tcpdb

import (
	"errors"
	"fmt"
)

// Verify reads a whole image and returns everything that is wrong with it: the
// digest of the header, every bucket, head and block, every reference, the
// checksum of every descriptor, and that what the risk index holds is what the
// entry says.
func Verify(im *Image) []error {
	if im.err != nil {
		return []error{im.err}
	}
	c := &checker{im: im}
	c.digest()
	for t := toolTable; t < tableCount; t++ {
		c.index(t)
	}
	c.tools()
	c.risks()
	c.rest()
	return c.errs
}

// checker collects what Verify finds.
type checker struct {
	im   *Image
	errs []error
}

func (c *checker) add(err error) {
	if err != nil {
		c.errs = append(c.errs, err)
	}
}

func (c *checker) digest() {
	var h sha256Hash
	var buf [1 << 15]byte
	for off := headerSize; off < len(c.im.data); {
		part := buf[:min(len(buf), len(c.im.data)-off)]
		if err := c.im.copyOut(part, off); err != nil {
			c.add(err)
			return
		}
		h.write(part)
		off += len(part)
	}
	if digest := c.im.Digest(); h.sum() != digest {
		c.add(corrupt("the digest of the header is not that of the contents"))
	}
}

// index checks every bucket, and that every key of a table is found.
func (c *checker) index(t tableID) {
	x := c.im.section(t, indexPart)
	for at := x.off; at < x.off+x.len; at += bucketSize {
		if err := c.bucket(at); err != nil {
			c.add(err)
			return // one is enough: after a truncation all are bad
		}
	}
	before := ""
	c.add(c.im.eachHead(t, func(key string, h head) bool {
		found, ok, err := c.im.find(t, key)
		if err == nil && (!ok || found != h) {
			err = corrupt("key %q is not found through the index", key)
		}
		if err == nil && key <= before {
			err = corrupt("key %q is not in order", key)
		}
		before = key
		c.add(err)
		return err == nil
	}))
}

func (c *checker) bucket(at int) (err error) {
	var buf [bucketSize]byte
	if err := c.im.copyOut(buf[:], at); err != nil {
		return err
	}
	return checkBucket(&buf, at)
}

func (c *checker) tools() {
	seen := map[uint32]bool{}
	var walk func(ref uint32) error
	walk = func(ref uint32) error {
		if seen[ref] {
			return nil
		}
		seen[ref] = true
		n, err := c.im.decodeNode(CoreLayer, ref)
		if err != nil {
			return err
		}
		for _, s := range n.AllSubs() {
			if err := walk(s.refs[CoreLayer]); err != nil {
				return fmt.Errorf("%s: %w", s.Path, err)
			}
		}
		return nil
	}
	c.add(c.im.eachHead(toolTable, func(key string, h head) bool {
		if err := walk(h.ref); err != nil {
			c.add(fmt.Errorf("tool %s: %w", key, err))
		}
		return true
	}))
}

func (c *checker) risks() {
	c.add(c.im.eachHead(riskTable, func(key string, h head) bool {
		r, err := c.im.riskAt(CoreLayer, key, h.ref)
		if err != nil {
			c.add(err)
			return true
		}
		if r.base == nil != (h.flags&baseHead == 0) {
			c.add(corrupt("index and entry of %q disagree", key))
		}
		if r.base == nil {
			return true
		}
		d, err := DecodeDescriptor(h.extra[:])
		switch {
		case err != nil:
			c.add(fmt.Errorf("descriptor of %q: %w", key, err))
		case d != r.base.Descriptor || d.Hash != keyHash(key):
			c.add(corrupt("the descriptor of %q is not that of its entry", key))
		}
		return true
	}))
}

func (c *checker) rest() {
	_, err := c.im.readSources()
	_, opErr := c.im.operations(CoreLayer)
	c.add(errors.Join(err, opErr))
	c.add(c.im.eachHead(intentTable, func(key string, _ head) bool {
		_, err := c.im.intent(key)
		c.add(err)
		return true
	}))
	c.add(c.im.eachHead(detailTable, func(key string, _ head) bool {
		_, _, err := c.im.detail(key)
		c.add(err)
		return true
	}))
	c.add(c.im.eachHead(familyTable, func(key string, _ head) bool {
		_, err := c.im.Family(key)
		c.add(err)
		return true
	}))
}
