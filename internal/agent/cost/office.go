package cost

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
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

// Wish is what somebody wants, in their words, and the tool that does it.
type Wish struct{ Text, Want string }

// used are the wishes of the session that is measured.
var used = []Wish{
	{"search issues on github", "mcp.github.search_issue"},
	{"find a free slot", "mcp.calendar.find_free_slot"},
	{"send a slack message", "mcp.slack.send_message"},
	{"create a refund", "mcp.stripe.create_refund"},
}

// wishes are more of them, as people word them: with other verbs than the tool's,
// with plurals, with the name of the server and without.
var wishes = []Wish{
	{"open a new pull request", "mcp.github.create_pull_request"},
	{"show me the pull request", "mcp.github.get_pull_request"},
	{"remove a branch on github", "mcp.github.delete_branch"},
	{"look for releases", "mcp.github.search_release"},
	{"start a gitlab pipeline", "mcp.gitlab.create_pipeline"},
	{"edit the merge request", "mcp.gitlab.update_merge_request"},
	{"add a ticket to jira", "mcp.jira.create_ticket"},
	{"all sprints", "mcp.jira.list_sprint"},
	{"post a message in slack", "mcp.slack.send_message"},
	{"set a reminder", "mcp.slack.send_reminder"},
	{"make a new event in my calendar", "mcp.calendar.create_event"},
	{"change an event", "mcp.calendar.update_event"},
	{"read a document from the drive", "mcp.drive.get_document"},
	{"find spreadsheets", "mcp.drive.search_spreadsheet"},
	{"query rows of the database", "mcp.postgres.query_row"},
	{"add a row to a table in postgres", "mcp.postgres.insert_row"},
	{"fetch the stack trace", "mcp.sentry.get_stack_trace"},
	{"resolve an error event", "mcp.sentry.resolve_error_event"},
	{"which pods are there", "mcp.kubernetes.list_pod"},
	{"describe a node", "mcp.kubernetes.describe_node"},
	{"cancel the subscription of a customer", "mcp.stripe.cancel_subscription"},
	{"list invoices", "mcp.stripe.list_invoice"},
}

// officeTools are the definitions of a server.
func officeTools(keeper, things, verbs string) (out []definition.Tool) {
	for thing := range strings.SplitSeq(things, ",") {
		for verb := range strings.SplitSeq(verbs, ",") {
			out = append(out, officeTool(keeper, thing, verb))
		}
	}
	return out
}

func officeTool(keeper, thing, verb string) definition.Tool {
	schema := fmt.Sprintf(`{"type":"object","properties":{`+
		`"%[1]s_id":{"type":"string","description":"The unique identifier of the %[2]s. Get it from the corresponding list tool first."},`+
		`"fields":{"type":"array","items":{"type":"string"},"description":"Which fields of the %[2]s to return. By default all commonly used fields are returned."},`+
		`"filter":{"type":"string","description":"Filter expression, for example created>2024-01-01 AND status=open. Combine conditions with AND and OR."},`+
		`"page":{"type":"integer","minimum":1,"description":"Page number for pagination (min 1)"},`+
		`"per_page":{"type":"integer","minimum":1,"maximum":100,"description":"Results per page for pagination (min 1, max 100)"}},`+
		`"required":["%[1]s_id"],"additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#"}`, strings.ReplaceAll(thing, " ", "_"), thing)
	reads := slices.Contains([]string{"list", "get", "search", "find", "query", "describe"}, verb)
	return definition.Tool{
		Name: verb + "_" + strings.ReplaceAll(thing, " ", "_"),
		Description: fmt.Sprintf("%s %s in %s. Use this tool when the user asks about a %s or refers to one by its identifier or title. "+
			"Returns the result as JSON with the identifier, the title, the current status, timestamps and a link to the web interface. "+
			"Results are paginated; use the page and per_page parameters to retrieve further results.", strings.ToUpper(verb[:1])+verb[1:], thing, keeper, thing),
		InputSchema: json.RawMessage(schema),
		Annotations: json.RawMessage(fmt.Sprintf(`{"readOnlyHint":%t,"openWorldHint":true}`, reads)),
	}
}
