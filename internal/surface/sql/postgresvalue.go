package sql

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// OIDs of types whose text is not what is shown.
const (
	oidBool        = 16
	oidBytea       = 17
	oidInt8        = 20
	oidInt2        = 21
	oidInt4        = 23
	oidOID         = 26
	oidJSON        = 114
	oidFloat4      = 700
	oidFloat8      = 701
	oidTimestamp   = 1114
	oidTimestampTZ = 1184
	oidTime        = 1083
	oidTimeTZ      = 1266
	oidNumeric     = 1700
	oidJSONB       = 3802
)

// postgresCell is a value as the server writes it, as text.
func postgresCell(v []byte, oid uint32) cell {
	if v == nil {
		return cell{}
	}
	text := string(v)
	switch oid {
	case oidBool:
		return cell{boolCell, map[string]string{"t": "true", "f": "false"}[text]}
	case oidInt2, oidInt4, oidInt8, oidOID, oidNumeric, oidFloat4, oidFloat8:
		if strings.ContainsAny(text, "aIi") { // NaN, Infinity
			return cell{textCell, text}
		}
		return cell{numberCell, text}
	case oidBytea:
		raw, err := hex.DecodeString(strings.TrimPrefix(text, `\x`))
		if err != nil {
			return cell{textCell, text}
		}
		return cell{bytesCell, base64.StdEncoding.EncodeToString(raw)}
	case oidJSON, oidJSONB:
		return cell{jsonCell, text}
	case oidTimestamp, oidTimestampTZ, oidTimeTZ, oidTime:
		return cell{textCell, isoText(text)}
	}
	return cell{textCell, text}
}

// isoText makes "2026-01-02 03:04:05+00" the form of ISO 8601.
func isoText(s string) string {
	if day, clock, ok := strings.Cut(s, " "); ok && len(day) >= 10 {
		s = day + "T" + clock
	}
	if i := strings.LastIndexAny(s, "+-"); i > 10 || i > 0 && !strings.Contains(s, "T") && strings.Contains(s, ":") {
		if zone := s[i:]; len(zone) == 3 {
			s += ":00"
		}
	}
	return s
}

// readOnlyState is the SQLSTATE of what a read-only transaction refuses.
const readOnlyState = "25006"

func postgresFault(t *template, err error) error {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		var connect *pgconn.ConnectError
		if errors.As(err, &connect) {
			return &fault{message: err.Error(), at: -1}
		}
		return err
	}
	switch e.Code {
	case readOnlyState:
		no := refuse("%s", e.Message)
		if t != nil {
			f := t.facts()
			f.By = "transaction"
			no = t.cannotOnlyRead(f, e.Message)
		}
		return no
	case "57014": // query_canceled: its time, or the person
		return err
	}
	f := &fault{state: e.Code, message: e.Message, at: -1}
	if e.Detail != "" {
		f.message += " (" + e.Detail + ")"
	}
	if e.Hint != "" {
		f.message += "; " + e.Hint
	}
	if e.Position > 0 && t != nil {
		f.at = t.sent.Was(byteOf(t.sent.Text, int(e.Position)-1))
	}
	return f
}

// byteOf is where a character of a text begins.
func byteOf(text string, character int) int {
	n := 0
	for i := range text {
		if n == character {
			return i
		}
		n++
	}
	return len(text)
}
