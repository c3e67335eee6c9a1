package shape

import "bytes"

// record is what is read of a line of a log.
type record struct {
	starts  bool // the line begins a record
	level   level
	time    []byte
	message []byte // what is compared: without the time
	members bool   // the line is JSON,
	numbers []int  // and these are numbers among its members, in the memory given
}

// parseRecord reads a line of a log in any of the forms that are known.
func parseRecord(b []byte) record { return readRecord(b, nil) }

// readRecord is parseRecord that reads the numbers of a record in JSON too.
func readRecord(b []byte, numbers []int) record {
	b = stripService(b)
	t := trimLeft(b)
	if has(t, "{") {
		if r, ok := jsonRecord(t, numbers); ok {
			return r
		}
	}
	if r, ok := klog(b); ok {
		return r
	}
	r := record{message: b}
	n := timestamp(b)
	if n > 0 {
		r.starts, r.time, r.message = true, trim(b[:n]), b[n:]
	}
	if l := logfmtLevel(r.message); l != noLevel {
		r.starts, r.level = true, l
		r.message = withoutTime(r.message)
		return r
	}
	r.level = levelWord(r.message)
	if r.level != noLevel && n == 0 && !indented(b) {
		r.starts = true
	}
	if r.level == noLevel && (alarming(r.message) || serverError(r.message)) && !indented(b) {
		r.level = errorLevel
		if i := alarm(r.message); i >= 0 && fold(r.message[i:], "warn") {
			r.level = warnLevel
		}
	}
	if n == 0 && r.level == noLevel {
		r.level = infoLevel
		r.starts = !indented(b) && !blank(b) && !hasAny(b, "Caused by", "Traceback", "goroutine ", "panic", "...", "}", "]", ")")
	}
	if r.level == noLevel {
		r.level = infoLevel
	}
	return r
}

// stripService removes the "web-1  | " that docker compose puts first.
func stripService(b []byte) []byte {
	i := index(b, " | ")
	if i <= 0 || i > 40 || bytes.IndexByte(trim(b[:i]), ' ') >= 0 || !letter(b[0]) {
		return b
	}
	return b[i+3:]
}

// timestamp returns the length of the time that b begins with, with a bracket
// around it and a host after it: RFC 3339 and the like, syslog, a clock alone,
// seconds since an epoch.
func timestamp(b []byte) int {
	i := 0
	if len(b) > 0 && b[0] == '[' {
		i = 1
	}
	if len(b) > i+15 && month(b[i:]) { // Jun  3 10:30:00
		j := i + 3
		for j < len(b) && (b[j] == ' ' || digit(b[j])) {
			j++
		}
		if j < len(b) && b[j] == ':' {
			return clockEnd(b, j)
		}
		return 0
	}
	_, n := number(b[i:])
	if n == 0 || i+n >= len(b) {
		return 0
	}
	j := i + n
	switch {
	case n == 4 && (b[j] == '-' || b[j] == '/'), n == 2 && b[j] == '/', n == 8 && (b[j] == ' ' || b[j] == 'T'):
		for j < len(b) && (digit(b[j]) || b[j] == '-' || b[j] == '/') {
			j++
		}
		if j+3 < len(b) && (b[j] == 'T' || b[j] == ' ' || b[j] == 't') && digit(b[j+1]) || j+4 < len(b) && b[j] == '/' {
			return clockEnd(b, j+1)
		}
		return 0
	case n == 2 && b[j] == ':' && j+3 < len(b) && digit(b[j+1]):
		return clockEnd(b, i)
	case n >= 10 && (b[j] == '.' || b[j] == ' '):
		return clockEnd(b, j+1)
	}
	return 0
}

func month(b []byte) bool {
	if len(b) < 4 || b[3] != ' ' {
		return false
	}
	switch string(b[:3]) {
	case "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec":
		return true
	}
	return false
}

// clockEnd returns the end of a clock with its fraction, zone and bracket.
func clockEnd(b []byte, i int) int {
	for i < len(b) && (digit(b[i]) || b[i] == ':' || b[i] == '.' || b[i] == ',' || b[i] == 'Z' || b[i] == '+' || b[i] == '-') {
		i++
	}
	if i < len(b) && b[i] == ']' {
		i++
	}
	return i
}

// levelWord finds a level in the first words of a message.
func levelWord(b []byte) level {
	b = b[:min(len(b), 100)]
	for i := 0; i < len(b); {
		if !letter(b[i]) {
			i++
			continue
		}
		j := i
		for j < len(b) && letter(b[j]) {
			j++
		}
		w := b[i:j]
		upper := w[0] >= 'A' && w[0] <= 'Z' && w[len(w)-1] <= 'Z'
		framed := i > 0 && (b[i-1] == '[' || b[i-1] == '<' || b[i-1] == '(') || j < len(b) && b[j] == ':' && i < 30
		if upper || framed {
			if l := levelName(w); l != noLevel {
				return l
			}
		}
		i = j
	}
	return noLevel
}

func levelName(w []byte) level {
	if len(w) > 9 || len(w) < 3 {
		return noLevel
	}
	switch {
	case equalFold(w, "error"), equalFold(w, "err"), equalFold(w, "fatal"), equalFold(w, "critical"), equalFold(w, "crit"), equalFold(w, "severe"), equalFold(w, "panic"), equalFold(w, "emerg"), equalFold(w, "alert"), equalFold(w, "dpanic"):
		return errorLevel
	case equalFold(w, "warning"), equalFold(w, "warn"):
		return warnLevel
	case equalFold(w, "info"), equalFold(w, "notice"), equalFold(w, "inf"):
		return infoLevel
	case equalFold(w, "debug"), equalFold(w, "trace"), equalFold(w, "verbose"), equalFold(w, "fine"), equalFold(w, "dbg"):
		return debugLevel
	}
	return noLevel
}

func equalFold(w []byte, s string) bool { return len(w) == len(s) && fold(w, s) }

// klog reads "E1127 22:23:27.570511   15596 memcache.go:265] …".
func klog(b []byte) (record, bool) {
	if len(b) < 22 || b[5] != ' ' || !digit(b[1]) || !digit(b[4]) || b[8] != ':' || b[11] != ':' {
		return record{}, false
	}
	r := record{starts: true, time: b[1:21], message: b[21:]}
	switch b[0] {
	case 'E', 'F':
		r.level = errorLevel
	case 'W':
		r.level = warnLevel
	case 'I':
		r.level = infoLevel
	default:
		return record{}, false
	}
	return r, true
}

// logfmtLevel is that in "ts=… level=error msg=…".
func logfmtLevel(b []byte) level {
	for _, key := range []string{"level=", "lvl=", "severity="} {
		if i := index(b, key); i >= 0 && (i == 0 || b[i-1] == ' ') {
			v := bytes.TrimLeft(b[i+len(key):], "\"")
			j := 0
			for j < len(v) && letter(v[j]) {
				j++
			}
			if l := levelName(v[:j]); l != noLevel {
				return l
			}
		}
	}
	return noLevel
}

// withoutTime removes the value of ts= or time=.
func withoutTime(b []byte) []byte {
	for _, key := range []string{"ts=", "time=", "t="} {
		if has(b, key) {
			if i := bytes.IndexByte(b, ' '); i > 0 {
				return b[i:]
			}
		}
	}
	return b
}

// jsonRecord reads a record of structured logging. The message is compared
// with its level and who says it; without one the whole line is.
func jsonRecord(b []byte, numbers []int) (record, bool) {
	r := record{starts: true, members: true, numbers: numbers}
	var msg, service, status []byte
	known := false
	ok := object(b, func(key, value []byte) {
		switch string(key) {
		case "level", "severity", "lvl", "log.level", "levelname", "@level", "Level":
			known = true
			r.level = jsonLevel(unquote(value))
		case "msg", "message", "event", "@message", "Message", "body":
			known = true
			msg = value
		case "service", "logger", "component", "name", "app", "module", "caller":
			if service == nil {
				service = value
			}
		case "ts", "time", "timestamp", "@timestamp", "Time", "date", "t":
			r.time = unquote(value)
		case "status", "statusCode", "status_code":
			status = value
		case "error", "err", "exception", "stack", "stacktrace":
			if r.level == noLevel && len(value) > 2 && string(value) != "null" && string(value) != "false" {
				r.level = errorLevel
			}
		case "pid", "v":
		default:
			if len(value) > 0 && digit(value[0]) && len(r.numbers) < cap(r.numbers) {
				v, _ := number(value)
				r.numbers = append(r.numbers, v)
			}
		}
	})
	if !ok || !known {
		return record{}, false
	}
	if len(status) == 3 && status[0] == '5' && r.level < errorLevel {
		r.level = errorLevel
	}
	if r.level == noLevel {
		if r.level = infoLevel; alarming(msg) {
			r.level = errorLevel
		}
	}
	r.message = b
	if len(msg) > 2 {
		r.message = append(append(append(make([]byte, 0, len(msg)+len(service)+1), service...), ' '), msg...)
	}
	return r, true
}

// jsonLevel reads a level by name, or by bunyan's and pino's numbers.
func jsonLevel(v []byte) level {
	if n, w := number(v); w > 0 {
		switch {
		case n >= 50:
			return errorLevel
		case n >= 40:
			return warnLevel
		case n >= 30:
			return infoLevel
		}
		return debugLevel
	}
	return levelName(v)
}

// serverError reports whether a line of an access log has a status of 5xx.
func serverError(b []byte) bool {
	i := index(b, `" 5`)
	return i >= 0 && len(b) > i+6 && digit(b[i+3]) && digit(b[i+4]) && b[i+5] == ' '
}

// traceID returns the value of a trace or request ID in a line, or nil.
func traceID(b []byte) []byte {
	for _, key := range []string{"trace", "request_id", "requestId", "req_id", "correlation"} {
		i := index(b, key)
		if i < 0 {
			continue
		}
		rest := b[i+len(key):]
		j := bytes.IndexAny(rest, "=:")
		if j < 0 || j > 12 {
			continue
		}
		v := bytes.TrimLeft(rest[j+1:], " \"'")
		k := 0
		for k < len(v) && (letter(v[k]) || digit(v[k]) || v[k] == '-' || v[k] == '_') {
			k++
		}
		if k > 2 {
			return v[:k]
		}
	}
	return nil
}
