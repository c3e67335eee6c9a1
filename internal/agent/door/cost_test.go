package door

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
)

// office are ten servers as offices have them, each with the things that it keeps
// and what can be done with them. Definitions are made of it in the length of
// those that public servers list.
var office = []struct{ server, keeper, things, verbs string }{
	{"github", "a GitHub repository", "issue,pull request,branch,release,workflow run", "list,get,create,update,delete,search"},
	{"gitlab", "a GitLab project", "merge request,pipeline,job,tag,runner", "list,get,create,update,delete,search"},
	{"jira", "a Jira project", "ticket,sprint,board,worklog,component", "list,get,create,update,delete,search"},
	{"slack", "a Slack workspace", "message,channel,thread,reminder,user group", "list,get,send,update,delete,search"},
	{"calendar", "a Google calendar", "event,attendee,room,calendar,free slot", "list,get,create,update,delete,find"},
	{"drive", "a Google drive", "document,spreadsheet,folder,comment,permission", "list,get,create,update,delete,search"},
	{"postgres", "a PostgreSQL database", "table,row,index,view,role", "list,get,insert,update,drop,query"},
	{"sentry", "a Sentry organisation", "error event,project,alert rule,release health,stack trace", "list,get,create,update,resolve,search"},
	{"kubernetes", "a Kubernetes cluster", "pod,deployment,service,config map,node", "list,get,apply,update,delete,describe"},
	{"stripe", "a Stripe account", "customer,invoice,subscription,refund,payment", "list,get,create,update,cancel,search"},
}

// officeTools are the definitions of a server.
func officeTools(keeper, things, verbs string) (out []definition.Tool) {
	for thing := range strings.SplitSeq(things, ",") {
		for verb := range strings.SplitSeq(verbs, ",") {
			name := verb + "_" + strings.ReplaceAll(thing, " ", "_")
			schema := fmt.Sprintf(`{"type":"object","properties":{`+
				`"%[1]s_id":{"type":"string","description":"The unique identifier of the %[2]s. Get it from the corresponding list tool first."},`+
				`"fields":{"type":"array","items":{"type":"string"},"description":"Which fields of the %[2]s to return. By default all commonly used fields are returned."},`+
				`"filter":{"type":"string","description":"Filter expression, for example created>2024-01-01 AND status=open. Combine conditions with AND and OR."},`+
				`"page":{"type":"integer","minimum":1,"description":"Page number for pagination (min 1)"},`+
				`"per_page":{"type":"integer","minimum":1,"maximum":100,"description":"Results per page for pagination (min 1, max 100)"}},`+
				`"required":["%[1]s_id"],"additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#"}`, strings.ReplaceAll(thing, " ", "_"), thing)
			out = append(out, definition.Tool{
				Name: name,
				Description: fmt.Sprintf("%s %s in %s. Use this tool when the user asks about a %s or refers to one by its identifier or title. "+
					"Returns the result as JSON with the identifier, the title, the current status, timestamps and a link to the web interface. "+
					"Results are paginated; use the page and per_page parameters to retrieve further results.", strings.ToUpper(verb[:1])+verb[1:], thing, keeper, thing),
				InputSchema: json.RawMessage(schema),
				Annotations: json.RawMessage(`{"readOnlyHint":` + fmt.Sprint(slices.Contains([]string{"list", "get", "search", "find", "query", "describe"}, verb)) + `,"openWorldHint":true}`),
			})
		}
	}
	return out
}

// What a session with ten servers of thirty tools each costs an agent, beside
// what the list of all of them would: the door's own list, and for each of four
// wishes the search and the one definition that it takes.
func TestCost(t *testing.T) {
	var config strings.Builder
	config.WriteString("schema = 2\n[agent.ci]\nallow = [\"*\"]\n")
	for _, o := range office {
		fmt.Fprintf(&config, "[server.%s]\ncommand = [\"x\"]\n", o.server)
	}
	c, _, problems := conf.Read("agent.toml", config.String())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	w := newWorld(t, "good", "")
	o := w.door.o
	o.Config = c
	o.Agent, _ = c.Agent("ci")
	o.Te = "/bin/true"
	d := New(o)
	t.Cleanup(d.Close)
	all := []*mcp.Tool{}
	for _, of := range office {
		l := inventory.Listing{Server: of.server, Origin: []string{"x"}, Tools: officeTools(of.keeper, of.things, of.verbs)}
		if err := d.store.PutListing(l); err != nil {
			t.Fatal(err)
		}
		var pins []inventory.Pinned
		for i := range l.Tools {
			tool := &l.Tools[i]
			pins = append(pins, inventory.Pinned{ID: "mcp." + of.server + "." + tool.Name, Pin: tool.Pin(l.Origin), At: "2026-11-01T00:00:00Z", Tool: *tool})
			all = append(all, &mcp.Tool{Name: tool.Name, Description: tool.Description, InputSchema: tool.InputSchema})
		}
		if err := d.store.Pin(pins...); err != nil {
			t.Fatal(err)
		}
	}
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	// A text is what a model reads; a list is handed to it as JSON.
	tokens := func(v any) int {
		text, ok := v.(string)
		if !ok {
			data, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
		}
		ids, _, err := codec.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := d.Server().Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	session := tokens(list.Tools)
	w.client = client
	for wish, want := range map[string]string{
		"search issues on github": "mcp.github.search_issue",
		"find a free slot":        "mcp.calendar.find_free_slot",
		"send a slack message":    "mcp.slack.send_message",
		"create a refund":         "mcp.stripe.create_refund",
	} {
		found, code := w.call("tmp_tools", fmt.Sprintf(`{"query":%q,"limit":3}`, wish))
		if code != "" || !strings.Contains(found, want+`"`) {
			t.Errorf("%s: %s is not among the first: %s", wish, want, found)
		}
		shown, code := w.call("tmp_tools", fmt.Sprintf(`{"id":%q}`, want))
		if code != "" {
			t.Fatalf("%s: %s", want, shown)
		}
		session += tokens(found) + tokens(shown)
	}
	whole := tokens(all)
	t.Logf("300 tools listed: %d tokens; a session that uses four of them: %d, %.1f %%", whole, session, 100*float64(session)/float64(whole))
	if session*100 > whole*3 {
		t.Errorf("a session costs %d tokens of %d", session, whole)
	}
}
