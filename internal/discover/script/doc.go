// Package script reads completion scripts of fish, zsh and bash as text. It
// never runs one.
package script
