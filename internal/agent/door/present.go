package door

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
	"github.com/tool-mapping-protocol/tmp/internal/agent/upstream"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// maxMedia bounds an image or a sound that passes, in bytes.
const maxMedia = 1 << 20

// shownText is a text as an object; handle and bytes are of one that was cut.
type shownText struct {
	V      int    `json:"v"`
	Handle string `json:"handle,omitempty"`
	Bytes  int    `json:"bytes,omitempty"` // of the whole
	Text   string `json:"text"`
}

// present is a server's result as the agent gets it: texts with the server's
// secrets masked, shortened to the result limit with a handle for the whole; images
// and sounds that are what they say; of everything else a line.
func (c *call) present(r *upstream.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{IsError: r.IsError}
	var texts []string
	for _, content := range r.Content {
		switch v := content.(type) {
		case *mcp.TextContent:
			texts = append(texts, r.Mask(v.Text))
		case *mcp.ImageContent:
			if sound(v.Data, v.MIMEType, "image/") {
				out.Content = append(out.Content, &mcp.ImageContent{Data: v.Data, MIMEType: v.MIMEType})
			} else {
				texts = append(texts, fmt.Sprintf("[an image of %d bytes is left out]", len(v.Data)))
			}
		case *mcp.AudioContent:
			if sound(v.Data, v.MIMEType, "audio/") {
				out.Content = append(out.Content, &mcp.AudioContent{Data: v.Data, MIMEType: v.MIMEType})
			} else {
				texts = append(texts, fmt.Sprintf("[a sound of %d bytes is left out]", len(v.Data)))
			}
		case *mcp.EmbeddedResource:
			if v.Resource != nil && v.Resource.Text != "" {
				texts = append(texts, r.Mask(v.Resource.Text))
			} else {
				texts = append(texts, "[an embedded resource is left out]")
			}
		case *mcp.ResourceLink:
			texts = append(texts, "[a link to "+definition.Clean(r.Mask(v.URI))+"]")
		default:
			texts = append(texts, "[a content of an unknown kind is left out]")
		}
	}
	text := strings.Join(texts, "\n")
	structured := c.structured(r)
	if text == "" && structured != nil {
		text = string(structured)
	}
	shown, handle := c.shorten(text)
	out.Content = append([]mcp.Content{&mcp.TextContent{Text: shown}}, out.Content...)
	switch {
	case handle != "":
		out.StructuredContent = shownText{1, handle, len(text), shown}
	case structured != nil && len(structured) <= c.door.o.Config.ResultLimit:
		out.StructuredContent = structured
	default:
		out.StructuredContent = shownText{V: 1, Text: shown}
	}
	return out
}

// structured is the structured part of a result, masked; nil if there is none, or
// one that is no object: clients of protocols before 2026-07-28 refuse it.
func (c *call) structured(r *upstream.Result) json.RawMessage {
	if r.StructuredContent == nil {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(r.StructuredContent) != nil {
		return nil
	}
	data := json.RawMessage(r.Mask(strings.TrimSpace(b.String())))
	if !json.Valid(data) || data[0] != '{' {
		return nil
	}
	return data
}

// shorten keeps the head and the tail of a text that is longer than the limit,
// with the handle of the whole; "" where it is shown whole.
func (c *call) shorten(text string) (shown, handle string) {
	limit := c.door.o.Config.ResultLimit
	if utf8.RuneCountInString(text) <= limit {
		return text, ""
	}
	handle, err := c.door.results.Put([]byte(text))
	head, tail := firstRunes(text, limit*3/4), lastRunes(text, limit/4)
	left := len(text) - len(head) - len(tail)
	rest := fmt.Sprintf("read on: tmp_output handle %s offset %d", handle, len(head))
	if err != nil {
		rest = "the rest is not kept: " + err.Error()
	}
	return fmt.Sprintf("%s\n[… %d of %d bytes are left out here; %s …]\n%s", head, left, len(text), rest, tail), handle
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// sound reports whether data begins as the type that is said, and is small enough.
func sound(data []byte, kind, family string) bool {
	if len(data) == 0 || len(data) > maxMedia || !strings.HasPrefix(kind, family) {
		return false
	}
	has := func(at int, text string) bool {
		return len(data) >= at+len(text) && string(data[at:at+len(text)]) == text
	}
	switch kind {
	case "image/png":
		return has(0, "\x89PNG\r\n\x1a\n")
	case "image/jpeg":
		return has(0, "\xff\xd8\xff")
	case "image/gif":
		return has(0, "GIF87a") || has(0, "GIF89a")
	case "image/webp":
		return has(0, "RIFF") && has(8, "WEBP")
	case "audio/wav", "audio/x-wav", "audio/wave":
		return has(0, "RIFF") && has(8, "WAVE")
	case "audio/mpeg", "audio/mp3":
		return has(0, "ID3") || len(data) > 1 && data[0] == 0xff && data[1]&0xe0 == 0xe0
	case "audio/ogg":
		return has(0, "OggS")
	case "audio/flac":
		return has(0, "fLaC")
	}
	return false
}

// page is a part of a kept output.
type page struct {
	Handle   string `json:"handle"`
	Offset   int64  `json:"offset"` // bytes
	Bytes    int    `json:"bytes"`
	Total    int64  `json:"total"`
	Next     *int64 `json:"next_offset"` // null at the end
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"` // "base64" where the bytes are no text
	Data     string `json:"data,omitempty"`
}

// readPage reads bytes from an offset on. Of text no character is cut in two;
// bytes that are no text come in base64.
func readPage(f *os.File, handle string, offset, limit int64) (page, error) {
	info, err := f.Stat()
	if err != nil {
		return page{}, err
	}
	p := page{Handle: handle, Offset: offset, Total: info.Size()}
	if offset > p.Total {
		return p, fault(invalidArguments, "offset %d is beyond the end, %d", offset, p.Total)
	}
	buf := make([]byte, min(limit, p.Total-offset))
	if _, err := f.ReadAt(buf, offset); err != nil && err != io.EOF {
		return p, err
	}
	if offset+int64(len(buf)) < p.Total {
		buf = wholeRunes(buf)
	}
	p.Bytes = len(buf)
	if next := offset + int64(len(buf)); next < p.Total {
		p.Next = &next
	}
	if utf8.Valid(buf) {
		p.Text = string(buf)
	} else {
		p.Encoding, p.Data = "base64", base64.StdEncoding.EncodeToString(buf)
	}
	return p, nil
}

// wholeRunes drops the beginning of a character at the end.
func wholeRunes(b []byte) []byte {
	for i := 1; i <= utf8.UTFMax && i < len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// runOutput opens the raw output of a run of this project.
func runOutput(w *session.Session, id string) (*os.File, error) {
	if id == session.Last || id == "" {
		return nil, os.ErrNotExist
	}
	k, err := w.Kept(id)
	if err != nil {
		return nil, err
	}
	if !w.Own(k) {
		return nil, os.ErrNotExist
	}
	return k.OpenRaw()
}
