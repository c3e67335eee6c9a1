package surface

import (
	"maps"
	"testing"
)

func TestSnake(t *testing.T) {
	for in, want := range map[string]string{
		"listPets": "list_pets", "issues/create": "issues_create", "getHTTPResponse": "get_http_response", "get-user.v1": "get_user_v1", "XMLExport": "xml_export",
		"repos2List": "repos2_list", "__x__": "x", "Ünïcode": "n_code", "a": "a", "X-Request-ID": "x_request_id",
	} {
		if got := Snake(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	params := []string{"per_page", "x_trace", "title", "body.title", "body.note", "body.due_on"}
	got := Named(params, map[string]string{"perPage": "1", "X-Trace": "2", "title": "3", "note": "4", "dueOn": "5", "none": "6"})
	want := map[string]string{"per_page": "1", "x_trace": "2", "title": "3", "body.note": "4", "body.due_on": "5", "none": "6"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	// What is given by its own name is not taken for another one.
	if got := Named([]string{"a_b"}, map[string]string{"a_b": "1", "aB": "2"}); got["a_b"] != "1" || got["aB"] != "2" {
		t.Errorf("%v", got)
	}
}

func TestPlace(t *testing.T) {
	record := []byte(`{"path":"/a/<p>?q=<q>","headers":{"X-H":"<h>"},"body":{"b":"\u003cb\u003e"}}`)
	for name, want := range map[string]string{"p": "path", "q": "query", "h": "header X-H", "b": "body", "body.c": "body", "none": ""} {
		if got := Place(record, name); got != want {
			t.Errorf("%s stands in %q, want %q", name, got, want)
		}
	}
}
