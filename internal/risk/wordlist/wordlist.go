// Package wordlist looks words up in lists and tables that are one text, as they
// are written or embedded: nothing is made of them before they are asked.
package wordlist

import "strings"

// Has reports whether w is one of the words of a list, one blank between two.
func Has(list, w string) bool {
	for from := 0; w != ""; {
		k := strings.Index(list[from:], w)
		if k < 0 {
			return false
		}
		start, end := from+k, from+k+len(w)
		if (start == 0 || list[start-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return strings.IndexByte(w, ' ') < 0
		}
		from = start + 1
	}
	return false
}

// Rows yields what stands behind the first column in each row of a table that
// begins with key and a tab, in their order. A row is a line.
func Rows(table, key string) func(yield func(rest string) bool) {
	return func(yield func(string) bool) {
		for at := 0; ; {
			k := strings.Index(table[at:], "\n"+key+"\t")
			if k < 0 {
				return
			}
			at += k + len(key) + 2
			row, _, _ := strings.Cut(table[at:], "\n")
			at += len(row)
			if !yield(row) {
				return
			}
		}
	}
}
