package shape

import (
	"strings"
	"testing"
)

func TestInteractive(t *testing.T) {
	for line, want := range map[string]bool{
		"vim x": true, "less x": true, "sudo vim /etc/hosts": true, "/usr/bin/top": true, "top -b": false, "man ls": true,
		"git commit": true, "git commit -m x": false, "git commit -am x": false, "git commit --amend": true, "git commit --amend --no-edit": false,
		"git rebase -i HEAD~2": true, "git rebase main": false, "git log": false,
		"python3": true, "python3 x.py": false, "python3 -c 1": false, "bash": true, "bash -c ls": false, "sh ./x": false,
		"docker run -it alpine": true, "docker run alpine": false, "kubectl exec -i -t p -- sh": true, "kubectl exec p -- ls": false, "kubectl edit deploy x": true,
		"ssh host": true, "ssh host ls": false, "psql db": true, "psql -c x db": false, "crontab -e": true, "crontab -l": false, "ls": false, "true": false, "": false,
	} {
		if got := Interactive(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
