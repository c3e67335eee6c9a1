# tmp: Tab in xonsh 0.11 or newer. In ~/.xonshrc:  execx($(tmp hook xonsh))
#   TMP_TAB_BIN   the tmp-tab to start; by default the one on PATH
def _tmp_tab_load():
    import os
    import re
    import subprocess
    from xonsh.built_ins import XSH
    from xonsh.completers.completer import add_one_completer
    from xonsh.completers.tools import RichCompletion, contextual_command_completer

    plain = re.compile(r"[-\w@%+=:,./~^]+")

    def quoted(value, quote):
        if quote:
            if "r" in quote.lower() and len(quote) < 4:
                return value
            return value.replace("\\", "\\\\").replace(quote[-1], "\\" + quote[-1])
        return value if plain.fullmatch(value) else repr(value)

    @contextual_command_completer
    def tmp_tab(context):
        """What is valid here, with its risk (tmp)."""
        before = [arg.value for arg in context.args[: context.arg_index]]
        if not before or context.suffix:
            return None
        words = before + [context.prefix]
        program = XSH.env.get("TMP_TAB_BIN", "") or "tmp-tab"
        call = [program, "--wire", "1", "--shell", "xonsh", "--words", "--cwd", os.getcwd()]
        try:
            answer = subprocess.run(
                call,
                input="\0".join(words + [""]).encode("utf-8", "surrogateescape"),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=5,
                env=XSH.env.detype(),
                check=True,
            )
        except (OSError, subprocess.SubprocessError):
            return None
        head, *rows = answer.stdout.decode("utf-8", "replace").splitlines() or ["own"]
        if head == "own":
            return None
        found = set()
        for place, row in enumerate(rows):
            value, display, note, more = (row.split("\t") + ["", "", ""])[:4]
            found.add(
                RichCompletion(
                    quoted(value, context.opening_quote),
                    prefix_len=len(context.prefix),
                    display=display,
                    description=note,
                    append_space=not more and not context.opening_quote,
                )
            )
        if head.startswith("hold "):
            # What is risky is not inserted before it was seen: a list of two is shown.
            found.add(RichCompletion(context.prefix, prefix_len=len(context.prefix), description="as it is"))
        return found, len(context.prefix)

    add_one_completer("tmp", tmp_tab, "start")


_tmp_tab_load()
del _tmp_tab_load
