#!/usr/bin/env bash
# Build the programs and the packs of maps, without cgo, and say how far it is: a line
# that stays on a terminal, else one every ten seconds. In the archive of a release they
# are there already, and are copied.
#
#   bash scripts/build.sh DIR [PROGRAM…]   programs into DIR/bin, packs into DIR/packs.tcpdb
set -euo pipefail
start=$PWD
cd "$(dirname "$0")/.."

case ${1-} in
'' | -*)
	sed -n '2,6s/^# \{0,1\}//p' scripts/build.sh >&2
	exit 2
	;;
/*) out=$1 ;;
*) out=$start/$1 ;;
esac
shift
if [ -x bin/tmp ]; then
	mkdir -p "$out"
	cp -R bin "$out/"
	cp share/tmp/packs.tcpdb "$out/packs.tcpdb"
	exit
fi
command -v go >/dev/null 2>&1 || {
	printf 'building needs Go on PATH: https://go.dev/dl\n' >&2
	exit 1
}
export CGO_ENABLED=0
# The same for all that is built here: with other flags every package is compiled again.
flags=(-trimpath '-ldflags=-s -w')

what=()
for program; do what+=("./cmd/$program"); done
[ ${#what[@]} -gt 0 ] || what=(./cmd/...)

terminal=
[ ! -t 2 ] || [ "${TERM-dumb}" = dumb ] || terminal=1

# tell DONE TOTAL NAME
said=$SECONDS
tell() {
	if [ -n "$terminal" ]; then
		printf '\r\033[Kbuilding … %d of %d packages  %.48s' "$1" "$2" "$3" >&2
	elif [ $((SECONDS - said)) -ge 10 ]; then
		said=$SECONDS
		printf 'building … %d of %d packages\n' "$1" "$2" >&2
	fi
}

# follow TOTAL: reads what go build -v says; what is no progress is shown as it is.
follow() {
	local line done=0
	while IFS= read -r line; do
		case $line in
		'go: downloading '*)
			set -- "$1" "${line#go: downloading }"
			if [ -n "$terminal" ]; then printf '\r\033[Kfetching … %.60s' "$2" >&2; fi
			;;
		*[[:space:]:]* | '#'*) printf '%s%s\n' "${terminal:+$'\r\033[K'}" "$line" >&2 ;;
		*)
			done=$((done + 1))
			tell "$done" "$1" "$line"
			;;
		esac
	done
	[ -z "$terminal" ] || printf '\r\033[K' >&2
}

echo 'building …'
mkdir -p "$out/bin"
stale='{{if .Stale}}{{.ImportPath}}{{end}}'
total=$(go list -deps "${flags[@]}" -f "$stale" "${what[@]}" ./scripts/genpacks 2> >(follow 0) | wc -l)
go build -v "${flags[@]}" -o "$out/bin/" "${what[@]}" 2>&1 | follow "$total"
go run "${flags[@]}" ./scripts/genpacks "$out/packs.tcpdb"
