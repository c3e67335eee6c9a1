package repo

import (
	"fmt"
	"testing"
	"time"
)

// TestTransferIsOrdered: of a copy that ends anywhere, each object that is there is whole.
func TestTransferIsOrdered(t *testing.T) {
	from, err := Init(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var last Hash
	var commits []Hash
	for i := range 5 {
		parents := []Hash{}
		if i > 0 {
			parents = []Hash{last}
		}
		if i == 4 { // a merge
			parents = append(parents, commits[1])
		}
		last, err = from.NewCommit(last, parents, []Change{{Path: fmt.Sprintf("a/b%d/c.ts", i), Data: []byte(fmt.Sprint(i))}}, "x", "a", time.Unix(int64(i), 0))
		if err != nil {
			t.Fatal(err)
		}
		commits = append(commits, last)
	}
	to, err := Init(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// An object that cannot be copied ends it in the middle.
	if err := transfer(from, to, commits[2]); err != nil {
		t.Fatal(err)
	}
	broken, err := from.NewCommit(last, []Hash{last}, []Change{{Path: "a/big", Data: make([]byte, largestObject+1)}}, "x", "a", time.Unix(9, 0))
	if err != nil {
		t.Fatal(err)
	}
	if err := transfer(from, to, broken); err == nil {
		t.Error("a large object was taken")
	}
	if to.has(broken) {
		t.Error("a commit is there without its tree")
	}
	for _, h := range append(commits, last) {
		if !to.has(h) {
			t.Errorf("%s is missing", h)
			continue
		}
		files, err := to.Files(h, "")
		if err != nil {
			t.Errorf("%s: %v", h, err)
		}
		for _, f := range files {
			if _, err := to.Blob(f.Hash, 100); err != nil {
				t.Errorf("%s %s: %v", h, f.Path, err)
			}
		}
	}
}
