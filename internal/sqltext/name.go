package sqltext

import "strings"

// Quote writes a name so that the dialect reads it as that name: as it is where
// that will do, else in the dialect's quotes.
func Quote(d Dialect, name string) string {
	if Plain(d, name) {
		return name
	}
	return Enclose(d, name)
}

// Enclose writes a name in the dialect's quotes.
func Enclose(d Dialect, name string) string { return EncloseIn(QuoteOf(d), name) }

// EncloseIn writes a name in quotes that begin with this one.
func EncloseIn(quote byte, name string) string {
	if quote == '[' {
		return "[" + name + "]" // a name with "]" cannot be written so
	}
	q := string(quote)
	return q + strings.ReplaceAll(name, q, q+q) + q
}

// QuoteOf is the quote around names.
func QuoteOf(d Dialect) byte {
	if d == MySQL {
		return '`'
	}
	return '"'
}

// Plain reports whether a name needs no quotes. PostgreSQL folds what has none
// to lower case; the others find names in any case.
func Plain(d Dialect, name string) bool {
	if name == "" || isDigit(name[0]) && (d != MySQL || strings.Trim(name, "0123456789") == "") {
		return false
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 0x80, c == '$' && i > 0 && d != SQLite:
		case !isASCIIWord(c), d == Postgres && c >= 'A' && c <= 'Z':
			return false
		}
	}
	return !Reserved(d, name)
}

// Reserved reports whether a word cannot stand for a name without quotes.
func Reserved(d Dialect, word string) bool {
	if len(word) > len("current_timestamp") {
		return false
	}
	switch w := strings.ToUpper(word); w {
	case "ALL", "ALTER", "AND", "AS", "BETWEEN", "CASE", "CHECK", "COLLATE", "CONSTRAINT", "CREATE", "CROSS", "CURRENT_DATE",
		"CURRENT_TIME", "CURRENT_TIMESTAMP", "DEFAULT", "DISTINCT", "ELSE", "EXCEPT", "EXISTS", "FOREIGN", "FROM", "FULL", "GROUP",
		"HAVING", "IN", "INDEX", "INNER", "INSERT", "INTERSECT", "INTO", "IS", "JOIN", "LEFT", "LIKE", "LIMIT", "NATURAL", "NOT",
		"NULL", "ON", "OR", "ORDER", "OUTER", "PRIMARY", "REFERENCES", "RIGHT", "SELECT", "SET", "TABLE", "THEN", "TO", "UNION",
		"UNIQUE", "UPDATE", "USING", "VALUES", "WHEN", "WHERE", "WITH":
		// A few of these PostgreSQL takes for names; in quotes it takes them too.
		return true
	case "ANALYSE", "ANALYZE", "ANY", "ARRAY", "ASC", "ASYMMETRIC", "AUTHORIZATION", "BINARY", "BOTH", "CAST", "COLUMN", "CONCURRENTLY",
		"CURRENT_CATALOG", "CURRENT_ROLE", "CURRENT_SCHEMA", "CURRENT_USER", "DEFERRABLE", "DESC", "DO", "END", "FALSE", "FETCH", "FOR",
		"FREEZE", "GRANT", "ILIKE", "INITIALLY", "ISNULL", "LATERAL", "LEADING", "LOCALTIME", "LOCALTIMESTAMP", "NOTNULL", "OFFSET",
		"ONLY", "OVERLAPS", "PLACING", "RETURNING", "SESSION_USER", "SIMILAR", "SOME", "SYMMETRIC", "TABLESAMPLE", "TRAILING", "TRUE",
		"USER", "VARIADIC", "VERBOSE", "WINDOW":
		switch w {
		case "ASC", "DESC", "FOR", "GRANT", "FETCH", "FALSE", "TRUE", "COLUMN", "BINARY", "BOTH", "LEADING", "TRAILING", "LATERAL",
			"LOCALTIME", "LOCALTIMESTAMP", "CURRENT_USER", "WINDOW", "ANALYZE":
			return d == Postgres || d == MySQL
		}
		return d == Postgres
	case "ADD", "BY", "CALL", "CHANGE", "CHAR", "CHARACTER", "CONDITION", "CONTINUE", "CONVERT", "CURSOR", "DATABASE", "DATABASES",
		"DECLARE", "DELETE", "DESCRIBE", "DIV", "DOUBLE", "DROP", "EACH", "EXIT", "EXPLAIN", "FLOAT", "FORCE", "FULLTEXT", "FUNCTION",
		"GROUPS", "IF", "IGNORE", "INT", "INTEGER", "INTERVAL", "KEY", "KEYS", "KILL", "LEAVE", "LINES", "LOAD", "LOCK", "LONG", "LOOP",
		"MATCH", "MOD", "NUMERIC", "OF", "OPTIMIZE", "OPTION", "OUT", "PARTITION", "PRECISION", "PROCEDURE", "RANGE", "RANK", "READ",
		"REAL", "REGEXP", "RELEASE", "RENAME", "REPEAT", "REPLACE", "REQUIRE", "RESTRICT", "RETURN", "REVOKE", "RLIKE", "ROW", "ROWS",
		"SCHEMA", "SCHEMAS", "SHOW", "SIGNAL", "SPATIAL", "SQL", "SSL", "STARTING", "SYSTEM", "TERMINATED", "TRIGGER", "UNDO", "UNLOCK",
		"UNSIGNED", "USAGE", "USE", "VARYING", "VIRTUAL", "WHILE", "WRITE", "XOR", "ZEROFILL":
		switch w {
		case "ADD", "DELETE", "DROP":
			return d != Postgres
		}
		return d == MySQL
	case "COMMIT", "DEFERRED", "ESCAPE", "NOTHING", "TRANSACTION":
		return d == SQLite
	}
	return false
}
