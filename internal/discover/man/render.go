package man

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// render writes pieces as text: italics between marks of a value, bold text
// between its own marks unless it is a tag. Gaps between words are kept where
// lines are.
func render(ps []piece, tag, literal bool) string {
	ps = join(ps)
	dash := len(ps) > 0 && strings.HasPrefix(strings.TrimLeft(ps[0].text, " "), "-")
	var b strings.Builder
	for _, p := range ps {
		lead := p.text[:len(p.text)-len(strings.TrimLeft(p.text, " "))]
		body := strings.TrimSpace(p.text)
		b.WriteString(lead)
		switch {
		case body == "":
			continue
		case p.font == italic && body[0] != '-' && body[0] != '[' && strings.Trim(body, "[]|,=./:+ ") != "":
			b.WriteByte(help.Open)
			b.WriteString(body)
			b.WriteByte(help.Close)
		case p.font == bold && !tag && !dash && body[0] != '-':
			b.WriteByte(openBold)
			b.WriteString(body)
			b.WriteByte(closeBold)
		default:
			b.WriteString(body)
		}
		b.WriteString(p.text[len(lead)+len(body):])
		if b.Len() > maxText {
			break
		}
	}
	if literal && !tag {
		return strings.TrimSpace(b.String())
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// join puts neighbours of one font together, up to the length of a paragraph.
func join(ps []piece) []piece {
	var out []piece
	var text strings.Builder
	size := 0
	for i := 0; i < len(ps) && size <= maxText; i++ {
		text.WriteString(ps[i].text)
		size += len(ps[i].text)
		if i+1 == len(ps) || ps[i+1].font != ps[i].font || size > maxText {
			out = append(out, piece{text.String(), ps[i].font})
			text.Reset()
		}
	}
	return out
}
