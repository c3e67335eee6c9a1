package door

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// te runs the envelope's program in the project and returns what it prints. Its
// words are ours: none of them comes before "--".
func (c *call) te(ctx context.Context, words ...string) (*mcp.CallToolResult, error) {
	cmd := exec.CommandContext(ctx, c.door.o.Te, words...)
	cmd.Dir, cmd.Stdin = c.door.o.Caller.Dir, nil
	for _, v := range c.door.o.Caller.Environ {
		if !strings.HasPrefix(v, "TE_AGENT_ID=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "TE_AGENT_ID="+c.door.o.Agent.Key)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !ended:
		return nil, fault(failed, "te cannot be run: %s", err)
	case ended && out.Len() == 0:
		return nil, fault(failed, "%s", strings.TrimSpace(errs.String()))
	}
	text := strings.ToValidUTF8(out.String(), "\ufffd")
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: shownText{V: 1, Text: text},
		IsError: ended && exit.ExitCode() > 1, // 1 is that nothing was found
	}, nil
}

func (c *call) readFile(ctx context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		Path string `json:"path"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if in.Path == "" {
		return nil, fault(invalidArguments, "path is empty")
	}
	path, err := c.inside(in.Path)
	if err != nil {
		return nil, err
	}
	return c.te(ctx, "cat", "--", path)
}

func (c *call) grep(ctx context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		Pattern string `json:"pattern"`
		Path    string `json:"path"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if in.Pattern == "" {
		return nil, fault(invalidArguments, "pattern is empty")
	}
	path, err := c.inside(in.Path)
	if err != nil {
		return nil, err
	}
	return c.te(ctx, "grep", "-rnE", "-e", in.Pattern, "--", path)
}

func (c *call) glob(ctx context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		Pattern string `json:"pattern"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if in.Pattern == "" {
		return nil, fault(invalidArguments, "pattern is empty")
	}
	test := "-name"
	pattern := in.Pattern
	if strings.Contains(pattern, "/") {
		test, pattern = "-path", "./"+strings.ReplaceAll(strings.TrimPrefix(pattern, "./"), "**/", "*")
	}
	return c.te(ctx, "find", ".", "-not", "-path", "./.git/*", test, pattern)
}
