package entry

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/hook"
)

// element writes the entry of a JSON file, two blanks for a level.
func (e *Entry) element() string {
	timeout := Timeout
	if e.Harness.Millis {
		timeout *= 1000
	}
	command := jsonQuote(e.Line())
	shut := ""
	if e.Shut && e.Harness.Shut != "" {
		shut = e.Harness.Shut
	}
	single := func(members ...string) string {
		var kept []string
		for _, m := range members {
			if m != "" {
				kept = append(kept, "  "+m)
			}
		}
		return "{\n" + strings.Join(kept, ",\n") + "\n}"
	}
	limit := fmt.Sprintf(`"timeout": %d`, timeout)
	switch e.layout() {
	case hook.Bash:
		return single(`"type": "command"`, `"bash": `+command, fmt.Sprintf(`"timeoutSec": %d`, timeout))
	case hook.Commands:
		return single(`"command": `+command, limit, shut)
	case hook.Plain:
		return single(`"command": `+command, `"show_output": true`)
	case hook.Flagged:
		return single(`"type": "command"`, `"command": `+command, limit)
	case hook.Triggers:
		return single(`"name": "tmp"`, `"trigger": "`+e.Harness.Event+`"`, "\"action\": {\n    \"type\": \"command\",\n    \"command\": "+command+"\n  }", limit)
	}
	inner := single(`"type": "command"`, `"command": `+command, limit, shut)
	return "{\n  \"matcher\": \"\",\n  \"hooks\": [\n" + indent(inner, "    ") + "\n  ]\n}"
}

func indent(text, by string) string { return by + strings.ReplaceAll(text, "\n", "\n"+by) }

// jsonQuote writes a JSON string of a command line, which holds no control
// characters that QuoteWord has not written out.
func jsonQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + `"`
}

// script is the program that Cline starts.
func (e *Entry) script() string {
	return "#!/bin/sh\n# Written by tmp-agent install; tmp-agent install " + e.Harness.Key + " --hook --remove takes it away.\nexec " + e.Line() + "\n"
}

// scriptLines finds the command of such a program.
func scriptLines(data []byte, key string) (lines []string) {
	for l := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(l), "exec "); ok && ours(rest, key) {
			lines = append(lines, rest)
		}
	}
	return lines
}

// module is the plug-in of opencode. A hook that cannot be asked stops the tool.
func (e *Entry) module() string {
	words := make([]string, len(e.Argv))
	for i, w := range e.Argv {
		words[i] = jsonQuote(w)
	}
	return `// Written by tmp-agent install; tmp-agent install ` + e.Harness.Key + ` --hook --remove takes it away.
import { spawnSync } from "node:child_process"

const hook = [` + strings.Join(words, ", ") + `]

export const Tmp = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const event = { tool: input.tool, args: output.args, cwd: directory, sessionID: input.sessionID }
    const run = spawnSync(hook[0], hook.slice(1), { input: JSON.stringify(event), encoding: "utf8", timeout: ` + fmt.Sprint(Timeout*1000) + ` })
    let answer
    try {
      answer = JSON.parse(run.stdout)
    } catch {
      throw new Error("tmp: not analysed: the hook gave no answer; tmp-agent doctor says why")
    }
    if (answer.decision === "deny") throw new Error(answer.reason)
    if (answer.args) Object.assign(output.args, answer.args)
  },
})
`
}

// moduleLines finds the command of such a plug-in, as a line of a shell.
func moduleLines(data []byte, key string) (lines []string) {
	for l := range strings.Lines(string(data)) {
		list, ok := strings.CutPrefix(strings.TrimSpace(l), "const hook = ")
		if !ok {
			continue
		}
		e := Entry{Argv: jsonTexts(list)}
		if len(e.Argv) > 1 && ours(e.Line(), key) {
			lines = append(lines, e.Line())
		}
	}
	return lines
}
