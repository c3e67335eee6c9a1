package sqltext

import "strings"

// describe says what may stand where the walker has come to.
func (w *walker) describe(p *Place) {
	f := w.top()
	p.Upper = w.upper
	if f.alias {
		return
	}
	switch f.clause {
	case atStart:
		p.Keywords = w.starts(f)
	case atVerb:
		p.Keywords = f.verbs()
	case inTables:
		p.Tables = !f.operand
		p.Keywords = w.aroundTable(f)
	case inColumns:
		p.Columns = !f.operand
		p.Keywords = w.aroundColumn(f)
	case inNothing:
		p.Databases = f.verb == "USE"
		p.Keywords = f.others()
	}
	if len(p.Qualifier) > 0 {
		p.Keywords = nil
	}
}

// starts are the words that a statement begins with.
func (w *walker) starts(f *frame) []string {
	if f.parent >= 0 || f.main == "AS" {
		return []string{"select", "with", "values"}
	}
	words := []string{"select", "insert into", "update", "delete from", "with", "create", "alter", "drop", "explain", "begin", "commit", "rollback"}
	switch w.dialect {
	case Postgres:
		words = append(words, "truncate", "vacuum", "analyze", "copy", "grant", "revoke", "show", "set", "reindex", "refresh materialized view", "table", "values")
	case MySQL:
		words = append(words, "show", "describe", "use", "truncate table", "replace into", "grant", "revoke", "set", "optimize table", "analyze table", "call")
	case SQLite:
		words = append(words, "pragma", "replace into", "vacuum", "analyze", "reindex", "attach database", "detach database", "values")
	}
	return words
}

// verbs are the words that go on with one that wants another.
func (f *frame) verbs() []string {
	switch f.main {
	case "CREATE":
		return []string{"table", "index", "view", "unique index", "table if not exists", "or replace view", "trigger", "temporary table", "materialized view", "schema", "database", "user", "extension", "sequence", "type", "function"}
	case "ALTER":
		return []string{"table", "view", "sequence", "user", "role", "database", "schema", "index"}
	case "DROP":
		return []string{"table", "view", "index", "table if exists", "materialized view", "schema", "database", "user", "trigger", "sequence", "type", "function", "extension"}
	case "INSERT", "REPLACE", "MERGE":
		return []string{"into"}
	case "DELETE":
		return []string{"from"}
	case "SHOW":
		return []string{"tables", "databases", "columns from", "create table", "index from", "processlist", "variables", "status", "grants", "all"}
	case "REFRESH":
		return []string{"materialized view"}
	case "ORDER", "GROUP", "PARTITION":
		return []string{"by"}
	case "JOIN":
		return []string{"join", "outer join"}
	case "ON":
		return []string{"conflict", "duplicate key update", "set", "cascade"}
	case "DO":
		return []string{"nothing", "update set"}
	case "GRANT", "REVOKE":
		return []string{"select", "insert", "update", "delete", "all", "usage", "on"}
	case "COMMENT":
		return []string{"on table", "on column"}
	case "ALTER TABLE":
		return []string{"column", "constraint", "to"}
	}
	return nil
}

// aroundTable are the words before and after the name of a table.
func (w *walker) aroundTable(f *frame) []string {
	if !f.operand {
		switch f.main {
		case "TABLE", "VIEW":
			if f.verb == "DROP" || f.verb == "ALTER" {
				return []string{"if exists"}
			}
		case "TRUNCATE", "LOCK", "REINDEX", "CHECK", "OPTIMIZE", "REPAIR":
			return []string{"table"}
		case "VACUUM":
			return []string{"full", "analyze", "verbose"}
		}
		return nil
	}
	switch f.main {
	case "INTO":
		if f.verb == "SELECT" {
			return []string{"from"}
		}
		return []string{"values", "select", "default values"}
	case "CONFLICT":
		return []string{"do nothing", "do update set"}
	case "UPDATE":
		return []string{"set"}
	case "TABLE", "VIEW":
		if f.verb == "ALTER" {
			return []string{"add column", "drop column", "rename to", "rename column", "alter column", "add constraint", "drop constraint"}
		}
		return []string{"cascade"}
	case "COPY":
		return []string{"to", "from"}
	case "ON":
		return []string{"to", "from", "using"}
	case "TRUNCATE":
		return []string{"cascade", "restart identity"}
	case "FROM", "JOIN", "USING":
		if f.verb == "DELETE" {
			return []string{"where", "using", "returning"}
		}
		words := []string{"where", "join", "left join", "order by", "group by", "limit", "as", "inner join", "cross join", "right join", "having", "union", "for update"}
		if f.joined {
			words = append([]string{"on", "using ("}, words...)
		}
		return words
	}
	return nil
}

// aroundColumn are the words before and after an operand.
func (w *walker) aroundColumn(f *frame) []string {
	if !f.operand {
		if f.main == "LIST" || f.main == "SET" || f.main == "COLUMN" || f.main == "USING" {
			return nil
		}
		words := []string{"case", "not", "null", "exists (", "count(", "sum(", "min(", "max(", "avg(", "coalesce(", "cast("}
		switch {
		case f.main == "SELECT":
			words = append([]string{"distinct"}, words...)
		case f.verb == "" && f.parent >= 0:
			words = append([]string{"select", "distinct"}, words...)
		}
		return words
	}
	compare := []string{"and", "or", "in (", "like", "is null", "is not null", "between", "not in (", "not like"}
	switch f.main {
	case "SELECT":
		return []string{"from", "as", "where", "union", "order by", "limit"}
	case "RETURNING":
		return []string{"as"}
	case "ORDER":
		return []string{"desc", "asc", "limit", "nulls last", "nulls first", "offset"}
	case "GROUP":
		return []string{"order by", "having", "limit"}
	case "SET":
		return append([]string{"where", "from", "returning"}, compare...)
	case "COLUMN":
		return []string{"to", "type", "set not null", "drop not null", "set default", "cascade"}
	case "ON":
		return append([]string{"where", "join", "left join", "order by", "group by", "limit"}, compare...)
	case "WHERE":
		if f.verb == "SELECT" {
			return append(compare, "order by", "group by", "limit", "union")
		}
		return append(compare, "returning")
	case "HAVING":
		return append(compare, "order by", "limit")
	}
	return compare
}

// others are the words where no name that is known can stand.
func (f *frame) others() []string {
	if f.main == "WITH)" {
		return []string{"select", "insert into", "update", "delete from"}
	}
	if !f.operand {
		return nil
	}
	switch f.main {
	case "WITH":
		return []string{"as ("}
	case "LIMIT":
		return []string{"offset"}
	case "VALUES":
		if f.verb == "INSERT" {
			return []string{"on conflict", "returning", "on duplicate key update"}
		}
	case "INDEX", "TRIGGER":
		if f.verb == "CREATE" {
			return []string{"on"}
		}
	case "VIEW":
		if f.verb == "CREATE" {
			return []string{"as"}
		}
	}
	return nil
}

// isKeyword reports whether a token is a word that names nothing in an expression.
func isKeyword(t Token) bool {
	if t.Kind != Word {
		return false
	}
	switch strings.ToUpper(t.Text) {
	case "END", "CASE", "WHEN", "THEN", "ELSE", "AND", "OR", "NOT", "NULL", "IS", "IN", "LIKE", "BETWEEN", "OVER", "COLLATE", "ESCAPE",
		"ISNULL", "NOTNULL", "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "GLOB", "REGEXP", "MATCH", "DISTINCT", "EXISTS", "CAST", "TRUE", "FALSE":
		return true
	}
	return false
}
