package tmp

import (
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/db"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/schema"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/verify"
)

// entry is a row of the table: the words of a command after "tmp" and the
// function that makes it.
type entry struct {
	path string
	make func(env *term.Env, f *command.Flags) command.Run
}

// table lists the commands. To add one:
//
//  1. Give it a node in internal/opmap/core/maps/tmp.json: name, description,
//     flags, args, examples. Help, manual page, completion and the README come
//     from there; so do the checks that required args are present, that there
//     are not too many, and that enum, int and duration values are well formed.
//
//  2. Write one file <command>.go with an options struct, a constructor that
//     binds each flag of the node by its id (the long name without dashes), and
//     a run method:
//
//     type listOptions struct{ all, json bool }
//
//     func newList(env *Env, f *flags) runFunc {
//     var o listOptions
//     f.Bool("all", &o.all)
//     f.Bool("json", &o.json)
//     return func(in input) error { return o.run(env, in.Args) }
//     }
//
//  3. Add the row here. A test fails when a row lacks a node, a node a row, or
//     a flag its binding.
//
// A run method writes answers to env.Stdout, reads the world through env alone,
// and returns failf, usagef (exit 2) or exitStatus(n); see terminal.go.
func table() []entry {
	return []entry{
		{"list", newList},
		{"explain", newExplain},
		{"resolve", newResolve},
		{"run", newRun},
		{"approve", newApprove},
		{"output show", newOutputShow},
		{"allow list", newAllowList},
		{"allow remove", newAllowRemove},
		{"audit", newAudit},
		{"config", newConfig},
		{"script add", newScriptAdd},
		{"script import", newScriptImport},
		{"workflow add", newWorkflowAdd},
		{"workflow run", newWorkflowRun},
		{"workflow list", newWorkflowList},
		{"workflow show", newWorkflowShow},
		{"workflow graph", newWorkflowGraph},
		{"runs list", newRunsList},
		{"runs show", newRunsShow},
		{"runs diff", newRunsDiff},
		{"runs prune", newRunsPrune},
		{"shape", newShape},
		{"benchmark run", newBenchmarkRun},
		{"benchmark report", newBenchmarkReport},
		{"init", layers.NewInit},
		{"compile", layers.NewCompile},
		{"trust", layers.NewTrust},
		{"untrust", layers.NewUntrust},
		{"schema import", schema.NewImport},
		{"schema list", schema.NewList},
		{"schema show", schema.NewShow},
		{"schema diff", schema.NewDiff},
		{"schema share", schema.NewShare},
		{"schema remove", schema.NewRemove},
		{"schema check", schema.NewCheck},
		{"schema print", schema.NewPrint},
		{"complete", newComplete},
		{"check", newCheck},
		{"monitor", newMonitor},
		{"quarantine put", newQuarantinePut},
		{"quarantine list", newQuarantineList},
		{"quarantine restore", newQuarantineRestore},
		{"quarantine purge", newQuarantinePurge},
		{"generate", newGenerate},
		{"generate rtk", newGenerateRTK},
		{"rtk draft", newRTKDraft},
		{"rtk verify", newRTKVerify},
		{"verify", verify.New},
		{"db build", db.NewBuild},
		{"db lookup", db.NewLookup},
		{"db explain", db.NewExplain},
		{"db verify", db.NewVerify},
		{"db stat", db.NewStat},
		{"db export", db.NewExport},
		{"db import", db.NewImport},
		{"hook", newHook},
		{"off", newInShell("off")},
		{"pause", newInShell("pause")},
		{"resume", newInShell("resume")},
		{"doctor", newDoctor},
		{"help", newHelp},
		{"man", newMan},
		{"version", newVersion},
	}
}
