package phrase

import "strings"

// Vague reports whether an intent, in normalised words, names no object: one
// word besides those that say nothing, as "lint it".
func Vague(intent string) bool {
	meaning := 0
	for word := range strings.SplitSeq(intent, " ") {
		switch word {
		case "a", "an", "the", "it", "this", "that", "please", "my", "all", "now", "here", "to", "do", "in", "on", "of":
		default:
			meaning++
		}
	}
	return meaning < 2
}
