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

func TestSettleNamesTheTask(t *testing.T) {
	got := settle("role deploy", []string{"npm run deploy:staging", "npm run deploy:production"})
	if want := "tmp project prefer role.deploy npm:deploy:staging"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
