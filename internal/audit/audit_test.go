package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func core() *tcpdb.View { return tcpdb.NewView(tcpdb.Core()) }

func TestMask(t *testing.T) {
	for _, tc := range []struct{ line, want string }{
		{"ls -la", "ls -la"},
		{"rm -rf 'a b' ; git push", "rm -rf 'a b' ; git push"},
		{"mysql -u root -phunter2 db", "mysql -u root -p*** db"},
		{"mysql -p db", "mysql -p db"},
		{"sudo mysqldump -p'hunter 2' db", "sudo mysqldump -p'***' db"},
		{"ssh -p2222 host", "ssh -p2222 host"},
		{"mkdir -p a", "mkdir -p a"},
		{"tool --password hunter2 x", "tool --password *** x"},
		{"tool --password=hunter2 x", "tool --password=*** x"},
		{"tool --db-password='hun ter2' x", "tool --db-password='***' x"},
		{"tool --api-key \"abc\"; ls", "tool --api-key \"***\"; ls"},
		{"docker login --password-stdin x", "docker login --password-stdin x"},
		{"PGPASSWORD=x psql", "PGPASSWORD=*** psql"},
		{"export AWS_SECRET_ACCESS_KEY=abc/def+x", "export AWS_SECRET_ACCESS_KEY=***"},
		{"AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE aws s3 rb s3://x", "AWS_ACCESS_KEY_ID=*** aws s3 rb s3://x"},
		{"aws configure set x AKIAIOSFODNN7EXAMPLE", "aws configure set x ***"},
		{"GITHUB_TOKEN='a b' gh api x", "GITHUB_TOKEN='***' gh api x"},
		{"PATH=/bin ls", "PATH=/bin ls"},
		{"sort --key 2 x", "sort --key *** x"}, // rather too much
		{"git clone https://me:hunter2@example.org/x", "git clone https://me:***@example.org/x"},
		{"git push https://ghp_0123456789012345678901234567890123456@github.com/x", "git push https://***@github.com/x"},
		{"git clone https://0123456789abcdef0123456789abcdef@example.org/x", "git clone https://***@example.org/x"},
		{"curl https://example.org/@x", "curl https://example.org/@x"},
		{"curl -u me:hunter2 x", "curl -u *** x"},
		{"curl -ume:hunter2 x", "curl -u*** x"},
		{"curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: ***' x"},
		{"curl -H \"X-Api-Key: abc\" x", "curl -H \"X-Api-Key: ***\" x"},
		{`curl -d '{"user":"me","password":"hunter2"}' x`, `curl -d '{"user":"me","password":"***"}' x`},
		{"curl 'https://x/?token=abc&y=1'", "curl 'https://x/?token=***&y=1'"},
		{"sshpass -p hunter2 ssh h", "sshpass -p *** ssh h"},
		{"docker login -u me -p hunter2", "docker login -u me -p ***"},
		{"docker run -p 80:80 x", "docker run -p 80:80 x"},
		{"podman login -u me -phunter2 quay.io", "podman login -u me -p*** quay.io"},
		{"sudo -u postgres docker login -p hunter2", "sudo -u postgres docker login -p ***"},
		{"te run -- sshpass -p hunter2 ssh h", "te run -- sshpass -p *** ssh h"},
		{"te grep -p hunter2 x", "te grep -p hunter2 x"},
		{"curl --user me:hunter2 x", "curl --user *** x"},
		{"mysqladmin -phunter2 status", "mysqladmin -p*** status"},
		{"unzip -Phunter2 a.zip", "unzip -P*** a.zip"},
		{"echo hunter2 | sudo cryptsetup open /dev/sdb x", "echo *** | sudo cryptsetup open /dev/sdb x"},
		{"redis-cli -a hunter2 FLUSHALL", "redis-cli -a *** FLUSHALL"},
		{"echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghij", "echo ***"},
		{"a && MY_TOKEN=b c", "a && MY_TOKEN=*** c"},
		{"git commit -m 'fix the token parser'", "git commit -m 'fix the token parser'"},
		{"cat password.txt", "cat password.txt"},
		{"echo hunter2 | sudo -S rm x", "echo *** | sudo -S rm x"},
		{"printf '%s\\n' hunter2 | sudo -u root -kS ls", "printf '***' *** | sudo -u root -kS ls"},
		{"echo hunter2 | sudo tee x", "echo hunter2 | sudo tee x"},
		{"echo 'bob:hunter2' | chpasswd", "echo '***' | chpasswd"},
		{"echo -n hunter2 | docker login --password-stdin", "echo -n *** | docker login --password-stdin"},
		{"gh auth login --with-token <<< hunter2", "gh auth login --with-token <<< ***"},
		{"sudo -S rm x <<<hunter2", "sudo -S rm x <<<***"},
		{"cat <<< hello", "cat <<< hello"},
		{"openssl enc -k hunter2 -in x", "openssl enc -k *** -in x"},
		{"openssl rsa -passin pass:hunter2", "openssl rsa -passin ***"},
		{"zip -P hunter2 a.zip b", "zip -P *** a.zip b"},
		{"ldapsearch -x -w hunter2 -b dc=x", "ldapsearch -x -w *** -b dc=x"},
		{"useradd -p hunter2 bob", "useradd -p *** bob"},
		{"htpasswd -b f u hunter2", "htpasswd -b f u ***"},
		{"wpa_passphrase home hunter2; ls a b c", "wpa_passphrase home ***; ls a b c"},
		{"aws configure set aws_secret_access_key hunter2", "aws configure set aws_secret_access_key ***"},
		{"git config github.token hunter2", "git config github.token ***"},
		{"nmcli dev wifi connect home password hunter2", "nmcli dev wifi connect home password ***"},
		{"git add token.go secret", "git add token.go secret"},
		{"gh secret delete X", "gh secret delete X"},
		{"aws secretsmanager delete-secret --secret-id x", "aws secretsmanager delete-secret --secret-id ***"},
		{"passwd bob", "passwd bob"},
		{"curl -b session=hunter2 x", "curl -b *** x"},
		{"xfreerdp /u:me /p:hunter2 /v:h", "xfreerdp /u:me /p:*** /v:h"},
		{"curl https://hooks.slack.com/services/T0/B0/hunter2 -d x", "curl https://hooks.slack.com/services/*** -d x"},
		{"curl 'https://x/live?a=b&key=hunter2&c=d'", "curl 'https://x/live?a=b&key=***&c=d'"},
		{"curl 'https://x/?q=a&b=c'", "curl 'https://x/?q=a&b=c'"},
		{"echo '-----BEGIN PRIVATE KEY-----MII\nEvg\n-----END PRIVATE KEY-----' >f", "echo '-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----' >f"},
		{"echo -----BEGIN RSA PRIVATE KEY-----MIIEvg", "echo -----BEGIN RSA PRIVATE KEY-----***"},
		{"sh -c 'curl -u me:hunter2 x | sh'", "sh -c 'curl -u *** x | sh'"},
		{`ssh h "sudo sshpass -p hunter2 ssh k 'x'" y`, `ssh h "sudo sshpass -p *** ssh k 'x'" y`},
		{"git commit -m 'curl -o x'", "git commit -m 'curl -o x'"},
		{"", ""},
		{"'open --password x", "'open --password x"},
	} {
		if got := Mask(tc.line, core()); got != tc.want {
			t.Errorf("%q:\n got %q\nwant %q", tc.line, got, tc.want)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("mysql -pX 'a --password=b https://u:p@h/ {\"token\":\"x\"}")
	f.Fuzz(func(t *testing.T, s string) {
		if s = s[:min(len(s), maxLine)]; len(Mask(s, nil)) > 4*len(s)+16 {
			t.Error("grows")
		}
		if got := Mask("PASSWORD=hunter2 "+s, nil); strings.Contains(got, "hunter2") && !strings.Contains(s, "hunter2") {
			t.Errorf("%q", got)
		}
	})
}

func read(t *testing.T, state string) (all []Entry, bad int) {
	t.Helper()
	bad, err := Read(state, func(e Entry) { all = append(all, e) })
	if err != nil {
		t.Fatal(err)
	}
	return all, bad
}

func TestRoundTrip(t *testing.T) {
	state := filepath.Join(t.TempDir(), "a", "b")
	when := time.Date(2030, 1, 2, 3, 4, 5, 678e6, time.UTC)
	line := "rm \"x\" \\ \n\t\x01\xff é"
	r := Record{Time: when, Via: "enter", Answer: Refused, Reason: "r", Level: "CRITICAL", Flags: []string{"A", "B"}, Rules: []string{"rm"}, Loss: "content", Reach: "own", Shell: "zsh", Dir: "/d", Line: line, Agent: "g"}
	if err := Append(state, r); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(File(state))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st, err)
	}
	if st, err = os.Stat(state); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", st, err)
	}
	all, bad := read(t, state)
	want := Entry{V: 1, Time: when, Via: "enter", Answer: Refused, Reason: "r", Level: "CRITICAL", Flags: []string{"A", "B"}, Rules: []string{"rm"}, Loss: "content", Reach: "own", Shell: "zsh", Dir: "/d", Line: "rm \"x\" \\ \n\t\x01\ufffd é", Agent: "g"}
	if len(all) != 1 || bad != 0 || fmt.Sprint(all[0]) != fmt.Sprint(want) {
		t.Errorf("%d bad\n got %+v\nwant %+v", bad, all, want)
	}
}

// Several processes write at once, more than one log holds: every line is
// there and whole, and the whole is bounded.
func TestRotation(t *testing.T) {
	state := t.TempDir()
	long := strings.Repeat("x", 3000)
	var wg sync.WaitGroup
	for p := range 4 {
		wg.Go(func() {
			for i := range 150 {
				if err := Append(state, Record{Time: time.Now(), Answer: Allowed, Level: "HIGH_RISK", Line: fmt.Sprint(p, " ", i, " ", long)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	all, bad := read(t, state)
	if len(all) != 600 || bad != 0 {
		t.Errorf("%d entries, %d bad", len(all), bad)
	}
	for range 3000 {
		if err := Append(state, Record{Time: time.Now(), Answer: Allowed, Line: long}); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(state, "*"))
	var size int64
	for _, f := range files {
		st, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		size += st.Size()
	}
	if len(files) != maxKept+1 || size > (maxKept+1)*maxSize {
		t.Errorf("%d files, %d bytes", len(files), size)
	}
}

func TestTornAndForeign(t *testing.T) {
	state := t.TempDir()
	if err := os.WriteFile(File(state), []byte("{\"v\":1,\"time\":\"2030-01-01T00:00:00Z\",\"line\":\"a\"}\n{\"v\":1,\"ti"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Append(state, Record{Time: time.Now(), Line: "b"}); err != nil {
		t.Fatal(err)
	}
	all, bad := read(t, state)
	if len(all) != 2 || all[0].Line != "a" || all[1].Line != "b" || bad != 1 {
		t.Errorf("%+v %d", all, bad)
	}
	// A link in its place is not followed.
	state = t.TempDir()
	if err := os.Symlink("/dev/null", File(state)); err != nil {
		t.Fatal(err)
	}
	if err := Append(state, Record{}); err == nil {
		t.Error("wrote through a link")
	}
	if err := Append("", Record{}); err == nil {
		t.Error("wrote nowhere")
	}
}
