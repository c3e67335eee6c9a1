// Package docs holds the tests of the documents: links lead somewhere, command
// lines are ones that tmp understands, and named files are there.
package docs
