package shape

import (
	"maps"
	"slices"
)

// format is a form of output that a policy reads.
type format uint8

const (
	unknown format = iota
	asIs
	plainLines
	goTest
	goJSON
	goTestSum
	cargoOut // cargo's builds and tests, and rustc
	pytestOut
	unittestOut
	tapOut
	jsTest // jest, vitest, mocha, and node's own runner
	junitXML
	ctestOut
	buildOut
	gitStatus
	gitDiff
	gitLog
	gitWork // clone, fetch, push, merge, rebase …
	searchOut
	logOut
	packageOut
	tableOut
	jsonOut
	ansibleOut
	terraformOut
	straceOut
	mixed // several of them, each line with a name in front
)

// name is that of the output policy that a format belongs to.
func (f format) name() string {
	switch f {
	case asIs:
		return "raw"
	case goTest, goJSON, goTestSum, pytestOut, unittestOut, tapOut, jsTest, junitXML, ctestOut:
		return "test_summary"
	case cargoOut, buildOut, ansibleOut, terraformOut:
		return "build_summary"
	case gitStatus:
		return "status_summary"
	case gitDiff:
		return "diff_summary"
	case gitLog:
		return "history_summary"
	case gitWork:
		return "git_summary"
	case searchOut:
		return "search_summary"
	case logOut:
		return "log_summary"
	case packageOut:
		return "package_summary"
	case tableOut:
		return "table_summary"
	case jsonOut:
		return "json_projection"
	}
	return "generic"
}

// Policies lists the names of the output policies.
func Policies() []string {
	return []string{
		"build_summary", "diff_summary", "generic", "git_summary", "history_summary", "json_projection", "log_summary",
		"package_summary", "raw", "search_summary", "status_summary", "table_summary", "test_summary",
	}
}

// outputs are the formats by the names that a map gives them.
var outputs = map[string]format{
	"ansible": ansibleOut, "any": unknown, "build": buildOut, "cargo": cargoOut, "ctest": ctestOut, "git-diff": gitDiff, "git-log": gitLog,
	"git-status": gitStatus, "git-work": gitWork, "go-json": goJSON, "go-test": goTest, "gotestsum": goTestSum, "js-test": jsTest,
	"json": jsonOut, "junit": junitXML, "lines": plainLines, "log": logOut, "package": packageOut, "pytest": pytestOut, "raw": asIs,
	"search": searchOut, "strace": straceOut, "table": tableOut, "tap": tapOut, "terraform": terraformOut, "unittest": unittestOut,
}

// Outputs lists the names that Command.Output may have, sorted.
func Outputs() []string { return slices.Sorted(maps.Keys(outputs)) }
