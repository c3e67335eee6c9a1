# shellcheck shell=bash
# tmp, with what only the shell itself can do. An alias or function of the
# user's own by that name stays.
if [[ ${_tmp_enter_loaded-} == 1 ]] && ! builtin declare -F tmp >/dev/null && ! builtin alias tmp &>/dev/null; then

_tmp_enter_pause() {
    if [[ -n ${TMP_AGENT_ID-} ]]; then
        builtin echo 'tmp pause: not for an agent' >&2
        builtin return 1
    elif [[ -z ${1-} ]]; then
        _tmp_enter_off=on
        builtin echo 'tmp: Enter is not judged in this shell until tmp resume'
    elif [[ $1 == *[!0-9]* ]] || ((${#1} > 6)); then
        builtin echo 'tmp pause: want a number of minutes' >&2
        builtin return 2
    else
        builtin printf -v _tmp_enter_off '%(%s)T' -1
        ((_tmp_enter_off += 60 * 10#$1))
        builtin printf 'tmp: Enter is not judged in this shell until %(%H:%M)T\n' "$_tmp_enter_off"
    fi
}

function tmp {
    case ${1-},${2-} in
        off,--)
            builtin shift 2
            if (($# == 1)); then builtin eval "$1"; else "$@"; fi
            ;;
        pause,-* | resume,-*) builtin command tmp "$@" ;;
        pause,*) _tmp_enter_pause "${2-}" ;;
        resume,*)
            _tmp_enter_off=
            builtin echo 'tmp: Enter is judged in this shell'
            ;;
        doctor,*)
            _tmp_enter_state
            builtin command tmp "$@"
            ;;
        *) builtin command tmp "$@" ;;
    esac
}

fi
