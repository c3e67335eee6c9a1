package api

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// Do carries a request of tmp's out.
func Do(ctx context.Context, w surface.World, q *surface.Request) *surface.Report {
	return do(ctx, w, q, func(*Sender) {})
}

// do is Do with a sender that is tuned before it sends.
func do(ctx context.Context, w surface.World, q *surface.Request, tune func(*Sender)) *surface.Report {
	rep := &surface.Report{V: 1, Fields: map[string]any{}}
	job := &job{q: q, w: w, rep: rep, tune: tune}
	err := job.prepare()
	if err == nil {
		switch q.Mode {
		case surface.Run:
			err = job.run(ctx)
		case surface.Values:
			err = job.values(ctx)
		default:
			job.describe()
		}
	}
	if err != nil {
		job.fail(ctx, err)
	}
	return rep
}

// job is one request on its way to a report.
type job struct {
	q          *surface.Request
	w          surface.World
	rep        *surface.Report
	record     *Record
	credential *Credential
	secret     string
	request    *Request
	paths      []path
	tune       func(*Sender)
}

// codeError is an error with its code, in the words of an envelope.
type codeError struct {
	code string
	err  error
}

func (e *codeError) Error() string { return e.err.Error() }
func (e *codeError) Unwrap() error { return e.err }

// fail writes an error into the report. Nothing of it shows a secret.
func (j *job) fail(ctx context.Context, err error) {
	var c *codeError
	var fault *Fault
	status, code := statusOf(err)
	switch {
	case errors.As(err, &c):
		status, code = statusRefused, c.code
	case errors.As(err, &fault):
		status, code = statusRefused, "missing_parameter"
	case !j.rep.Started:
		status, code = statusRefused, "refused"
	case errors.Is(context.Cause(ctx), surface.ErrInterrupted):
		status, code, err = surface.StatusInterrupt, "interrupted", surface.ErrInterrupted
	case errors.Is(context.Cause(ctx), surface.ErrTimeout):
		status, code, err = statusTimeout, "timeout", surface.ErrTimeout
	}
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	if code == "timeout" && !errors.Is(err, surface.ErrTimeout) {
		text = "the answer did not come in time"
	}
	if c, secret := j.credential, j.secret; c != nil {
		text = newMasker(c, secret).text(text)
	}
	j.rep.Status, j.rep.Code, j.rep.Message = status, code, clean(text)
}

// prepare makes the request, without its secret.
func (j *job) prepare() error {
	r, err := ParseRecord(j.q.Record)
	if err != nil {
		return err
	}
	j.record = r
	if err := j.authorise(); err != nil {
		return err
	}
	for _, text := range r.Select {
		p, err := parsePath(text)
		if err != nil {
			return fmt.Errorf("select %q: %w", text, err)
		}
		j.paths = append(j.paths, p)
	}
	body, err := j.body()
	if err != nil {
		return err
	}
	params := make([]Param, 0, len(j.q.Params))
	for _, p := range j.q.Params {
		params = append(params, Param{Name: p.Name, Type: p.Type, Format: p.Format, Enum: p.Enum, Minimum: p.Minimum, Maximum: p.Maximum, Required: p.Required})
	}
	if j.request, err = Build(r, params, Values{Set: j.q.Values, Body: body}); err != nil {
		return err
	}
	if j.credential != nil {
		if err := j.credential.For(j.request.URL); err != nil {
			return &Refused{err}
		}
	}
	return nil
}

// authorise finds the credential that the record names, and the server where it
// names none: the only host of the only credential.
func (j *job) authorise() error {
	all, faults := ReadCredentials(j.w.Config)
	name := j.record.Auth
	if name == "" && j.record.Server == "" {
		switch there := sortedNames(all); len(there) {
		case 1:
			name = there[0]
		case 0:
			return errors.Join(append([]error{errors.New("the map names no server, and config.toml has no [api.NAME] whose host it could be")}, faults...)...)
		default:
			return fmt.Errorf("the map names no server, and config.toml has more than one: %s", strings.Join(there, ", "))
		}
	}
	if name == "" {
		return nil
	}
	j.credential = all[name]
	if j.credential == nil {
		for _, f := range faults {
			if strings.HasPrefix(f.Error(), "[api."+name+"]") {
				return &Refused{f}
			}
		}
		there := "there is none"
		if names := sortedNames(all); len(names) > 0 {
			there = "there is " + strings.Join(names, ", ")
		}
		j.rep.Hints = append(j.rep.Hints, fmt.Sprintf(`in ~/.config/tmp/config.toml: [api.%s] type = "bearer", from = "env:NAME", hosts = ["HOST"]`, clean(name)))
		return &Refused{fmt.Errorf("config.toml has no [api.%s], which the operation names: %s", name, there)}
	}
	if j.record.Server == "" {
		if len(j.credential.Hosts) != 1 {
			return &Refused{fmt.Errorf("the map names no server, and [api.%s] has not just one host", name)}
		}
		j.record.Server = serverOf(j.credential.Hosts[0])
	}
	return nil
}

// serverOf is the server of a host: https, but on this machine.
func serverOf(host string) string {
	name := host
	if i := strings.LastIndexByte(host, ':'); i > 0 && !strings.HasSuffix(host, "]") {
		name = host[:i]
	}
	if isLoopbackName(strings.Trim(name, "[]")) {
		return "http://" + host
	}
	return "https://" + host
}

func sortedNames(all map[string]*Credential) []string {
	out := make([]string, 0, len(all))
	for name := range all {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// maxBody bounds a body that is given whole, in bytes.
const maxBody = 64 << 20

// body reads the file of --body, which must be what was approved.
func (j *job) body() ([]byte, error) {
	if j.q.Body == "" {
		return nil, nil
	}
	in := j.w.Stdin
	if j.q.Body != "-" {
		f, err := os.Open(j.q.Body)
		if err != nil {
			return nil, fmt.Errorf("the body: %w", err)
		}
		defer f.Close()
		if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
			return nil, &codeError{"not_a_file", fmt.Errorf("the body: %s is no file", j.q.Body)}
		}
		in = f
	}
	if in == nil {
		in = bytes.NewReader(nil)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxBody+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the body: %w", err)
	case len(data) > maxBody:
		return nil, fmt.Errorf("the body is longer than %d MiB", maxBody>>20)
	}
	if j.q.BodySHA256 != "" {
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != j.q.BodySHA256 {
			return nil, &codeError{"approval_stale", errors.New("the body is not what it was when the request was planned")}
		}
	}
	if data == nil {
		data = []byte{}
	}
	return data, nil
}

// newKey stands in a request that is only shown where each run has a key of its own.
const newKey = "(a new key)"

// describe says the request.
func (j *job) describe() {
	if name := j.record.IdempotencyKey; name != "" && j.request.Header.Get(name) == "" {
		j.request.Header[http.CanonicalHeaderKey(name)] = []string{newKey}
	}
	lines := j.request.Lines(j.credential)
	j.rep.Lines = append(lines, "", j.request.Curl(j.credential))
	j.rep.SetFacts(j.request.facts(j.credential))
}

// sender is the sender of the request, with its secret.
func (j *job) sender(ctx context.Context) (*Sender, error) {
	if j.credential != nil {
		secret, err := j.credential.Secret(ctx, j.w.Getenv)
		if err != nil {
			return nil, &Refused{err}
		}
		j.secret = secret
	}
	s, err := newSender(j.record, j.credential, j.secret, j.w.Getenv)
	if err != nil {
		return nil, err
	}
	s.repeatable = j.record.repeatable(false)
	if asked := time.Duration(j.q.Timeout) * time.Millisecond; asked > s.whole {
		s.whole = asked
	}
	if j.w.Notice != nil {
		s.tell = j.w.Notice
	}
	j.tune(s)
	if name := j.record.IdempotencyKey; name != "" && j.request.Header.Get(name) == "" {
		j.request.Header.Set(name, uuid())
	}
	return s, nil
}

// uuid is a random one (RFC 9562, version 4).
func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// run sends the request and shows what is answered.
func (j *job) run(ctx context.Context) error {
	if j.q.All && !j.record.Safe() {
		return &codeError{"usage", fmt.Errorf("--all is for operations that read: this one is a %s", j.record.Method)}
	}
	s, err := j.sender(ctx)
	if err != nil {
		return err
	}
	j.rep.Started = true
	if j.q.All {
		return j.list(ctx, s)
	}
	answer, err := s.Send(ctx, j.request)
	if err != nil {
		return err
	}
	defer answer.Close()
	j.rep.HTTPStatus = answer.StatusCode
	in, err := s.content(answer.Response)
	if err != nil {
		return err
	}
	kept := &head{most: maxPage}
	n, err := copyMasked(s.mask, io.MultiWriter(j.w.Stdout, kept), in)
	contentType := s.mask.text(answer.Header.Get("Content-Type"))
	j.show(answer.StatusCode, contentType, n, kept)
	if err != nil {
		return err
	}
	if nextLink(answer.Response) != nil && j.record.Safe() {
		j.note("there are more pages: --all fetches them")
	}
	return nil
}

// copyMasked copies an answer with its secrets masked.
func copyMasked(m *masker, out io.Writer, in io.Reader) (int64, error) {
	w := m.writer(out)
	n, err := io.Copy(w, in)
	if e := w.Close(); err == nil {
		err = e
	}
	return n, err
}

// head keeps the beginning of what is written, whole if it is not too long.
type head struct {
	bytes.Buffer
	most int
	over bool
}

func (h *head) Write(p []byte) (int, error) {
	n := len(p)
	if h.Len()+n > h.most {
		h.over = true
		p = p[:max(h.most-h.Len(), 0)]
	}
	_, err := h.Buffer.Write(p)
	return n, err
}

// show writes what is read first into the report.
func (j *job) show(status int, contentType string, size int64, body *head) {
	rep := j.rep
	rep.Lines = append(rep.Lines, summary(status, contentType, size))
	if contentType != "" {
		rep.Fields["content_type"] = clean(contentType)
	}
	var v view
	if body.over {
		v.fields = map[string]any{"cut": true}
	} else {
		v = look(status, contentType, body.Bytes(), j.paths, j.q.Format, j.q.Width)
	}
	for name, value := range v.fields {
		rep.Fields[name] = value
	}
	rep.Text, rep.Output = v.text, v.json
	if v.json == nil && size > 0 && len(j.paths) > 0 && status < http.StatusBadRequest {
		j.note("the answer is no JSON: nothing was selected of it")
	}
	if status >= http.StatusBadRequest {
		rep.Status, rep.Code, rep.Message = statusHTTP, "http_error", v.message
		if rep.Message == "" {
			rep.Message = statusText(status)
		}
	}
}

// note tells something beside the answer: a person in a line, an agent in the summary.
func (j *job) note(text string) {
	j.rep.Lines = append(j.rep.Lines, text)
	notes, _ := j.rep.Fields["notes"].([]string)
	j.rep.Fields["notes"] = append(notes, text)
}

// list fetches all pages.
func (j *job) list(ctx context.Context, s *Sender) error {
	p, err := newPager(s, j.q.MaxItems, j.w.Stdout)
	if err != nil {
		return err
	}
	failed, err := p.fetch(ctx, j.request)
	if p.last != nil {
		j.rep.HTTPStatus = p.last.StatusCode
	}
	if failed != nil {
		kept := &head{most: maxPage}
		_, _ = kept.Write(failed)
		j.show(p.last.StatusCode, p.last.Header.Get("Content-Type"), int64(len(failed)), kept)
		if p.count == 0 {
			_, err = j.w.Stdout.Write(failed)
			return err
		}
	}
	if e := p.end(); err == nil {
		err = e
	}
	if failed != nil {
		return err
	}
	v := view{fields: j.rep.Fields}
	v.show(any(p.kept), j.paths, j.q.Format, j.q.Width)
	j.rep.Text, j.rep.Output = v.text, v.json
	j.rep.Fields["items"] = p.count
	if p.cut {
		j.rep.Fields["more"] = true
		j.note(fmt.Sprintf("there are more than %d items: --max-items fetches more", p.count))
	}
	return err
}

// values prints the values of a resolver, "api:OP#path", one a line.
func (j *job) values(ctx context.Context) error {
	_, where, ok := strings.Cut(j.q.Resolver, "#")
	if !ok || !j.record.Safe() {
		return fmt.Errorf("resolver %q: want api:OPERATION#PATH of an operation that reads", j.q.Resolver)
	}
	p, err := parsePath(where)
	if err != nil {
		return err
	}
	s, err := j.sender(ctx)
	if err != nil {
		return err
	}
	j.rep.Started = true
	answer, err := s.Send(ctx, j.request)
	if err != nil {
		return err
	}
	defer answer.Close()
	j.rep.HTTPStatus = answer.StatusCode
	if answer.StatusCode >= http.StatusBadRequest {
		j.rep.Status, j.rep.Code, j.rep.Message = statusHTTP, "http_error", statusText(answer.StatusCode)
		return nil
	}
	in, err := s.content(answer.Response)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(io.LimitReader(in, maxPage))
	if err != nil {
		return err
	}
	value, err := decode([]byte(s.mask.text(string(body))))
	if err != nil {
		return fmt.Errorf("the answer is no JSON: %w", err)
	}
	_, err = io.WriteString(j.w.Stdout, strings.Join(leaves(at(value, p.steps)), "\n")+"\n")
	return err
}

// maxValues bounds the values of a resolver.
const maxValues = 10_000

// leaves are the texts of a value, each once.
func leaves(v any) []string {
	var out []string
	seen := map[string]bool{}
	var walk func(any)
	walk = func(v any) {
		if list, ok := v.([]any); ok {
			for _, item := range list {
				walk(item)
			}
			return
		}
		if _, ok := v.(object); ok || v == nil || len(out) == maxValues {
			return
		}
		if text, err := scalar(v); err == nil && text != "" && !seen[text] && !strings.ContainsAny(text, "\r\n") {
			seen[text] = true
			out = append(out, text)
		}
	}
	walk(v)
	return out
}
