package benchmark

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed page.html
var pageText string

// plot is bars of two modes for each task.
type plot struct {
	Title  string
	Height int
	Rows   []bar
}

// bar is a task in a plot: widths in pixels, and the numbers.
type bar struct {
	Name               string
	Y                  int
	Baseline, Assisted int64
	BaselineW          int
	AssistedW          int
	HasBaseline        bool
}

const (
	plotWidth = 420 // pixels of the longest bar
	plotRow   = 34
)

// newPlot scales the bars of the tasks where either number is above zero.
func newPlot(title string, pairs []Pair, of func(*Record) int64) plot {
	p := plot{Title: title}
	most := int64(1)
	for _, pair := range pairs {
		b := bar{Name: pair.TaskID, HasBaseline: pair.Baseline != nil}
		if pair.Baseline != nil {
			b.Baseline = of(pair.Baseline)
		}
		if pair.Assisted != nil {
			b.Assisted = of(pair.Assisted)
		}
		if b.Baseline == 0 && b.Assisted == 0 {
			continue
		}
		most = max(most, b.Baseline, b.Assisted)
		b.Y = len(p.Rows) * plotRow
		p.Rows = append(p.Rows, b)
	}
	for i := range p.Rows {
		b := &p.Rows[i]
		b.BaselineW = int(b.Baseline * plotWidth / most)
		b.AssistedW = int(b.Assisted * plotWidth / most)
	}
	p.Height = len(p.Rows) * plotRow
	return p
}

// WriteHTML writes the report as one page that needs nothing else: no script, no
// font, no picture from elsewhere.
func (r *Report) WriteHTML(w io.Writer) error {
	page, err := template.New("page").Funcs(template.FuncMap{"add": func(a, b int) int { return a + b }}).Parse(pageText)
	if err != nil {
		return err
	}
	return page.Execute(w, struct {
		*Report
		Plots []plot
	}{r, []plot{
		newPlot("Tool calls", r.Tasks, func(rec *Record) int64 { return int64(rec.ToolCalls) }),
		newPlot("Input tokens, read before acting", r.Tasks, func(rec *Record) int64 { return int64(rec.InputTokens) }),
		newPlot("Output tokens, returned by acting", r.Tasks, func(rec *Record) int64 { return int64(rec.OutputTokens) }),
	}})
}
