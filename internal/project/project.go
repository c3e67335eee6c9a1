// Package project finds out what can be done in a directory from the files that
// lie there, and from nothing else: which directory is the project's, what manages
// its dependencies, which tasks it has, and by what each of its roles (test,
// build, lint …) is played. It runs nothing and writes nothing: it is handed an
// interface of open, stat and list.
//
//   - files.go, look.go: what it sees of the world, each file once
//   - root.go, claims.go, members.go: which directory is the project's, its packages
//   - unit.go, javascript.go, python.go, rust.go, golang.go, others.go, facts.go: what
//     manages a directory, and what standard commands ask about it
//   - tasks.go, taskmake.go, tasksmore.go, body.go, calls.go, memberbodies.go: the tasks of every runner, and
//     which programs their bodies start
//   - roles.go, rolesdata.go: core/roles.json; play.go: who plays a role
//   - words.go, ask.go, objects.go, testfiles.go: the words, and what they mean here
//   - profile.go: all of it
package project
