package upstream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxNoise is how many lines in a row that are no JSON are passed over: servers
// print a banner, a warning. More is no server of this protocol.
const maxNoise = 20

// stdio is a transport over the streams of a child. Unlike the library's own it
// passes over lines that are no messages, and bounds a frame.
type stdio struct {
	in       *os.File // the child's standard input
	out      io.Reader
	limit    int64
	patience time.Duration // for a write
	stop     func()        // ends the child

	lines  chan read
	closed chan struct{}
	once   sync.Once
	write  sync.Mutex
	fault  atomic.Pointer[Error] // why it ended, if we ended it
}

type read struct {
	msg jsonrpc.Message
	err error
}

// Connect begins to read (mcp.Transport).
func (c *stdio) Connect(context.Context) (mcp.Connection, error) {
	c.lines, c.closed = make(chan read), make(chan struct{})
	go c.loop()
	return c, nil
}

func (c *stdio) loop() {
	r := bufio.NewReaderSize(c.out, 64<<10)
	noise := 0
	for {
		line, err := c.frame(r)
		if err != nil {
			c.send(read{err: err})
			return
		}
		if len(line) == 0 {
			continue
		}
		msg, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			if noise++; noise >= maxNoise {
				c.fail(Invalid, "it printed 20 lines that are no messages")
				c.send(read{err: c.fault.Load()})
				return
			}
			continue
		}
		noise = 0
		if !c.send(read{msg: msg}) {
			return
		}
	}
}

func (c *stdio) send(r read) bool {
	select {
	case c.lines <- r:
		return true
	case <-c.closed:
		return false
	}
}

// frame reads a line of at most limit bytes.
func (c *stdio) frame(r *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := r.ReadSlice('\n')
		if int64(len(whole)+len(part)) > c.limit {
			c.fail(TooLarge, "a message of it is larger than max_result allows")
			return nil, c.fault.Load()
		}
		switch {
		case err == nil && whole == nil:
			return bytes.TrimSpace(part), nil
		case err == nil:
			return bytes.TrimSpace(append(whole, part...)), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, io.EOF // of a message that was cut off nothing is known
		}
		whole = append(whole, part...)
	}
}

// fail remembers why the connection ends, and ends it.
func (c *stdio) fail(code Code, message string) {
	c.fault.CompareAndSwap(nil, &Error{code, message})
	c.stop()
}

// Read waits for a message (mcp.Connection).
func (c *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case r := <-c.lines:
		return r.msg, r.err
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends a message; a server that does not read for too long has ended.
func (c *stdio) Write(_ context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	c.write.Lock()
	defer c.write.Unlock()
	_ = c.in.SetWriteDeadline(time.Now().Add(c.patience))
	if _, err = c.in.Write(append(data, '\n')); errors.Is(err, os.ErrDeadlineExceeded) {
		c.fail(Timeout, "it does not read")
	}
	return err
}

// Close ends the connection and the child.
func (c *stdio) Close() error {
	c.once.Do(func() {
		close(c.closed)
		_ = c.in.Close()
		c.stop()
	})
	return nil
}

// SessionID is of HTTP alone.
func (c *stdio) SessionID() string { return "" }
