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
		switch method {
		case "dropDatabase", "drop", "deleteMany", "remove", "dropCollection", "dropUser", "dropAllUsers", "dropRole", "dropAllRoles",
			"truncate", "removeByExample", "removeByKeys":
			v.merge(says(tcpdb.Critical, gone, tcpdb.Remote, "mongo.delete", "deletes from the database"))
		case "deleteOne", "findOneAndDelete", "dropIndex", "dropIndexes":
			v.merge(says(tcpdb.High, gone, tcpdb.Remote, "mongo.delete", "deletes from the database"))
		case "updateMany", "shutdownServer", "fsyncLock", "killOp", "stepDown", "reconfig", "createUser", "grantRolesToUser", "adminCommand", "runCommand":
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess|tcpdb.SystemModification, tcpdb.Remote, "mongo.server", "changes much of a database or its server"))
		case "insert", "insertOne", "insertMany", "update", "updateOne", "replaceOne", "save", "bulkWrite", "createIndex", "createCollection", "renameCollection",
			"findOneAndUpdate", "findOneAndReplace", "findAndModify":
			v.merge(says(tcpdb.Medium, tcpdb.NetworkAccess, tcpdb.Remote, "mongo.write", "changes a database"))
		case "load", "eval":
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess, tcpdb.Remote, "code.eval", "runs code that it computes"))
		}
	}
	return v
}
