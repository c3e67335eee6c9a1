package risk

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Help, versions and trial runs are harmless where the map says that the program
// heeds them in that place, and nowhere else: some programs run the command.
func TestHelpByTheMap(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	for line, want := range map[string]tcpdb.Level{
		// Nothing is known of these.
		"frobtool --help":             tcpdb.Medium,
		"frobtool clone --help":       tcpdb.Medium,
		"frobtool help delete":        tcpdb.Medium,
		"frobtool delete --help":      tcpdb.High,
		"frobtool delete x -h":        tcpdb.High,
		"frobtool delete --version":   tcpdb.High,
		"frobtool --dry-run delete x": tcpdb.High,
		"frobtool delete -n x":        tcpdb.High,
		"./frobtool purge --help":     tcpdb.High,
		"sudo frobtool purge --help":  tcpdb.High,
		"git obliterate --help":       tcpdb.Critical, // a script of another package
		"gh frob delete --help":       tcpdb.High,     // an extension
		// The map knows that these print help, wherever the option stands.
		"docker volume rm x --help":  tcpdb.Safe,
		"koji build --help":          tcpdb.Safe,
		"git push --force --help":    tcpdb.Safe,
		"vault delete --help":        tcpdb.Safe,
		"gem uninstall x --help":     tcpdb.Safe,
		"rake db:drop --help":        tcpdb.Safe,
		"rails db:drop --help":       tcpdb.Safe,
		"rustc --version":            tcpdb.Safe,
		"rustc -V":                   tcpdb.Safe,
		"java -version":              tcpdb.Safe,
		"sqlite3 --version":          tcpdb.Safe,
		"git clean -n":               tcpdb.Safe,
		"helm uninstall x --dry-run": tcpdb.Safe,
		// What stands behind a script is for the script.
		"ruby --help":                      tcpdb.Safe,
		"ruby x.rb --help":                 tcpdb.Medium,
		"perl x.pl --version":              tcpdb.Medium,
		"java -jar x.jar --help":           tcpdb.Medium,
		"deno run x.ts --help":             tcpdb.Medium,
		"bun run x --help":                 tcpdb.Medium,
		"yarn frob --help":                 tcpdb.Medium,
		"yarn add --help":                  tcpdb.Safe,
		"flatpak run org.x.X --help":       tcpdb.Medium,
		"python3 tool.py destroy x --help": tcpdb.High,
		"service nginx stop --help":        tcpdb.High,
		"redis-cli del x --help":           tcpdb.High,
	} {
		if got := Judge(v, strings.Fields(line), Facts{}); got.Level != want {
			t.Errorf("%s: %v, want %v", line, got.Level, want)
		}
	}
}
