package toolid

import (
	"errors"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	tests := []struct {
		id string
		ok bool
	}{
		{"cargo.test", true},
		{"cargo.run_bin", true},
		{"release_candidate", true},
		{"tool.desktop.wait-for", true},
		{"artifact.publish_draft", true},
		{"a1.b2", true},
		{"", false},
		{".", false},
		{"cargo.", false},
		{".test", false},
		{"cargo..test", false},
		{"Cargo.test", false},
		{"cargo.Test", false},
		{"1cargo.test", false},
		{"cargo._x", false},
		{"cargo.-x", false},
		{"cargo test", false},
		{"cargo/test", false},
		{"../x", false},
		{"cargo.tést", false},
		{strings.Repeat("a", 128), true},
		{strings.Repeat("a", 129), false},
	}
	for _, tt := range tests {
		err := Check(tt.id)
		if (err == nil) != tt.ok {
			t.Errorf("Check(%q) = %v, want ok %v", tt.id, err, tt.ok)
		}
		var typed *IDError
		if err != nil && (!errors.As(err, &typed) || typed.ID != tt.id) {
			t.Errorf("Check(%q) = %T, want an *IDError with the ID", tt.id, err)
		}
	}
}

func TestReserved(t *testing.T) {
	tests := []struct{ id, want string }{
		{"artifact.publish_draft", "artifact."},
		{"mcp.exa.web_search_exa", "mcp."},
		{"memory.seed", "memory."},
		{"tool.fs.read", "tool."},
		{"read", "read"},
		{"apply_patch", "apply_patch"},
		{"reader", ""},
		{"cargo.read", ""},
		{"artifacts.x", ""},
		{"artifact", ""},
	}
	for _, tt := range tests {
		if got := Reserved(tt.id); got != tt.want {
			t.Errorf("Reserved(%q) = %q, want %q", tt.id, got, tt.want)
		}
	}
}

func TestPublic(t *testing.T) {
	if got := Public("cargo.run_bin"); got != "cargo.run-bin" {
		t.Errorf("Public = %q", got)
	}
}
