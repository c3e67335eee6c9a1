package tmp

import (
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/benchmark"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/check"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/db"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/generate"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/handed"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/operation"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/policy"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/project"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/quarantine"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/run"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/runs"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/schema"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/script"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/shell"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/sql"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/tools"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/verify"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/workflow"
)

// entry is a row of the table: the words of a command after "tmp" and the
// function that makes it.
type entry struct {
	path string
	make func(env *term.Env, f *command.Flags) command.Run
}

// table lists the commands. To add one:
//
//  1. Give it a node in internal/opmap/core/tools/tmp/map.json: name, description,
//     flags, args, examples. Help, manual page, completion and the README come
//     from there; so do the checks that required args are present, that there
//     are not too many, and that enum, int and duration values are well formed.
//
//  2. Write it in the package of its noun, an options struct, a constructor that
//     binds each flag of the node by its id (the long name without dashes), and
//     a run method:
//
//     type listOptions struct{ all, json bool }
//
//     func NewList(env *term.Env, f *command.Flags) command.Run {
//     var o listOptions
//     f.Bool("all", &o.all)
//     f.Bool("json", &o.json)
//     return func(in command.Input) error { return o.run(env, in.Args) }
//     }
//
//  3. Add the row here. A test fails when a row lacks a node, a node a row, or
//     a flag its binding.
//
// A run method writes answers to env.Stdout, reads the world through env alone,
// and returns term.Failf, term.Usagef (exit 2) or term.ExitStatus(n).
func table() []entry {
	return []entry{
		{"list", operation.NewList},
		{"explain", operation.NewExplain},
		{"resolve", run.NewResolve},
		{"run", run.New},
		{"approve", run.NewApprove},
		{"output show", runs.NewOutput},
		{"allow list", policy.NewAllowList},
		{"allow remove", policy.NewAllowRemove},
		{"audit", policy.NewAudit},
		{"config", policy.NewConfig},
		{"script add", script.NewAdd},
		{"script import", script.NewImport},
		{"workflow add", workflow.NewAdd},
		{"workflow run", workflow.NewRun},
		{"workflow list", workflow.NewList},
		{"workflow show", workflow.NewShow},
		{"workflow graph", workflow.NewGraph},
		{"runs list", runs.NewList},
		{"runs show", runs.NewShow},
		{"runs diff", runs.NewDiff},
		{"runs prune", runs.NewPrune},
		{"shape", runs.NewShape},
		{"benchmark run", benchmark.NewRun},
		{"benchmark report", benchmark.NewReport},
		{"sql check", sql.NewCheck},
		{"project", project.New},
		{"project prefer", project.NewPrefer},
		{"init", layers.NewInit},
		{"compile", layers.NewCompile},
		{"trust", layers.NewTrust},
		{"untrust", layers.NewUntrust},
		{"schema import", schema.NewImport},
		{"schema new", schema.NewNew},
		{"schema list", schema.NewList},
		{"schema show", schema.NewShow},
		{"schema diff", schema.NewDiff},
		{"schema share", schema.NewShare},
		{"schema remove", schema.NewRemove},
		{"schema check", schema.NewCheck},
		{"schema print", schema.NewPrint},
		{"complete", shell.NewComplete},
		{"check", check.New},
		{"monitor", check.NewMonitor},
		{"quarantine put", quarantine.NewPut},
		{"quarantine list", quarantine.NewList},
		{"quarantine restore", quarantine.NewRestore},
		{"quarantine purge", quarantine.NewPurge},
		{"generate", generate.New},
		{"generate rtk", generate.NewRTK},
		{"rtk draft", generate.NewRTKDraft},
		{"rtk verify", generate.NewRTKVerify},
		{"verify", verify.New},
		{"tools list", tools.NewList},
		{"tools show", tools.NewShow},
		{"tools classify", tools.NewClassify},
		{"tools migrate", tools.NewMigrate},
		{"tools lint", tools.NewLint},
		{"tools diff", tools.NewDiff},
		{"tools trust", tools.NewTrust},
		{"tools untrust", tools.NewUntrust},
		{"registry search", handed.To("tmp-registry")},
		{"registry show", handed.To("tmp-registry")},
		{"registry install", handed.To("tmp-registry")},
		{"registry verify", handed.To("tmp-registry")},
		{"registry update", handed.To("tmp-registry")},
		{"registry outdated", handed.To("tmp-registry")},
		{"registry remove", handed.To("tmp-registry")},
		{"registry list", handed.To("tmp-registry")},
		{"registry publish", handed.To("tmp-registry")},
		{"registry yank", handed.To("tmp-registry")},
		{"key generate", handed.To("tmp-registry")},
		{"key list", handed.To("tmp-registry")},
		{"key show", handed.To("tmp-registry")},
		{"key trust", handed.To("tmp-registry")},
		{"key revoke", handed.To("tmp-registry")},
		{"db build", db.NewBuild},
		{"db lookup", db.NewLookup},
		{"db explain", db.NewExplain},
		{"db verify", db.NewVerify},
		{"db stat", db.NewStat},
		{"db export", db.NewExport},
		{"db import", db.NewImport},
		{"hook", shell.NewHook},
		{"off", shell.NewInShell("off")},
		{"pause", shell.NewInShell("pause")},
		{"resume", shell.NewInShell("resume")},
		{"doctor", shell.NewDoctor},
		{"help", newHelp},
		{"man", newMan},
		{"version", newVersion},
	}
}
