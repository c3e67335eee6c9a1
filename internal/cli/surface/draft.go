package surface

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/surface/api/openapi"
)

// draft writes the draft of a document of OpenAPI or Swagger as a source map, for tmp
// schema import. "-" reads standard input.
func draft(words []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var o openapi.Options
	f := flag.NewFlagSet("tmp-surface", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.Name, "name", "", "the name of the API")
	if f.Parse(words) != nil || f.NArg() != 1 {
		fmt.Fprint(stderr, usage)
		return 2
	}
	m, err := read(f.Arg(0), stdin, o)
	if err == nil {
		out := bufio.NewWriter(stdout)
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		if err = enc.Encode(m); err == nil {
			err = out.Flush()
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, screen.Printable(err.Error()))
		return 1
	}
	return 0
}

func read(file string, stdin io.Reader, o openapi.Options) (*openapi.Map, error) {
	if file != "-" {
		return openapi.Read(file, o)
	}
	data, err := io.ReadAll(io.LimitReader(stdin, openapi.MaxSize+1))
	if err != nil {
		return nil, err
	}
	return openapi.Parse(data, "standard input", o)
}
