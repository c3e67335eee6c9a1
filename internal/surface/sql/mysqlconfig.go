package sql

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// mysqlConfig is where the server is: by a URL "mysql://user:password@host/database",
// by the driver's own form, or by a group of the user's option file.
func (c *connection) mysqlConfig() (*mysql.Config, error) {
	if c.Group != "" {
		return c.optionFile()
	}
	scheme, _, ok := strings.Cut(c.URL, "://")
	if !ok || scheme != "mysql" && scheme != "mariadb" {
		config, err := mysql.ParseDSN(c.URL)
		if err != nil {
			return nil, errors.New("the variable holds neither a URL mysql://… nor a name of the driver's form")
		}
		return config, nil
	}
	u, err := url.Parse(c.URL)
	if err != nil { // mysql://user@unix(/path)/database
		_, rest, _ := strings.Cut(c.URL, "://")
		config, err := mysql.ParseDSN(rest)
		if err != nil {
			return nil, errors.New("the URL cannot be read")
		}
		return config, nil
	}
	config := mysql.NewConfig()
	config.User = u.User.Username()
	config.Passwd, _ = u.User.Password()
	config.DBName = strings.TrimPrefix(u.Path, "/")
	config.Net, config.Addr = "tcp", u.Host
	if u.Port() == "" {
		config.Addr = net.JoinHostPort(u.Hostname(), "3306")
	}
	if u.Hostname() == "" {
		localSocket(config)
	}
	q := u.Query()
	for _, key := range []string{"socket", "unix_socket"} {
		if socket := q.Get(key); socket != "" {
			config.Net, config.Addr = "unix", socket
		}
	}
	if q.Has("tls") || q.Has("ssl") || q.Has("ssl-mode") {
		config.TLS = &tls.Config{ServerName: u.Hostname()}
	}
	return config, nil
}

// optionFile reads a group of ~/.my.cnf.
func (c *connection) optionFile() (*mysql.Config, error) {
	home := c.getenv("HOME")
	if home == "" {
		return nil, errors.New("there is no home directory, and so no ~/.my.cnf")
	}
	data, err := os.ReadFile(filepath.Join(home, ".my.cnf"))
	if err != nil {
		return nil, err
	}
	options, found := optionGroup(string(data), c.Group)
	if !found {
		return nil, fmt.Errorf("~/.my.cnf has no group [%s]", c.Group)
	}
	config := mysql.NewConfig()
	config.User, config.Passwd, config.DBName = options["user"], options["password"], options["database"]
	host := cmp.Or(options["host"], "localhost")
	config.Net, config.Addr = "tcp", net.JoinHostPort(host, cmp.Or(options["port"], "3306"))
	if host == "localhost" && options["port"] == "" {
		localSocket(config)
	}
	if socket := options["socket"]; socket != "" {
		config.Net, config.Addr = "unix", socket
	}
	if mode := options["ssl-mode"]; mode != "" && !strings.EqualFold(mode, "disabled") || options["ssl"] != "" && options["ssl"] != "0" {
		config.TLS = &tls.Config{ServerName: options["host"]}
	}
	return config, nil
}

// localSocket is where the clients of MySQL look for a server of this machine.
func localSocket(config *mysql.Config) {
	for _, socket := range []string{"/run/mysqld/mysqld.sock", "/var/run/mysqld/mysqld.sock", "/tmp/mysql.sock"} {
		if _, err := os.Stat(socket); err == nil {
			config.Net, config.Addr = "unix", socket
			return
		}
	}
}

// optionGroup reads the options of a group of an option file.
func optionGroup(text, group string) (options map[string]string, found bool) {
	options = map[string]string{}
	in := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", line[0] == '#', line[0] == ';', line[0] == '!':
		case line[0] == '[':
			in = strings.EqualFold(strings.Trim(line, "[] "), group)
			found = found || in
		case in:
			key, value, _ := strings.Cut(line, "=")
			key = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(key)), "_", "-")
			value = strings.TrimSpace(value)
			if len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
				value = value[1 : len(value)-1]
			}
			options[key] = value
		}
	}
	return options, found
}
