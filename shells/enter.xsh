

# Enter: a command is judged when xonsh has it, before it runs; Python is not. What is
# refused is not run; the Up key brings it back, and a safer line that was chosen.
def _tmp_enter_load():
    import ast
    import keyword
    import os
    import re
    import subprocess
    import sys
    from xonsh.built_ins import XSH

    decided = {}  # of this prompt: the line, and what runs in its place

    def looks(frame):
        """Whether the editor only looks if a line is whole."""
        for _ in range(8):
            if frame is None:
                return False
            if frame.f_code.co_name == "can_compile":
                return True
            frame = frame.f_back
        return False

    def python(cmd):
        """Whether xonsh takes a line for Python: that is not judged."""
        first = re.match(r"\s*([a-z]+)\b|\s*@", cmd)
        if first and (first.group(1) is None or keyword.iskeyword(first.group(1))):
            return True
        try:
            tree = ast.parse(cmd)
        except (SyntaxError, ValueError):
            return False
        # A name, or "ls -l", is a command where no variable has the name.
        words = (ast.Expr, ast.Name, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context, ast.Module)
        return not all(isinstance(n, words) for n in ast.walk(tree))

    @XSH.builtins.events.on_pre_prompt
    def tmp_enter_prompt(**_):
        decided.clear()

    def remember(line):
        history = getattr(getattr(XSH.shell, "shell", None), "prompter", None)
        history = getattr(history, "history", None)
        if history is not None:
            history.append_string(line)

    @XSH.builtins.events.on_transform_command
    def tmp_enter(cmd, **_):
        if cmd in decided:
            return decided[cmd]
        if not XSH.env.get("XONSH_INTERACTIVE") or not cmd.strip() or python(cmd) or looks(sys._getframe()):
            return cmd
        read, write = os.pipe()
        try:
            asked = subprocess.run(
                ["tmp-enter", "--shell", "bash"],
                input=(cmd.rstrip("\n") + "\0").encode("utf-8", "surrogateescape"),
                preexec_fn=lambda: os.dup2(write, 3),
                pass_fds=(3, write),
                env=XSH.env.detype(),
                check=False,
            )
            status = asked.returncode
        except OSError:
            status = 0
        finally:
            os.close(write)
        with os.fdopen(read, encoding="utf-8", errors="surrogateescape") as reply:
            safer = reply.read()
        if status == 11:
            print("tmp: the Up key brings it: " + safer, file=sys.stderr)
            remember(safer)
        # xonsh comes again until nothing changes.
        decided[cmd] = "\n" if status in (10, 11, 130) else cmd
        return decided[cmd]


_tmp_enter_load()
del _tmp_enter_load
