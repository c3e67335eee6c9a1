package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// defaultItems is how many items of all pages are fetched where nobody says.
const defaultItems = 10_000

// maxPage bounds a page in bytes: it is read whole.
const maxPage = 64 << 20

// nextLink is the URL that a header Link names as the next page (RFC 8288).
func nextLink(resp *http.Response) *url.URL {
	for _, header := range resp.Header.Values("Link") {
		for header != "" {
			open := strings.IndexByte(header, '<')
			end := strings.IndexByte(header, '>')
			if open < 0 || end < open {
				break
			}
			target, rest := header[open+1:end], header[end+1:]
			params := rest
			if i := strings.IndexByte(rest, '<'); i >= 0 {
				params, header = rest[:i], rest[i:]
			} else {
				header = ""
			}
			for param := range strings.SplitSeq(strings.TrimRight(params, ", "), ";") {
				name, value, _ := strings.Cut(strings.TrimSpace(param), "=")
				if !strings.EqualFold(strings.TrimSpace(name), "rel") {
					continue
				}
				for rel := range strings.FieldsSeq(strings.Trim(strings.TrimSpace(value), `"`)) {
					if strings.EqualFold(rel, "next") {
						u, err := resp.Request.URL.Parse(target)
						if err != nil {
							return nil
						}
						return u
					}
				}
			}
		}
	}
	return nil
}

// pager fetches a list page by page.
type pager struct {
	sender *Sender
	pages  Pages
	items  []step
	cursor []step
	most   int
	seen   map[string]bool

	count int
	out   io.Writer // the items, as elements of a list
	kept  []any     // the first of them, for showing
	size  int64
	// cut says that there are more items than were asked for.
	cut  bool
	last *http.Response
}

func newPager(s *Sender, most int, out io.Writer) (*pager, error) {
	p := &pager{sender: s, most: most, out: out, seen: map[string]bool{}}
	if s.record.Pages != nil {
		p.pages = *s.record.Pages
	}
	if p.most <= 0 {
		p.most = defaultItems
	}
	items, err := parsePath(p.pages.Items)
	if err != nil {
		return nil, fmt.Errorf("pages: items %q: %w", p.pages.Items, err)
	}
	cursor, err := parsePath(p.pages.Cursor)
	if err != nil {
		return nil, fmt.Errorf("pages: cursor %q: %w", p.pages.Cursor, err)
	}
	p.items, p.cursor = items.steps, cursor.steps
	return p, nil
}

// fetch fetches pages until there is no next one or enough is there. A page that is
// answered with an error is returned with its body.
func (p *pager) fetch(ctx context.Context, r *Request) (failed []byte, err error) {
	for r != nil {
		p.seen[r.URL.String()] = true
		body, err := p.page(ctx, r)
		if err != nil {
			return nil, err
		}
		if p.last.StatusCode >= http.StatusBadRequest {
			return body, nil
		}
		value, err := decode(body)
		if err != nil {
			return nil, fmt.Errorf("a page is no JSON: %w", err)
		}
		n, err := p.take(value)
		if err != nil {
			return nil, err
		}
		next, err := p.next(r, value, n)
		if err != nil {
			return nil, err
		}
		if p.cut = p.cut || next != nil && p.count >= p.most; p.cut {
			return nil, nil
		}
		r = next
	}
	return nil, nil
}

func (p *pager) page(ctx context.Context, r *Request) ([]byte, error) {
	answer, err := p.sender.Send(ctx, r)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	p.last = answer.Response
	in, err := p.sender.content(answer.Response)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(in, maxPage+1))
	if err == nil && len(body) > maxPage {
		err = fmt.Errorf("a page is longer than %d MiB", maxPage>>20)
	}
	return []byte(p.sender.mask.text(string(body))), err
}

// list is the list of a page: where the map says, or the only one in it.
func (p *pager) list(value any) ([]any, error) {
	if len(p.items) > 0 {
		list, ok := at(value, p.items).([]any)
		if !ok {
			return nil, fmt.Errorf("a page has no list at %q", p.pages.Items)
		}
		return list, nil
	}
	if list, ok := value.([]any); ok {
		return list, nil
	}
	o, _ := value.(object)
	var found []any
	n := 0
	for _, m := range o {
		if list, ok := m.value.([]any); ok {
			found = list
			n++
		}
	}
	if n != 1 {
		return nil, errors.New("nobody knows which part of the answer is the list: the map's pages.items says it")
	}
	return found, nil
}

// take writes the items of a page.
func (p *pager) take(value any) (n int, err error) {
	list, err := p.list(value)
	if err != nil {
		return 0, err
	}
	for _, item := range list {
		if p.count >= p.most {
			p.cut = true
			break
		}
		data, err := encodeJSON(item)
		if err != nil {
			return 0, err
		}
		if p.size += int64(len(data)) + 1; p.size > p.sender.most {
			return 0, ErrTooLong
		}
		lead := []byte(",\n")
		if p.count == 0 {
			lead = []byte("[\n")
		}
		if _, err := p.out.Write(append(lead, data...)); err != nil {
			return 0, err
		}
		if p.count < maxKept {
			p.kept = append(p.kept, item)
		}
		p.count++
	}
	return len(list), nil
}

// maxKept bounds the items that are shown.
const maxKept = 5000

// end ends the list.
func (p *pager) end() error {
	text := "\n]\n"
	if p.count == 0 {
		text = "[]\n"
	}
	_, err := io.Copy(p.out, bytes.NewReader([]byte(text)))
	return err
}

// next is the request of the next page, nil after the last one.
func (p *pager) next(r *Request, value any, n int) (*Request, error) {
	u := *r.URL
	switch p.pages.By {
	case "page":
		if n == 0 {
			return nil, nil
		}
		number := 1
		for pair := range strings.SplitSeq(u.RawQuery, "&") {
			if text, ok := strings.CutPrefix(pair, escape(p.pages.Parameter)+"="); ok {
				var err error
				if number, err = strconv.Atoi(text); err != nil {
					return nil, fmt.Errorf("pages: %q is no number of a page", text)
				}
			}
		}
		u.RawQuery = setPair(u.RawQuery, escape(p.pages.Parameter), strconv.Itoa(number+1))
	case "cursor":
		text, ok := cursorOf(at(value, p.cursor))
		if !ok {
			return nil, nil
		}
		u.RawQuery = setPair(u.RawQuery, escape(p.pages.Parameter), escape(text))
	default:
		link := nextLink(p.last)
		if link == nil {
			return nil, nil
		}
		if link.Scheme != r.URL.Scheme || hostPort(link) != hostPort(r.URL) || link.User != nil {
			return nil, &Refused{fmt.Errorf("the next page is at another server, %s", clean(link.Host))}
		}
		u = *link
		u.Fragment = ""
	}
	if p.seen[u.String()] {
		return nil, nil
	}
	return &Request{r.Method, &u, r.Header, r.Body}, nil
}

func cursorOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, v != ""
	case json.Number:
		return v.String(), true
	}
	return "", false
}
