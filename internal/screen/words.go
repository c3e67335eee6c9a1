package screen

import "fmt"

// Count writes a number of things: "1 line", "3 lines".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Size writes a number of bytes in four signs or so: "512 B", "1.4 MB"; a
// negative one stands for a directory, "dir".
func Size(n int64) string {
	if n < 0 {
		return "dir"
	}
	units := "BKMGTP"
	x := float64(n)
	for x >= 1000 && len(units) > 1 {
		x, units = x/1000, units[1:]
	}
	if units[0] == 'B' {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %cB", x, units[0])
}
