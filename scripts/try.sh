#!/usr/bin/env bash
# Try tmp without installing it: builds the programs, compiles the map and the
# descriptors of this machine under a throwaway home, makes a small project and
# shows what Tab and Enter would answer there. Needs git, and Go but in a release.
#
#   bash scripts/try.sh                 print answers
#   bash scripts/try.sh --shell zsh     start bash, zsh or fish with the hook loaded
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
	sed -n '2,7s/^# \{0,1\}//p' "$0"
}

shell=
while [ $# -gt 0 ]; do
	case $1 in
	--shell)
		shell=${2:-?}
		[ $# -lt 2 ] || shift
		;;
	--shell=*)
		shell=${1#*=}
		: "${shell:=?}"
		;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		printf 'try.sh: unknown argument: %s\n' "$1" >&2
		usage >&2
		exit 2
		;;
	esac
	shift
done
case $shell in
'' | bash | zsh | fish) ;;
*)
	printf 'try.sh: --shell takes bash, zsh or fish\n' >&2
	exit 2
	;;
esac
for tool in git ${shell:+"$shell"}; do
	command -v "$tool" >/dev/null 2>&1 || {
		printf 'try.sh: needs %s on PATH\n' "$tool" >&2
		exit 1
	}
done

work=$(mktemp -d "${TMPDIR:-/tmp}/tmp-try.XXXXXX")
# What a shell has left running may still be writing there.
trap 'rm -rf "$work" 2>/dev/null || { sleep 1; rm -rf "$work"; }' EXIT
bin=$work/bin home=$work/home project=$work/project
mkdir -p "$bin" "$home" "$project"

bash scripts/build.sh "$work"
mkdir -p "$work/share/tmp"
mv "$work/packs.tcpdb" "$work/share/tmp/packs.tcpdb"

# From here on nothing reads or writes the real home.
export HOME=$home PATH=$bin:$PATH
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME
unset TMP_CONFIG_DIR TMP_DATA_DIR TMP_STATE_DIR TMP_CACHE_DIR TMP_AGENT_ID
export GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=try GIT_AUTHOR_EMAIL=try@example.com GIT_COMMITTER_NAME=try GIT_COMMITTER_EMAIL=try@example.com

echo 'compiling the map of this machine …'
tmp db build

make_project() {
	cd "$project"
	git init -q .
	mkdir -p src/bin
	cat >Cargo.toml <<-'TOML'
		[package]
		name = "demo"
		version = "0.1.0"
		edition = "2021"
	TOML
	echo 'fn main() {}' >src/main.rs
	echo 'fn main() {}' >src/bin/schema-gen.rs
	cat >package.json <<-'JSON'
		{"name": "demo", "version": "1.0.0", "scripts": {"build": "tsc -p .", "lint": "eslint .", "test": "vitest run"}}
	JSON
	echo 'notes' >notes.txt
	git add -A
	git commit -q -m 'first'
	local branch
	for branch in feature/parser feature/printer fix/escape; do git branch "$branch"; done
	echo 'more' >>notes.txt
}
make_project

if [ -n "$shell" ]; then
	printf '\nA %s with the hook, in %s. Try: git checkout <TAB>   exit to leave.\n' "$shell" "$project"
	case $shell in
	bash)
		tmp hook bash >"$work/rc"
		bash --rcfile "$work/rc" -i
		;;
	zsh)
		mkdir "$work/zdot"
		{
			echo 'autoload -U compinit && compinit -u'
			tmp hook zsh
		} >"$work/zdot/.zshrc"
		ZDOTDIR=$work/zdot zsh -i
		;;
	fish)
		# With the second fish does not begin to read all manuals for completions.
		mkdir -p "$home/.config/fish" "$home/.local/share/fish/generated_completions"
		tmp hook fish >"$home/.config/fish/config.fish"
		fish -i
		;;
	esac || true
	exit
fi

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
	bold=$'\033[1m' plain=$'\033[0m'
fi
show() {
	printf '\n%s$ %s<TAB>%s\n' "$bold" "$1" "$plain"
	tmp complete --line "$1" --limit 8
}
judge() {
	printf '\n%s$ %s%s\n' "$bold" "$1" "$plain"
	tmp check "$1" || true
}

printf '\n— Tab —\n'
show 'git checkout feature/'
show 'git reset --h'
show 'cargo run --bin '
show 'npm run '
printf '\n— Enter —\n'
judge 'git status && git log --oneline'
judge 'git reset --hard HEAD~1'
judge 'sudo rm -rf /srv/data'
printf '\n— The command line —\n'
printf '\n$ tmp resolve "run build script"\n'
tmp resolve 'run build script' || true
printf '\nNow with keys: bash scripts/try.sh --shell bash|zsh|fish\n'
