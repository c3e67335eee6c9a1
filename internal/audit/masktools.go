package audit

import "strings"

// secretOption reports whether the word after an option of a tool is a secret,
// which the option's own name does not tell.
func secretOption(tool, word string) bool {
	switch word {
	case "-p", "-P":
		return takesPassword(tool)
	case "-a":
		return tool == "redis-cli"
	case "-u":
		return tool == "curl" || tool == "xh" || tool == "http" || tool == "lftp" || tool == "ncftpget" || tool == "ncftpput"
	case "--user", "--proxy-user":
		return tool == "curl" || tool == "xh" || tool == "http"
	case "-U":
		return tool == "curl" || tool == "xh" || tool == "http" || tool == "smbclient" || tool == "rpcclient"
	case "-b":
		return tool == "curl"
	case "-w":
		return strings.HasPrefix(tool, "ldap")
	case "-s":
		return tool == "ldappasswd"
	case "-k", "-K", "-pass", "-passin", "-passout", "-password":
		return tool == "openssl"
	}
	return false
}

// takesPassword reports whether a tool takes a password as the word after -p or -P.
func takesPassword(tool string) bool {
	switch tool {
	case "sshpass", "mongosh", "mongo", "docker", "podman", "helm", "ldapsearch", "smbclient", "az", "oc", "useradd", "usermod",
		"zip", "unzip", "zipcloak", "sqlcmd", "bcp":
		return true
	}
	return false
}

// setting reports whether a word of a tool that keeps settings names one that is
// secret; its value is the next word: aws configure set aws_secret_access_key X.
func setting(tool, word string) bool {
	switch tool {
	case "aws", "az", "gcloud", "git", "npm", "pnpm", "yarn", "pip", "poetry", "composer", "rclone", "nmcli", "heroku", "fly", "cargo", "gh":
		// Without "_" or "." it is more often a verb or a thing: gh secret delete.
		word = strings.Trim(word, `"'`)
		name := word[strings.LastIndexByte(word, '.')+1:]
		return word == "password" || strings.ContainsAny(word, "_.") && isName(name) && secretName(name)
	}
	return false
}

// argument reports whether the n-th argument of a tool, from 0, is a password.
func argument(tool string, n int) bool {
	return tool == "htpasswd" && n >= 2 || tool == "wpa_passphrase" && n >= 1
}

// readsSecret reports whether a command of the line reads a password from its
// standard input, so that what is printed or handed to it there may be one.
func readsSecret(line string) bool {
	for _, s := range [...]string{"chpasswd", "cryptsetup", "-stdin", "--with-token", "--passphrase-fd"} {
		if strings.Contains(line, s) {
			return true
		}
	}
	near := 0 // words that may still be options of the last sudo
	for w := range strings.FieldsSeq(line) {
		switch {
		case w == "sudo":
			near = 6
		case near > 0 && len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "S"):
			return true
		default:
			near--
		}
	}
	return false
}

// maskKeys hides private keys that are written out, to their end.
func maskKeys(line string) string {
	const begin, end = "PRIVATE KEY-----", "-----END"
	k := strings.Index(line, begin)
	if k < 0 {
		return line
	}
	head, rest := line[:k+len(begin)], line[k+len(begin):]
	if strings.HasPrefix(rest, hidden) {
		return line
	}
	if e := strings.Index(rest, end); e >= 0 {
		return head + hidden + rest[e:]
	}
	return head + hidden
}

// maskPlaces hides the secret parts of URLs: parameters of telling names, and
// addresses that are themselves the secret.
func maskPlaces(word string) string {
	if !strings.Contains(word, "://") {
		return word
	}
	for _, place := range [...]string{"hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "api.telegram.org/bot", ".webhook.office.com/"} {
		if k := strings.Index(word, place); k >= 0 {
			k += len(place)
			word = word[:k] + hidden + word[k+span(word[k:], `"' `):]
		}
	}
	var b strings.Builder
	for {
		k := strings.IndexAny(word, "?&")
		if k < 0 {
			break
		}
		b.WriteString(word[:k+1])
		word = word[k+1:]
		name, value, ok := strings.Cut(word[:span(word, `&#"' `)], "=")
		if ok && value != "" && secretName(name) {
			b.WriteString(name + "=" + hidden)
			word = word[len(name)+1+len(value):]
		}
	}
	b.WriteString(word)
	return b.String()
}

// span is the length of what comes before the first of some bytes.
func span(s, ends string) int {
	if k := strings.IndexAny(s, ends); k >= 0 {
		return k
	}
	return len(s)
}
