package risk

// commandLanguage returns the language of the commands that an editor, a
// debugger or a client for file transfer reads from its input: "ex", "gdb",
// "ftp"; "" for other programs.
func commandLanguage(name string) string {
	switch name {
	case "ed", "ex", "red":
		return "ex"
	case "gdb", "lldb":
		return "gdb"
	case "sftp", "ftp", "lftp", "ncftp", "tnftp":
		return "ftp"
	}
	return ""
}

// SQLClient reports whether a program takes statements of SQL, or of a language
// with its verbs, as arguments and from its input. Package line asks.
func SQLClient(name string) bool {
	switch name {
	case "cockroach", "snowsql", "snow", "trino", "presto", "beeline", "hive", "impala-shell", "cypher-shell", "surreal", "sqlcmd", "isql", "usql", "pgcli",
		"mycli", "litecli", "dolt", "osqueryi", "sqlite-utils", "spark-sql", "steampipe", "ysqlsh", "mssql-cli", "clickhouse-client", "clickhouse", "duckdb",
		"bq", "influx", "cqlsh", "rqlite", "tarantool", "questdb", "vsql", "exaplus", "osql", "tsql", "sqlplus", "sqlcl", "db2", "fbsql", "isql-fb", "ksql", "athenacli",
		"hbase", "sqlline", "ycql", "nzsql", "bteq", "monetdb", "mclient":
		return true
	}
	return false
}
