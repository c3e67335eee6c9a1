// Package project finds out what can be done in a directory from the files that
// lie there, and from nothing else: which directory is the project's, what manages
// its dependencies, which tasks it has, and by what each of its roles (test,
// build, lint …) is played. It runs nothing and writes nothing: it is handed an
// interface of open, stat and list.
//
//   - files.go: what it sees of the world
//   - root.go, claims.go: which directory is the project's
package project
