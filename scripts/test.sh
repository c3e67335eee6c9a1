#!/usr/bin/env bash
# Installs what the tests need (shells, completion packages, linters), then
# runs every check: format, vet, staticcheck, shellcheck, unit, fuzz seeds and
# the tests that type keys into real shells.
#
#   bash scripts/test.sh                everything
#   bash scripts/test.sh --no-install   do not install, skip what is missing
#   bash scripts/test.sh --quick        while you work: format, vet and the short tests;
#                                       nothing that types keys, or starts what was
#                                       built hundreds of times
set -euo pipefail
cd "$(dirname "$0")/.."

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
gofumpt=mvdan.cc/gofumpt@v0.12.0

die() {
	printf 'test.sh: %s\n' "$1" >&2
	exit 1
}

missing() {
	local tool
	for tool in "$@"; do
		command -v "$tool" >/dev/null 2>&1 || printf '%s ' "$tool"
	done
}

install_tools() {
	local need
	need=$(missing bash zsh fish elvish xonsh tcsh git make shellcheck sqlite3)
	[ -f /usr/share/bash-completion/bash_completion ] || need+='bash-completion '
	# Servers whose programs are not on PATH: the tests start them on sockets of their own.
	if command -v apt-get >/dev/null 2>&1; then
		compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || need+='postgresql '
		[ -x /usr/sbin/mariadbd ] || need+='mariadb-server '
	fi
	local plugin
	for plugin in zsh-autosuggestions zsh-syntax-highlighting; do
		[ -d "/usr/share/$plugin" ] || need+="$plugin "
	done
	command -v docker-registry >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1 || need+='docker-registry '
	[ -n "$need" ] || return 0
	echo "installing: $need"
	local sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	if command -v apt-get >/dev/null 2>&1; then
		$sudo apt-get update -qq
		# shellcheck disable=SC2086 # a list of packages named as their programs
		DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq $need >/dev/null
	elif command -v brew >/dev/null 2>&1; then
		# shellcheck disable=SC2086
		brew install $need
	else
		die "install these and run again, or use --no-install: $need"
	fi
}

# install_npm FROM TO WHAT: packages of npm that tests run or read, in the versions of
# the lock file in FROM, without their install scripts. The tests look in TO and skip
# what is not there.
install_npm() {
	local from=$1 to=$2 what=$3
	! cmp -s "$from/package-lock.json" "$to/package-lock.json" || return 0
	if ! command -v npm >/dev/null 2>&1; then
		echo "no npm: the tests with $what are skipped"
		return 0
	fi
	if ! npm_answers; then
		echo "npm's registry does not answer: the tests with $what are skipped"
		return 0
	fi
	echo "installing: $what in $to"
	local new=$to.new
	rm -rf "$new"
	mkdir -p "$new"
	cp "$from/package.json" "$from/package-lock.json" "$new"
	if npm install --prefix "$new" --ignore-scripts --no-audit --no-fund --loglevel=silent \
		--fetch-retries=1 --fetch-timeout=20000 >/dev/null; then
		cp "$from/package-lock.json" "$new" # npm may have added a word to its copy
		rm -rf "$to"
		mv "$new" "$to"
	else
		rm -rf "$new"
		echo "$what cannot be installed: the tests with them are skipped"
	fi
}

# With a registry that does not answer npm waits for minutes, and again for each.
npm_answers() {
	local npm=(npm view nushell version --fetch-retries=0 --fetch-timeout=10000 --loglevel=silent)
	! command -v timeout >/dev/null 2>&1 || npm=(timeout 20 "${npm[@]}")
	"${npm[@]}" >/dev/null 2>&1
}

command -v go >/dev/null 2>&1 || die 'needs Go 1.26 or newer: https://go.dev/dl'
export TMP_TEST_NPM=${TMP_TEST_NPM:-${XDG_CACHE_HOME:-$HOME/.cache}/tmp-test/npm}
export TMP_TEST_API=${TMP_TEST_API:-${XDG_CACHE_HOME:-$HOME/.cache}/tmp-test/api}
export TMP_TEST_SHELLS=${TMP_TEST_SHELLS:-${XDG_CACHE_HOME:-$HOME/.cache}/tmp-test/shells}
quick=
case ${1-} in
'')
	install_tools
	install_npm internal/cli/agent/testdata/npm "$TMP_TEST_NPM" 'MCP clients'
	install_npm shells/testdata/npm "$TMP_TEST_SHELLS" nushell
	install_npm internal/surface/api/openapi/testdata/npm "$TMP_TEST_API" 'an API and its server'
	;;
--no-install) ;;
--quick) quick=1 ;;
*) die "unknown argument: $1" ;;
esac

export CGO_ENABLED=0
# Nothing of the user's own set-up may decide a test.
unset TMP_AGENT_ID TE_AGENT_ID TE_SESSION_ID TMP_CONFIG_DIR TMP_DATA_DIR TMP_STATE_DIR TMP_CACHE_DIR

echo 'format'
unformatted=$(go run "$gofumpt" -l .)
[ -z "$unformatted" ] || die "not formatted (gofumpt -w): $unformatted"
if [ -n "$quick" ]; then
	# go test vets what it tests; what passed before and has not changed is not run again.
	echo 'short tests'
	# shellcheck disable=SC2046 # a list of packages
	exec go test -short -timeout 5m $(go list ./... | grep -v -e /shells$ -e /scripts/ -e /cli/tmp$ -e /cli/tgp -e /cli/registry$ -e /cli/surface$ -e /cli/agent$ -e /agent/door$)
fi
echo 'vet'
go vet ./...
echo 'staticcheck'
go run "$staticcheck" ./...
if command -v shellcheck >/dev/null 2>&1; then
	echo 'shellcheck'
	shellcheck .ci/run scripts/*.sh
	for hook in shells/*.bash; do
		[ ! -f "$hook" ] || shellcheck --shell=bash "$hook"
	done
fi
echo 'test'
go test -timeout 20m ./...
