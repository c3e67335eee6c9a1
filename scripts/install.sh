#!/usr/bin/env bash
# Install tmp under a prefix: programs into PREFIX/bin, the shell hooks and the
# packs of maps into PREFIX/share/tmp. Builds them with Go, without cgo; in the archive
# of a release they are built. Changes no start-up file: it prints the line to add.
#
#   bash scripts/install.sh                   into ~/.local
#   bash scripts/install.sh --prefix DIR      (or PREFIX=DIR)
#   bash scripts/install.sh --uninstall       take the same files away again, with
#                                             what was compiled and cached
#   bash scripts/install.sh --uninstall --purge   your maps, settings, drafts and
#                                             records too
set -euo pipefail
start=$PWD
cd "$(dirname "$0")/.."

usage() {
	sed -n '2,11s/^# \{0,1\}//p' scripts/install.sh
}

fail() {
	printf 'install.sh: %s\n' "$1" >&2
	exit "${2-1}"
}

prefix=${PREFIX-} uninstall='' purge=''
while [ $# -gt 0 ]; do
	case $1 in
	--prefix)
		[ $# -gt 1 ] || fail '--prefix takes a directory' 2
		prefix=$2
		shift
		;;
	--prefix=*) prefix=${1#*=} ;;
	--uninstall) uninstall=1 ;;
	--purge) purge=1 ;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		usage >&2
		fail "unknown argument: $1" 2
		;;
	esac
	shift
done
if [ -z "$prefix" ]; then
	[ -n "${HOME-}" ] || fail 'HOME is not set: give --prefix DIR' 2
	prefix=$HOME/.local
fi
case $prefix in
/*) ;;
*) prefix=$start/$prefix ;;
esac
bin=$prefix/bin share=$prefix/share/tmp

programs() {
	for dir in cmd/*/ bin/*; do [ ! -e "$dir" ] || basename "$dir"; done
}

# Where the packs of maps that come with the programs lie, each as a directory.
maps=internal/opmap/packs
[ -d "$maps" ] || maps=share/tmp/packs/tmp

# packs: those packs, as PUBLISHER/NAME.
packs() {
	for dir in "$maps"/*/; do printf 'tmp/%s\n' "$(basename "$dir")"; done
}

# place VARIABLE XDG_VARIABLE DEFAULT: a directory of tmp's, or nothing. One that a
# variable of tmp's names holds what is tmp's and maybe more.
place() {
	if [ -n "${!1-}" ]; then
		printf '%s' "${!1}"
	elif [ -n "${!2-}" ]; then
		printf '%s/tmp' "${!2}"
	elif [ -n "${HOME-}" ]; then
		printf '%s/%s/tmp' "$HOME" "$3"
	fi
}

# forget DIRECTORY NAME…: takes what is named in a directory of tmp's away, and the
# directory if nothing else is in it.
forget() {
	local dir=$1 name
	shift
	case $dir in /*) ;; *) return 0 ;; esac
	for name; do rm -rf -- "${dir:?}/$name"; done
	rmdir -- "$dir" 2>/dev/null || true
}

# unhook: takes the entries in the files of coding agents out that start a program
# which goes; they could run no tool without it. Those of another installation stay.
unhook() {
	local agent=$bin/tmp-agent harness
	[ -x "$agent" ] && [ -n "${HOME-}" ] || return 0
	for harness in $("$agent" --help | sed -n 's/^HARNESS: //p'); do
		case $("$agent" install "$harness" --hook --dry-run --json 2>/dev/null) in
		*'"changed":false'*) "$agent" install "$harness" --hook --remove || true ;;
		esac
	done
}

if [ -n "$purge" ] && [ -z "$uninstall" ]; then fail '--purge goes with --uninstall' 2; fi
if [ -n "$uninstall" ]; then
	data=$(place TMP_DATA_DIR XDG_DATA_HOME .local/share)
	config=$(place TMP_CONFIG_DIR XDG_CONFIG_HOME .config)
	state=$(place TMP_STATE_DIR XDG_STATE_HOME .local/state)
	unhook
	for program in $(programs); do rm -f "$bin/$program"; done
	for shell in bash zsh fish; do rm -f "$share/hook.$shell"; done
	for pack in $(packs); do rm -rf -- "${share:?}/packs/$pack"; done
	rmdir -- "$share/packs/tmp" "$share/packs" 2>/dev/null || true
	forget "$share" packs.tcpdb
	# What was compiled and written there for this machine; other files stay.
	for dir in "$share" "$data"; do
		if [ -d "$dir/fish" ]; then
			grep -lsx '# tmp: completed from its map' "$dir"/fish/*.fish | while IFS= read -r file; do rm -f "$file"; done || true
			rmdir "$dir/fish" 2>/dev/null || true
		fi
		forget "$dir" system.tcpdb system.tcpdb.lock
	done
	if ! command -v tmp-tab >/dev/null 2>&1; then # else another one is installed, which uses them
		forget "$(place TMP_CACHE_DIR XDG_CACHE_HOME .cache)" projects resolvers system
		forget "$data" user.tcpdb user.tcpdb.lock
	fi
	if [ -n "$purge" ]; then
		forget "$data" drafts packs packs.tcpdb packs.tcpdb.lock
		forget "$config" schemas config.toml risk.toml
		# A directory that a variable names may hold more than records.
		case ${TMP_STATE_DIR-}$state in /*/tmp) rm -rf -- "$state" ;; esac
	fi
	printf 'Removed tmp from %s. Take its line out of your start-up file too.\n' "$prefix"
	for dir in "$config" "$data" "$state"; do # maps, settings, drafts, records
		[ ! -d "$dir" ] || printf 'Yours, and left: %s\n' "$dir"
	done
	exit
fi

mkdir -p "$bin" "$share"
new=$(mktemp -d "$bin/.tmp-install.XXXXXX")
trap 'rm -rf "$new"' EXIT
bash scripts/build.sh "$new"
# Renamed into place, so that a running shell never meets half a program.
for program in $(programs); do mv -f "$new/bin/$program" "$bin/$program"; done
for shell in bash zsh fish; do
	"$bin/tmp" hook "$shell" >"$new/hook.$shell"
	chmod 644 "$new/hook.$shell"
	mv -f "$new/hook.$shell" "$share/hook.$shell"
done

# What tools are mapped by packs: compiled, and the sources for tmp schema show.
for pack in $(packs); do
	mkdir -p "$share/packs/${pack%/*}"
	rm -rf -- "${share:?}/packs/$pack"
	cp -R "$maps/${pack#*/}" "$share/packs/$pack"
done
chmod 644 "$new/packs.tcpdb"
mv -f "$new/packs.tcpdb" "$share/packs.tcpdb"

printf 'Installed into %s. Add one line to the start-up file of your shell:\n\n' "$prefix"
printf '  bash  ~/.bashrc                   . %q\n' "$share/hook.bash"
printf '  zsh   ~/.zshrc                    . %q\n' "$share/hook.zsh"
printf '  fish  ~/.config/fish/config.fish  source %q\n' "$share/hook.fish"
printf '\nThen: %q db build   compiles the map of what is installed here\n' "$bin/tmp"
printf '      %q doctor     says what is active\n' "$bin/tmp"
printf '      %q generate --all   drafts maps of the programs that have none: some minutes, once\n' "$bin/tmp"
case :$PATH: in
*:$bin:*) ;;
*)
	printf '\n%q is not on your PATH. Put it there, above that line:\n\n' "$bin"
	# shellcheck disable=SC2016 # for the person's shell
	printf '  bash, zsh  export PATH=%q:"$PATH"\n' "$bin"
	printf '  fish       fish_add_path %q\n' "$bin"
	;;
esac

# Drafts, now and in the background, for a person who wants them.
if [ -t 0 ] && [ -t 1 ] && [ -n "${HOME-}" ]; then
	printf '\nDraft maps of the programs here that have none, in the background?\n'
	printf 'It reads manuals, and asks programs for --help in a jail: some minutes. [y/N] '
	answer=
	read -r answer || true
	case $answer in
	[yY] | [yY][eE][sS]) "$bin/tmp" generate --all --background || true ;;
	esac
fi
