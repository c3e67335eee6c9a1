package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// mongo rates JavaScript for the MongoDB shell by the methods that it calls.
func mongo(code string) Reading {
	v := Reading{Level: tcpdb.Low, Flags: tcpdb.NetworkAccess}
	const gone = tcpdb.Destructive | tcpdb.NetworkAccess
	s := tokens("node", code)
	for i, t := range s {
		if t.literal || i+1 >= len(s) || s[i+1].text != "(" || s[i+1].literal {
			continue
		}
		method := strings.TrimLeft(t.text[strings.LastIndexByte(t.text, '.')+1:], "_") // ArangoDB's begin with "_"
		switch meaning("mongo", called{name: method}) {
		case "drop":
			v.merge(says(tcpdb.Critical, gone, tcpdb.Remote, "mongo.delete", "deletes from the database"))
		case "delete":
			v.merge(says(tcpdb.High, gone, tcpdb.Remote, "mongo.delete", "deletes from the database"))
		case "server":
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess|tcpdb.SystemModification, tcpdb.Remote, "mongo.server", "changes much of a database or its server"))
		case "write":
			v.merge(says(tcpdb.Medium, tcpdb.NetworkAccess, tcpdb.Remote, "mongo.write", "changes a database").staking(changesThere(tcpdb.Outage)))
		case "eval":
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess, tcpdb.Remote, "code.eval", "runs code that it computes"))
		}
	}
	return v
}
