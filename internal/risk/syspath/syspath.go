// Package syspath says which paths are more than a file of somebody's: devices, the
// account database, what the system runs by itself.
package syspath

import (
	"path"
	"strings"
)

// Special reports whether writing to a path means more than to change a file.
func Special(p string) bool {
	return IsDevice(p) || IsTrigger(p) || IsAccount(p) || IsKeys(p) || RunsLater(p) || IsKernel(p)
}

// IsTrigger reports whether what is written to a path acts on the kernel at once.
func IsTrigger(p string) bool { return path.Clean(p) == "/proc/sysrq-trigger" }

// IsDevice reports whether a path names a block device by its usual name: what
// is written there is no file.
func IsDevice(p string) bool {
	p = path.Clean(p)
	if !strings.HasPrefix(p, "/dev/") {
		return false
	}
	name := p[len("/dev/"):]
	for _, dir := range []string{"disk/", "mapper/", "block/"} {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	for _, prefix := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "md", "dm-", "loop", "nbd", "zd", "ram", "sr", "disk", "rdisk", "drbd", "bcache", "mtdblock"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && rest[0] != '/' {
			return true
		}
	}
	return false
}

// IsSystemDir reports whether a path is the root, everything in it, or a
// directory that the system lives in.
func IsSystemDir(p string) bool {
	p = strings.TrimSuffix(p, "*")
	if p == "" {
		return false
	}
	switch path.Clean(p) {
	case "/", "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/opt", "/proc", "/root", "/sbin", "/sys",
		"/usr", "/usr/bin", "/usr/lib", "/usr/local", "/var", "/var/lib", "/home", "/System", "/Library", "/Users", "/Applications":
		return true
	}
	return false
}

// IsVital reports whether the system stands on a path as it is: its directories,
// the databases of accounts, its programs and libraries. Who cannot read or run
// these can do nothing, and may not even log in to change it back.
func IsVital(p string) bool {
	if IsSystemDir(p) || IsAccount(p) {
		return true
	}
	p = path.Clean(p)
	for _, dir := range [...]string{"/bin/", "/sbin/", "/lib/", "/lib64/", "/usr/bin/", "/usr/sbin/", "/usr/lib/", "/usr/libexec/", "/boot/", "/etc/pam.d/", "/etc/ld.so"} {
		if strings.HasPrefix(p, dir) {
			return true
		}
	}
	switch p {
	case "/etc/nsswitch.conf", "/etc/fstab", "/etc/sudoers", "/etc/hosts", "/etc/resolv.conf", "/etc/ssh", "/etc/pam.d", "/etc/systemd", "/etc/ssl", "/etc/apt", "/etc/network", "/etc/netplan":
		return true
	}
	return false
}

// IsStartup reports whether a path is a file that a shell or a session reads
// at its start.
func IsStartup(p string) bool {
	switch path.Base(p) {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
		".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", "config.fish", ".inputrc", ".xprofile", ".xinitrc", ".pam_environment":
		return true
	}
	switch p = path.Clean(p); {
	case p == "/etc/profile", p == "/etc/bash.bashrc", p == "/etc/environment", p == "/etc/zshrc", p == "/etc/zshenv":
		return true
	case strings.HasPrefix(p, "/etc/profile.d/"), strings.HasPrefix(p, "/etc/zsh/"), strings.HasPrefix(p, "/etc/fish/"):
		return true
	}
	return strings.Contains(p, ".config/fish/conf.d/")
}

// IsAccount reports whether a path is a database of accounts.
func IsAccount(p string) bool {
	switch path.Clean(p) {
	case "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/master.passwd":
		return true
	}
	return false
}

// IsKeys reports whether a path is a file that says who may log in or become
// root.
func IsKeys(p string) bool {
	p = path.Clean(p)
	switch path.Base(p) {
	case "authorized_keys", "authorized_keys2", "sudoers", "doas.conf", ".rhosts", "hosts.equiv":
		return true
	}
	return p == "/etc/sudoers.d" || strings.HasPrefix(p, "/etc/sudoers.d/") || p == "/etc/pam.d" || strings.HasPrefix(p, "/etc/pam.d/") ||
		p == "/etc/ssh/sshd_config"
}

// IsKernel reports whether a path is a setting of the running kernel.
func IsKernel(p string) bool {
	p = path.Clean(p)
	return strings.HasPrefix(p, "/proc/sys/") || strings.HasPrefix(p, "/sys/") || strings.HasPrefix(p, "/proc/acpi/")
}

// RunsLater reports whether a path is in a place from which the system, a shell
// or git starts programs by itself: schedules, services, start-up scripts, hooks.
func RunsLater(p string) bool {
	p = path.Clean(p)
	for _, dir := range []string{
		"/etc/cron", "/var/spool/cron/", "/etc/systemd/", "/usr/lib/systemd/", "/lib/systemd/", "/etc/init.d/", "/etc/profile.d/",
		"/etc/udev/", "/etc/ld.so.", "/etc/rc.local", "/etc/pam.d/", "/etc/anacrontab", "/boot/", "/etc/xdg/autostart/", "/Library/Launch",
	} {
		if strings.HasPrefix(p, dir) {
			return true
		}
	}
	return strings.Contains(p, ".git/hooks/") || strings.Contains(p, "/systemd/user/") || strings.Contains(p, "/.config/autostart/") ||
		strings.Contains(p, "/Library/LaunchAgents/")
}

// IsHarmless reports whether writing to a path changes nothing that stays.
func IsHarmless(p string) bool {
	switch p = path.Clean(p); p {
	case "/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/console":
		return true
	}
	return strings.HasPrefix(p, "/dev/fd/") || strings.HasPrefix(p, "/dev/pts/") || strings.HasPrefix(p, "/proc/self/fd/")
}

// Host returns the host of HOST:PATH and USER@HOST:PATH, as scp and rsync read them,
// and of the URLs of rsync, scp and sftp; "" for a path of this machine.
func Host(arg string) string {
	for _, scheme := range [...]string{"rsync://", "scp://", "sftp://"} {
		if rest, ok := strings.CutPrefix(arg, scheme); ok {
			arg = strings.Replace(rest, "/", ":", 1)
		}
	}
	host, _, ok := strings.Cut(arg, ":")
	if !ok || strings.ContainsAny(host, "/\\ ") {
		return ""
	}
	return host[strings.LastIndexByte(host, '@')+1:]
}

// IsSecret reports whether a path is by its name that of a secret: a private key,
// credentials of a cloud or a registry, the variables of a deployment.
func IsSecret(p string) bool {
	p = strings.ToLower(strings.TrimSuffix(p, "/"))
	base := path.Base(p)
	for _, s := range [...]string{".pub", "example", "sample", "template", "dist", ".md", ".html", ".py", ".go", ".js", ".ts", ".c", ".h", ".rb", ".java", ".rs"} {
		if strings.HasSuffix(base, s) || len(s) > 4 && strings.Contains(base, s) {
			return false
		}
	}
	switch base {
	case ".env", ".envrc", ".netrc", ".pgpass", ".my.cnf", ".git-credentials", ".npmrc", ".pypirc", ".htpasswd", "htpasswd", "shadow", "gshadow", "credentials", "credentials.json",
		"credentials.toml", ".ssh", ".gnupg", ".aws", ".kube", "kubeconfig", "secring.gpg", "client_secret.json", "service-account.json", "secrets.yaml", "secrets.yml", "secrets.json",
		"secrets.toml", ".vault-token", ".vault_pass", "wallet.dat", "logins.json", "key4.db", "terraform.tfstate",
		"_netrc", ".mylogin.cnf", ".dockercfg", ".s3cfg", ".boto", ".terraformrc", "credentials.tfrc.json", "application_default_credentials.json", "service_account.json", "serviceaccountkey.json", "master.key",
		".ftppass", ".ftpconfig", "sftp-config.json", "rclone.conf", "recentservers.xml", "sitemanager.xml", "localsettings.php", "secrets.php":
		return true
	case "token": // of a tool, in a directory of its own
		return strings.Contains(p, "/.cache/") || strings.Contains(p, "/.config/") || strings.Contains(p, "huggingface/")
	}
	if strings.HasPrefix(base, "wp-config.") {
		return true
	}
	for _, s := range [...]string{"id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", "ssh_host_", ".env."} {
		if strings.HasPrefix(base, s) {
			return true
		}
	}
	switch path.Ext(base) {
	case ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".env", ".tfstate", ".ppk", ".asc", ".kubeconfig":
		return true
	}
	return strings.HasSuffix(p, ".kube/config") || strings.HasSuffix(p, ".docker/config.json") || strings.Contains(base, "secret") && path.Ext(base) != "" ||
		strings.Contains(base, "password") || strings.Contains(base, "private_key") || strings.Contains(base, "private-key")
}
