package tgp

import (
	"fmt"
	"slices"
	"strings"
)

// commands is the table of all, in the order of help.
func commands() []command {
	return slices.Concat(ofAgents(), ofPeople(), ofHub(), ofPlace())
}

// ofAgents is what an agent does: look, check, run, add, repair.
func ofAgents() []command {
	return []command{
		{
			name: "init", args: "", text: "Make the place of the tools in this project",
			flags:    []option{{name: "--yes", text: "Ask nothing"}, {name: "--rules", value: "cursor|windsurf|agents|claude|prompt", text: "Which assistant to instruct (default: cursor)"}},
			examples: [][2]string{{"tgp init --rules claude", "Begin, with the rules in CLAUDE.md"}},
		},
		{
			name: "list", args: "", text: "Show the tools, ranked by a query",
			flags:    []option{{name: "--query", short: "-q", value: "Q", text: "What the tool is to do, in words"}},
			examples: [][2]string{{`tgp list --query "revenue report"`, "Is there a tool for it? (exit 1: none)"}},
		},
		{
			name: "check", args: "FILE…|-", least: 1, most: -1, text: "Hold drafts against the laws",
			examples: [][2]string{{"tgp check temp/draft.ts", "Each finding with its line and column (exit 1: there are some)"}},
		},
		{
			name: "run", args: "TOOL|FILE [--flag value …]", least: 1, most: -1, first: true, text: "Run a tool, or a file as a draft",
			flags: []option{
				{name: "--args", value: "JSON|-", text: "Its parameters as one JSON object; -: from standard input"},
				{name: "--timeout", value: "D", text: "End it after this time, such as 5s; at most limits.wallSeconds"},
				{name: "--dry-run", short: "-n", text: "Show what would run, and run nothing"},
			},
			examples: [][2]string{
				{"tgp run analytics/revenue-report --month 2026-10", "Flags after the tool are the tool's"},
				{`tgp run --json --args '{"month":"2026-10"}' revenue-report`, "The same for a program"},
			},
		},
		{
			name: "add", args: "FILE CATEGORY/NAME", least: 2, most: 2, text: "Check a draft, move it among the tools, commit it",
			flags:    []option{{name: "--message", short: "-m", value: "TEXT", text: "What it does: the index for later"}},
			examples: [][2]string{{`tgp add temp/draft.ts analytics/revenue-report -m "add monthly revenue CSV exporter"`, "On main in god mode; else on a branch that waits"}},
		},
		{
			name: "fix", args: "TOOL", least: 1, most: 1, text: "Repair a tool on a branch of its own",
			flags: []option{
				{name: "--commit", text: "Check the copy and commit it"},
				{name: "--message", short: "-m", value: "TEXT", text: "What was repaired"},
				{name: "--abort", text: "Drop the branch and the copy"},
			},
			examples: [][2]string{{"tgp fix revenue-report", "Make the branch, print the copy to edit and the last failure"}, {`tgp fix revenue-report --commit -m "handle null values"`, "Check and commit it"}},
		},
	}
}

// ofPeople is what a person decides: read, sign, take back.
func ofPeople() []command {
	return []command{
		{
			name: "review", args: "[TOOL]", most: 1, text: "Show what waits for an approval, or what one would hold for",
			examples: [][2]string{{"tgp review revenue-report", "The difference, what it may reach, what breaks a law"}},
		},
		{
			name: "approve", args: "TOOL", least: 1, most: 1, text: "Sign a tool: by a person, or CI with a key",
			flags:    []option{{name: "--key", value: "FILE", text: "The private key (default: the only one of this machine)"}, {name: "--unattended", text: "It may run without a question, if its risk is HIGH"}},
			examples: [][2]string{{"tgp approve revenue-report", "Show it, ask, sign it, merge it"}},
		},
		{
			name: "revoke", args: "TOOL", least: 1, most: 1, text: "Take an approval back",
			examples: [][2]string{{"tgp revoke revenue-report", "It runs no more until it is approved again"}},
		},
	}
}

// ofHub is what goes to the hub and comes from it.
func ofHub() []command {
	return []command{
		{
			name: "sync", args: "", text: "Take and give tools from and to the hub",
			flags: []option{
				{name: "--due", text: "Only if upstream.pullIntervalSeconds have passed"},
				{name: "--watch", text: "Again and again, until it is ended"},
				{name: "--push", text: "Also send what is here"},
			},
			examples: [][2]string{{"tgp sync", "Fetch, merge, and push as the strategy says"}},
		},
		{
			name: "harvest", args: "", text: "Show the tools that have earned their place in the hub",
			flags:    []option{{name: "--push", text: "Send them, if the janitor finds nothing"}},
			examples: [][2]string{{"tgp harvest", "More than harvest.minRuns successes, and not in the hub"}},
		},
		{
			name: "janitor", args: "FILE…", least: 1, most: -1, text: "Look for data of people and tenants in tools",
			flags:    []option{{name: "--schema", value: "FILE", text: "The standard schema: columns that are not in it are named"}},
			examples: [][2]string{{"tgp janitor .tgp/tools/analytics/region.ts", "Exit 1: something is to be taken out first"}},
		},
	}
}

// ofPlace is the place itself: what counts there, what has happened, how programs use it.
func ofPlace() []command {
	return []command{
		{name: "trust", args: "", text: "Let the configuration here count, after reading it", examples: [][2]string{{"tgp trust", "Show it and ask"}}},
		{name: "show", args: "TOOL", least: 1, most: 1, text: "Show a tool: manifest, state, source", examples: [][2]string{{"tgp show revenue-report", "What it takes, may do, and is"}}},
		{name: "log", args: "[TOOL]", most: 1, text: "Show commits and runs", examples: [][2]string{{"tgp log revenue-report", "What was changed, and how it ran"}}},
		{name: "config", args: "", text: "Show what holds, tokens masked", examples: [][2]string{{"tgp config --json", "Every key, merged"}}},
		{name: "doctor", args: "", text: "Say what works here and what does not", examples: [][2]string{{"tgp doctor", "Kernel, engine, repository, keys, database"}}},
		{
			name: "key", args: "generate|list|show|trust [NAME|KEY]", least: 1, most: 2, text: "Make and trust the keys that sign approvals",
			flags:    []option{{name: "--out", value: "FILE", text: "Where the private key goes"}},
			examples: [][2]string{{"tgp key generate ann", "Print the public key, for gatekeeper.keys"}, {"tgp key trust ann+1a2b3c4d+AbC…", "Let it count on this machine"}},
		},
		{name: "serve", args: "", text: "Answer lines of JSON on standard input, for programs", examples: [][2]string{{`echo '{"id":1,"method":"list","params":{}}' | tgp serve`, "list, check, run, approve"}}},
	}
}

// help prints the help of a command, nil for all.
func help(env *Env, c *command) {
	w := env.Stdout
	if c == nil {
		fmt.Fprint(w, "tgp: a forge where agents write tools that cannot hurt\n\nUsage: tgp <command> [flags]\n\nCommands:\n")
		for _, c := range commands() {
			fmt.Fprintf(w, "  %-9s %s\n", c.name, c.text)
		}
		fmt.Fprint(w, "\ntgp <command> --help shows its flags and examples.\n")
		return
	}
	fmt.Fprintf(w, "%s\n\nUsage: tgp %s\n\nFlags:\n", c.text, strings.TrimSpace(c.name+" [flags] "+c.args))
	for _, f := range append(append([]option{}, c.flags...), everywhere...) {
		name := f.name
		if f.short != "" {
			name = f.short + ", " + name
		}
		if f.value != "" {
			name += " " + f.value
		}
		fmt.Fprintf(w, "  %-24s %s\n", name, f.text)
	}
	if len(c.examples) > 0 {
		fmt.Fprint(w, "\nExamples:\n")
	}
	for _, e := range c.examples {
		fmt.Fprintf(w, "  %s\n      %s\n", e[0], e[1])
	}
}
