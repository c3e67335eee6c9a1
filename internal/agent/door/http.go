package door

import (
	"crypto/subtle"
	"encoding/json"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

// maxBody bounds a request, in bytes.
const maxBody = 4 << 20

// Handler serves the door over streamable HTTP at /mcp, and its inventory at
// /config/tools and /context/tools. It takes requests of this machine that hold
// the token in their header, and whose Host and Origin are its own or declared.
func (d *Door) Handler(address, token string) http.Handler {
	protocol := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return d.server }, &mcp.StreamableHTTPOptions{})
	mux := http.NewServeMux()
	mux.Handle("/mcp", protocol)
	mux.HandleFunc("GET /config/tools", d.configTools)
	mux.HandleFunc("GET /context/tools", d.contextTools)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !d.fromHere(r, address):
			refuse(w, http.StatusForbidden, "forbidden", "Host or Origin is not this server's own")
		case !holds(r, token):
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "unauthorized", "the token is missing or wrong")
		case r.ContentLength > maxBody:
			tooLarge(w, r)
		case r.Method == http.MethodPost && !isJSON(r):
			refuse(w, http.StatusUnsupportedMediaType, "not_json", "Content-Type is not application/json")
		default:
			if r.ContentLength < 0 && r.Method == http.MethodPost {
				data, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
				if err != nil || len(data) > maxBody {
					tooLarge(w, r)
					return
				}
				r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(data))), int64(len(data))
			}
			mux.ServeHTTP(w, r)
		}
	})
}

// holds reports whether a request has the token in its header. The name of the
// scheme is in either case (RFC 9110, section 11.1).
func holds(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}

// tooLarge reads some of a body that is too large before it refuses it: a client
// that writes all of it first would not see the answer.
func tooLarge(w http.ResponseWriter, r *http.Request) {
	_, _ = io.CopyN(io.Discard, r.Body, 8*maxBody)
	refuse(w, http.StatusRequestEntityTooLarge, "too_large", "a request is at most 4 MiB")
}

func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// fromHere reports whether a request was meant for this server: a page of another
// site that a browser has open must not reach it (DNS rebinding).
func (d *Door) fromHere(r *http.Request, address string) bool {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	host, hostPort, err := net.SplitHostPort(r.Host)
	if err != nil || hostPort != port || host != "127.0.0.1" && host != "localhost" && host != "::1" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return len(r.Header.Values("Origin")) == 0
	}
	if slices.Contains(d.o.Config.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && u.Port() == port && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost" || u.Hostname() == "::1")
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	type fault struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	reply(w, status, struct {
		V     int   `json:"v"`
		Error fault `json:"error"`
	}{1, fault{code, message}})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
}

// ToolList is the answer of tmp tools list and of /config/tools.
type ToolList struct {
	V         int              `json:"v"`
	AgentKey  string           `json:"agent_key"`
	StateMode toolid.StateMode `json:"state_mode"`
	Tools     []toolid.Row     `json:"tools"`
}

// of returns the door of the agent that a request selects; false if it was answered.
func (d *Door) of(w http.ResponseWriter, r *http.Request) (*Door, bool) {
	key := d.o.Agent.Key
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		refuse(w, http.StatusBadRequest, "unknown_selector", "the query cannot be read")
		return nil, false
	}
	for name, values := range query {
		if code := toolid.SelectorFault(name); code != "" {
			refuse(w, http.StatusBadRequest, code, name+" selects no inventory")
			return nil, false
		}
		key = values[len(values)-1]
	}
	agent, ok := d.o.Config.Agent(key)
	if !ok {
		refuse(w, http.StatusNotFound, "unknown_agent", "no agent has this key")
		return nil, false
	}
	other := &Door{o: d.o, store: d.store, names: d.names} // to look at alone
	other.o.Agent = agent
	return other, true
}

func (d *Door) configTools(w http.ResponseWriter, r *http.Request) {
	of, ok := d.of(w, r)
	if !ok {
		return
	}
	s, _ := of.session() // without a directory there are no operations
	a := ToolList{1, of.o.Agent.Key, of.o.Config.StateMode, []toolid.Row{}}
	for _, t := range of.Inventory(s) {
		a.Tools = append(a.Tools, t.Row)
	}
	reply(w, http.StatusOK, a)
}

func (d *Door) contextTools(w http.ResponseWriter, r *http.Request) {
	of, ok := d.of(w, r)
	if !ok {
		return
	}
	type enabled struct {
		ID      string `json:"canonical_id"`
		Enabled bool   `json:"enabled_by_agent"`
	}
	s, _ := of.session()
	tools := []enabled{}
	for _, t := range of.Inventory(s) {
		tools = append(tools, enabled{t.Row.CanonicalID, of.o.Agent.Has(t.Subject)})
	}
	reply(w, http.StatusOK, struct {
		V        int       `json:"v"`
		AgentKey string    `json:"agent_key"`
		Tools    []enabled `json:"tools"`
	}{1, of.o.Agent.Key, tools})
}
