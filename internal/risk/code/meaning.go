package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
)

// meaning classes a dotted name of a language: "delete", "drop", "write", "network",
// "shell", "eval", "kill", "rights", or "" for one that says nothing.
func meaning(lang, name string, variable bool) string {
	last := name[strings.LastIndexByte(name, '.')+1:]
	last = last[strings.LastIndexByte(last, ':')+1:]
	dotted := strings.ReplaceAll(name, "::", ".")
	switch last {
	case "rmtree", "unlink", "unlinkSync", "rmdir", "rmdirSync", "rmSync", "removeSync", "removedirs", "remove_tree", "rm_rf", "rm_r", "rm_f", "remove_entry", "remove_dir",
		"remove_entry_secure", "rm_rf!", "truncateSync":
		return "delete"
	case "delete_all", "destroy_all", "drop_table", "drop_database", "dropDatabase", "drop_all":
		return "drop"
	case "remove", "rm", "delete", "remove_file", "truncate":
		if lang == "python" && wordlist.Has("delete requests.delete httpx.delete", name) {
			return "drop" // a method of what a call returned: of what a query finds
		}
		if wordlist.Has("os.remove rm file.remove Files.delete fs.rm fs.promises.rm fsp.rm fsPromises.rm fs.truncate File.delete FileUtils.rm FileUtils.remove FileUtils.remove_file "+
			"os.truncate File.truncate Deno.remove Dir.delete", dotted) || name == "truncate" && lang == "perl" || last == "rm" && lang == "julia" {
			return "delete"
		}
		return ""
	case "execute":
		if name == "os.execute" {
			return "shell"
		}
		return ""
	case "system2":
		return "shell"
	case "system", "popen", "execSync", "spawnSync", "shell_exec", "passthru", "check_call", "check_output", "getoutput", "getstatusoutput", "Popen", "proc_open", "pcntl_exec",
		"spawn", "qx", "execFile", "execFileSync", "execa", "execaSync", "fork", "create_subprocess_shell", "create_subprocess_exec", "capture2", "capture2e", "capture3", "popen3":
		switch {
		case variable:
			return ""
		case last == "fork" && lang != "node":
			return "fork"
		}
		return "shell"
	case "run", "call", "Command":
		if strings.HasPrefix(name, "subprocess.") || name == "Deno.Command" {
			return "shell"
		}
	case "exec":
		if lang == "python" {
			return "eval"
		}
		return "shell"
	case "eval":
		if lang != "perl" && lang != "ruby" || variable {
			return "eval"
		}
	case "__import__":
		return "eval"
	case "kill", "killpg", "posix_kill":
		if wordlist.Has("os.kill os.killpg process.kill Process.kill posix_kill", dotted) || name == "kill" && lang == "perl" && !variable {
			return "kill"
		}
	case "chmod", "chown", "lchown", "fchmod", "fchown", "chmodSync", "chownSync", "chmod_R", "chown_R", "chgrp", "setfacl":
		if !variable {
			return "rights"
		}
	case "writeFile", "writeFileSync", "write_text", "write_bytes", "copyfile", "rename", "renameSync", "makedirs", "mkdir", "mkdirSync", "file_put_contents", "appendFileSync",
		"appendFile", "copyFile", "copyFileSync", "cpSync", "symlink", "symlinkSync", "link_to", "copytree", "writeTextFile", "binwrite":
		return "write"
	case "move", "copy", "copy2", "cp", "cp_r", "mv", "link", "ln_s", "touch", "replace", "write", "create", "open":
		if module, _, ok := strings.Cut(dotted, "."); ok && wordlist.Has("os shutil FileUtils File fs Deno IO", module) && last != "open" &&
			!(module == "os" && last == "write") {
			return "write"
		}
	case "urlopen", "urlretrieve", "socket", "create_connection", "fetch", "request",
		"fsockopen", "pfsockopen", "stream_socket_client", "createConnection", "INET", "TCPSocket":
		return "network"
	}
	switch {
	case lang == "python" && (strings.HasPrefix(name, "os.exec") || strings.HasPrefix(name, "os.spawn") || strings.HasPrefix(name, "os.posix_spawn")):
		return "shell"
	case strings.HasPrefix(name, "TCPSocket."), strings.HasPrefix(name, "requests."):
		return "network"
	}
	return ""
}
