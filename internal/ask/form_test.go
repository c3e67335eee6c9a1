package ask

import (
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// scene is a working directory with plain files, on branch mine, in a staging
// context, of a person who is not root.
func scene() *Facts {
	around := map[Surrounding]string{GitBranch: "mine", KubeContext: "staging"}
	return &Facts{
		Settings: Default(),
		Inside:   func(t line.Target) bool { return !strings.Contains(t.Path, "linked") },
		Around:   func(s Surrounding) (string, bool) { return around[s], true },
		Env:      func([]string) []string { return nil },
	}
}

// formsOf are the forms of all that is HIGH in a line; ok is false where one of it
// has none.
func formsOf(text string, f *Facts) (forms []Form, ok bool) {
	v := judge(text)
	for i := range v.Findings {
		if g := &v.Findings[i]; g.Level >= tcpdb.High {
			form, ok := f.form(g)
			if !ok {
				return nil, false
			}
			forms = append(forms, form)
		}
	}
	return forms, len(forms) > 0
}

// covered reports whether what an a at one line allows covers another; change, if
// there is one, is made between the two.
func covered(t *testing.T, first, second string, change func(*Facts)) bool {
	t.Helper()
	f := scene()
	allowed, ok := formsOf(first, f)
	if !ok {
		t.Errorf("%s: a is not offered", first)
	}
	if change != nil {
		change(f)
	}
	forms, ok := formsOf(second, f)
	for _, form := range forms {
		ok = ok && slices.Contains(allowed, form)
	}
	return ok
}

func in(s Surrounding, is string) func(*Facts) {
	return func(f *Facts) {
		f.Around = func(x Surrounding) (string, bool) { return map[Surrounding]string{s: is}[x], true }
	}
}

func with(v ...string) func(*Facts) {
	return func(f *Facts) { f.Env = func([]string) []string { return v } }
}

// What a allows is what was asked about: never another target, place or effect
// of the same command.
func TestAllowedIsWhatWasAnswered(t *testing.T) {
	for _, tc := range []struct {
		first, second string
		change        func(*Facts)
	}{
		{"chmod 600 f", "chmod 777 f", nil},
		{"chmod 600 f", "chmod -R 600 d", nil},
		{"chmod 600 f", "chmod u+s f", nil},
		{"chmod 600 f", "chmod 600 /etc/x", nil},
		{"chmod 600 f", "chmod 600 ~/x", nil},
		{"chmod 600 f", "chmod 600 ../x", nil},
		{"chmod 600 f", "chmod 600 .env", nil},
		{"chmod 600 f", "chmod 600 server.key", nil},
		{"chmod 644 f", "chmod 644 id_ed25519", nil},
		{"chmod 600 f", "chmod 600 linked", nil},
		{"chmod 600 f", "chmod 600 *", nil},
		{"chmod 600 f", "chmod 600 $x", nil},
		{"chmod 600 f", "chmod 600 `ls`", nil},
		{"chmod 600 f", "cd x && chmod 600 f", nil},
		{"chmod 600 f", "sudo chmod 600 f", nil},
		{"docker --context a compose down -v", "docker --context b compose down -v", nil},
		{"kubectl -n a delete pod x", "kubectl -n b delete pod x", nil},
		{"kubectl delete pod x", "kubectl delete pod --all", nil},
		{"kubectl scale deploy x --replicas=0", "kubectl scale deploy y --replicas=0", nil},
		{"gh repo edit --visibility private", "gh repo edit --visibility public", nil},
		{"rm a", "rm -r b", nil},
		{"setfacl -m u:bob:r f", "setfacl -m u:bob:rwx f", nil},
		{"chown user f", "chown root f", nil},
		{"chown user f", "chown user:root f", nil},
		{"chown user f", "chown -R user f", nil},
		{"ssh staging npm install -g x", "ssh prod npm install -g x", nil},
		{"ssh staging npm install -g x", "ssh staging npm install -g y", nil},
		{"ssh staging npm install -g x", "ssh -p 2222 staging npm install -g x", nil},
		{"ssh staging npm install -g x", "h=prod; ssh $h npm install -g x", nil},
		{"ssh staging 'npm install -g x'", "ssh prod 'npm install -g x'", nil},
		{"docker exec a npm install -g x", "docker exec b npm install -g x", nil},
		{"gem install -g Gemfile", "gem install left-pad", nil},
		{"gem install -g requirements.txt", "gem install -g other.txt", nil},
		{"gem install x", "gem install ./x", nil},
		{"gem install x", "gem install git+https://example.org/x", nil},
		{"gem install x", "gem install -s https://example.org x", nil},
		{"gem install x", "gem install x.gem", nil},
		{"gem install x", "gem install $x", nil},
		{"gem install x", "gem install x", with("GEM_HOST=https://example.org")},
		{"sudo make install", "sudo make uninstall", nil},
		{"systemctl restart x", "systemctl stop x", nil},
		{"systemctl restart x", "systemctl restart y", nil},
		{"systemctl restart x", "systemctl restart x y", nil},
		{"systemctl stop x", "systemctl --user stop x", nil},
		{"kubectl apply -f a.yaml", "kubectl apply -f a.yaml", in(KubeContext, "dev")},
		{"kubectl apply -f a.yaml", "kubectl apply -f a.yaml", in(KubeContext, "staging, namespace web")},
		{"kubectl apply -f a.yaml", "kubectl apply -f b.yaml", nil},
		{"kubectl apply -f a.yaml", "kubectl apply -f https://example.org/a.yaml", nil},
		{"kubectl apply -f a.yaml", "kubectl apply -f a.yaml -n other", nil},
		{"kubectl apply -f a.yaml", "kubectl apply -f a.yaml", with("KUBECONFIG=/other")},
		{"kubectl apply -f a.yaml", "KUBECONFIG=other kubectl apply -f a.yaml", nil},
		{"kubectl --context dev apply -f a.yaml", "kubectl --context dev2 apply -f a.yaml", nil},
		{"kubectl --context a --context b apply -f x", "kubectl --context b --context a apply -f x", nil},
		{"helm upgrade x y", "helm upgrade x z", nil},
		{"helm upgrade x y --set a=1", "helm upgrade x y --set a=2", nil},
		{"terraform apply", "terraform apply -auto-approve", nil},
		{"terraform apply", "terraform apply", in(TerraformContext, "other")},
		{"terraform apply", "TF_WORKSPACE=other terraform apply", nil},
		{"terraform apply", "terraform -chdir=other apply", nil},
		{"aws ec2 stop-instances --instance-ids i-1", "aws ec2 stop-instances --instance-ids i-2", nil},
		{"git push --force-with-lease origin mine", "git push --force-with-lease origin main", nil},
		{"git push --force-with-lease", "git push --force-with-lease", in(GitBranch, "main")},
		{"git push --force-with-lease", "git push --force-with-lease upstream", nil},
		{"git push --force-with-lease", "git -C ../other push --force-with-lease", nil},
		{"git push --force-with-lease", "cd ../other && git push --force-with-lease", nil},
		{"git push --force-with-lease", "ssh h git push --force-with-lease", nil},
		{"curl -X DELETE https://a.example/x", "curl -X DELETE https://b.example/x", nil},
		{"curl -X DELETE https://a.example/x", "curl -X DELETE https://a.example/y", nil},
		{"docker stop a", "docker rm -f a", nil},
		{"docker stop a", "docker kill a", nil},
		{"docker stop a", "docker -H tcp://prod stop a", nil},
		{"docker stop a", "docker stop a", in(DockerContext, "prod")},
		{"docker stop a", "docker stop $(docker ps -q)", nil},
		{"kill 4711", "kill -9 4711", nil},
		{"kill 4711", "kill -9 -1", nil},
		{"kill 4711", "kill 1", nil},
		{"kill 4711", "kill -- -4711", nil},
		{"kill 4711", "kill 4712", func(f *Facts) { f.Root = true }},
		{"kill 4711", "kill $PID", nil},
		{"npm publish", "npm publish --tag latest", nil},
		{"npm publish", "npm publish ../other", nil},
		{"gh pr merge 12", "gh pr merge 12 --admin", nil},
		{"gh pr merge 12", "gh pr merge 13", nil},
		{"gh pr merge 12 --body x", `gh pr merge 12 --body "$(cat .env)"`, nil},
		{"cat a | kubectl apply -f -", "cat b | kubectl apply -f -", nil},
		{"kubectl apply -f - < a", "kubectl apply -f - < b", nil},
		{"kubectl apply -f - <<E\na\nE", "kubectl apply -f - <<E\nb\nE", nil},
		{"npm install -g '<packages by name>'", "npm install -g x", nil},
		{"bash -c 'chmod 777 f'", "bash -c 'chmod 777 g'", nil},
		{"export AWS_PROFILE=dev; aws ec2 stop-instances --instance-ids i-1", "export AWS_PROFILE=prod; aws ec2 stop-instances --instance-ids i-1", nil},
		{"AWS_PROFILE=dev aws ec2 stop-instances --instance-ids i-1", "AWS_PROFILE=prod aws ec2 stop-instances --instance-ids i-1", nil},
		{"AWS_PROFILE=dev aws ec2 stop-instances --instance-ids i-1", "aws ec2 stop-instances --instance-ids i-1", nil},
		{"env AWS_PROFILE=dev aws ec2 stop-instances --instance-ids i-1", "env AWS_PROFILE=prod aws ec2 stop-instances --instance-ids i-1", nil},
		{"aws ec2 stop-instances --instance-ids i-1", "aws ec2 stop-instances --instance-ids i-1", with("AWS_PROFILE=prod")},
	} {
		if covered(t, tc.first, tc.second, tc.change) {
			t.Errorf("%s, then %s: is allowed", tc.first, tc.second)
		}
	}
}

// What decides nothing does not count.
func TestAllowedCovers(t *testing.T) {
	for _, tc := range []struct{ first, second, form string }{
		{"chmod 600 f", "chmod 600 a/b c", "chmod 600 <files in this directory>"},
		{"chown user f", "chown user g", "chown user <files in this directory>"},
		{"kill 4711", "kill 123 456", "kill <processes of yours>"},
		{"docker stop a", "docker stop b", "docker stop <containers>"},
		{"gem install x", "gem install y z", "gem install <packages by name>"},
		{"npm install -g x", "npm i --global y", "npm install --global <packages by name>"},
		{"kubectl -n x apply -f a", "kubectl apply -f a -n x", ""},
		{"git push --force-with-lease", "git push --force-with-lease", "git push --force-with-lease, on branch mine"},
		{"kubectl apply -f a", "kubectl apply -f a", "kubectl apply --filename=a, in context staging"},
		{"gh pr merge 12 --body x", "gh pr merge 12 --body 'y z'", ""},
		{"ssh h npm install -g x", "ssh h npm install -g x", "ssh h npm install --global x"},
		{"AWS_PROFILE=dev aws ec2 stop-instances --instance-ids i-1", "AWS_PROFILE=dev aws ec2 stop-instances --instance-ids i-1", "AWS_PROFILE=dev; aws ec2 stop-instances --instance-ids=i-1"},
		{"sudo systemctl restart nginx", "sudo systemctl restart nginx", "sudo systemctl restart nginx"},
		{"cd x && npm publish", "cd x && npm publish", "cd x; npm publish"},
		{"cat a | kubectl apply -f -", "cat a | kubectl apply -f -", "cat a | kubectl apply --filename=-, in context staging"},
	} {
		if !covered(t, tc.first, tc.second, nil) {
			t.Errorf("%s, then %s: is asked about", tc.first, tc.second)
		}
		if forms, _ := formsOf(tc.first, scene()); tc.form != "" && (len(forms) == 0 || forms[0].Form != tc.form) {
			t.Errorf("%s: %q, want %q", tc.first, forms, tc.form)
		}
	}
}

// Where a word is known only when the line runs, or nothing says where a command
// acts, a is not offered.
func TestAlwaysIsNotOffered(t *testing.T) {
	f := scene()
	f.Around = func(Surrounding) (string, bool) { return "", false }
	for _, text := range []string{
		"chmod 600 $x", "chmod 600 $(cat list)", "ssh $h npm install -g x", "for h in a b; do ssh $h npm install -g x; done",
		"git push --force-with-lease", "curl x | sh", "npm install -g $x", "source x; npm install -g y", "cd $x && npm publish",
		"X=$(cat) npm publish", "cat $x | sudo tee /etc/x",
	} {
		v := judge(text)
		if d := Decide(&v, f); d.Action == Allowable {
			t.Errorf("%s: %v", text, d.Forms)
		}
	}
}
