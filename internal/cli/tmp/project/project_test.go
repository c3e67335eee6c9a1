package project

import "testing"

func TestMoreCounts(t *testing.T) {
	for n, want := range map[int]string{
		1: "1 more task by its name: tmp project --json lists it",
		2: "2 more tasks by their names: tmp project --json lists them",
	} {
		if got := more(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
