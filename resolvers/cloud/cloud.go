// Package cloud has the values of aws, gcloud and terraform, from their files.
package cloud

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// GcloudConfigurations answers gcloud:configurations.
func GcloudConfigurations(ctx context.Context, r resolvers.Request) resolvers.Answer {
	dir := r.Env("CLOUDSDK_CONFIG")
	if dir == "" {
		dir = filepath.Join(r.Env("HOME"), ".config", "gcloud")
	}
	return resolvers.NamesOfDir(ctx, r, "configuration", func(name string) string {
		text, ok := strings.CutPrefix(name, "config_")
		if !ok {
			return ""
		}
		return text
	}, filepath.Join(disk.Within(r.Dir, dir), "configurations"))
}

// AWSProfiles answers aws:profiles from the two files of the configuration.
func AWSProfiles(ctx context.Context, r resolvers.Request) resolvers.Answer {
	path := func(name, base string) string {
		if p := r.Env(name); p != "" {
			return disk.Within(r.Dir, p)
		}
		return filepath.Join(r.Env("HOME"), ".aws", base)
	}
	return resolvers.IniSections(ctx, r, "profile", "profile ", path("AWS_CONFIG_FILE", "config"), path("AWS_SHARED_CREDENTIALS_FILE", "credentials"))
}

// GcloudConfiguration returns the name of gcloud's active configuration, and the
// project and account that it sets.
func GcloudConfiguration(getenv func(string) string) string {
	r := resolvers.Request{Getenv: getenv}
	dir := r.Env("CLOUDSDK_CONFIG")
	if dir == "" {
		dir = filepath.Join(r.Env("HOME"), ".config", "gcloud")
	}
	data, err := disk.ReadRegular(filepath.Join(dir, "active_config"), 4096)
	if err != nil {
		return ""
	}
	name := strings.TrimSpace(string(data))
	out := name
	if strings.ContainsAny(name, "/\x00") {
		return out
	}
	_ = disk.EachLine(filepath.Join(dir, "configurations", "config_"+name), func(line string) {
		key, value, ok := strings.Cut(line, "=")
		if key = strings.TrimSpace(key); ok && (key == "project" || key == "account") {
			out += " " + strings.TrimSpace(value)
		}
	})
	return out
}
