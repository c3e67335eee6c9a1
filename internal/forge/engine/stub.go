package engine

import (
	"encoding/binary"
	"strings"
)

// Sections of a module (WebAssembly 2.0, 5.5.2).
const (
	customSection    = 0
	exportSection    = 7
	codeSection      = 10
	dataSection      = 11
	dataCountSection = 12
)

// stub is the module with bodies that do nothing, without its data, and with the
// exports that are called: all that is needed to load what was compiled from the whole
// one, without the work of validating every instruction again at every start (10 ms),
// and of copying data that the heap brings along. It is never run: a cache that lacks
// the code is told by the first call, which traps.
func stub() []byte {
	out := append(make([]byte, 0, 16<<10), wasm[:8]...)
	for at := 8; at < len(wasm); {
		id := wasm[at]
		size, n := binary.Uvarint(wasm[at+1:])
		start := at + 1 + n
		end := start + int(size)
		switch id {
		case codeSection:
			count, _ := binary.Uvarint(wasm[start:])
			body := binary.AppendUvarint(nil, count)
			for range count {
				body = append(body, 3, 0, 0, 0x0b) // no locals, unreachable, end
			}
			out = section(out, id, body)
		case exportSection:
			out = section(out, id, called(wasm[start:end]))
		case customSection, dataSection, dataCountSection:
		default:
			out = append(out, wasm[at:end]...)
		}
		at = end
	}
	return out
}

func section(out []byte, id byte, body []byte) []byte {
	out = binary.AppendUvarint(append(out, id), uint64(len(body)))
	return append(out, body...)
}

// called are the exports that this package calls, and all that are no functions.
func called(exports []byte) []byte {
	count, at := binary.Uvarint(exports)
	var kept []byte
	n := uint64(0)
	for range count {
		begin := at
		size, w := binary.Uvarint(exports[at:])
		name := string(exports[at+w : at+w+int(size)])
		at += w + int(size)
		kind := exports[at]
		at++
		_, w = binary.Uvarint(exports[at:])
		at += w
		if kind != 0 || strings.Contains(calledNames, " "+name+" ") {
			kept = append(kept, exports[begin:at]...)
			n++
		}
	}
	return append(binary.AppendUvarint(nil, n), kept...)
}

// calledNames are the functions of the module that are called, with a space around each.
const calledNames = " _initialize qjs_call qjs_eval qjs_execute_pending_job qjs_free_cstring qjs_free_value qjs_get_context_ptr qjs_get_exception qjs_get_float64 " +
	"qjs_get_global qjs_get_prop_string qjs_get_runtime_ptr qjs_get_string_len qjs_get_value_ptr qjs_init qjs_is_exception qjs_is_job_pending " +
	"qjs_is_promise qjs_is_string qjs_new_error qjs_new_host_function qjs_new_string qjs_promise_mark_as_handled qjs_promise_result " +
	"qjs_promise_state qjs_run_gc qjs_set_interrupt_handler qjs_set_max_stack_size qjs_set_module_loader qjs_set_promise_rejection_handler " +
	"qjs_set_prop_string qjs_set_runtime_and_context qjs_throw wasm_free wasm_malloc "
