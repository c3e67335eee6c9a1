package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

const samplesDir = "internal/shape/testdata"

// shapeLarge is how much output a large one has.
const shapeLarge = 1 << 30

// shapes measures tmp shape: speed and memory over output of 1 GB, and the
// share of tokens that it saves over the real outputs that its tests hold.
func shapes(match *regexp.Regexp, p *programs) error {
	if match.MatchString("shape large output") {
		fmt.Printf("\nshape large output, %d MB each  (goal: ≥ 100 MB/s, ≤ 64 MB)\n", shapeLarge>>20)
		for _, s := range []struct{ file, command string }{
			{"real/go_test_fail_v", "go test -v ./..."},
			{"real/go_test_fail_json", "go test -json ./..."},
			{"real/log_heartbeat", ""},
			{"real/git_status_short", "git status"},
			{"real/apt_install", "apt-get install x"},
		} {
			if err := shapeOne(p, s.file, s.command); err != nil {
				return err
			}
		}
	}
	if match.MatchString("shape tokens") {
		if err := shapeTokens(); err != nil {
			return err
		}
	}
	if match.MatchString("token estimate") {
		return tokenEstimate()
	}
	return nil
}

// endless repeats a text up to a size.
type endless struct {
	text []byte
	at   int
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, e.text[e.at:min(len(e.text), e.at+e.left)])
	e.at = (e.at + n) % len(e.text)
	e.left -= n
	return n, nil
}

func shapeOne(p *programs, file, command string) error {
	text, err := os.ReadFile(filepath.Join(samplesDir, file+".txt"))
	if err != nil {
		return err
	}
	cmd := exec.Command(p.tmp, "shape", "--command", command, "--status", "1")
	cmd.Stdin = &endless{text: bytes.Repeat(text, 1+(1<<20)/len(text)), left: shapeLarge}
	var out bytes.Buffer
	cmd.Stdout = &out
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	ru := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
	fmt.Printf("  %-24s %4.0f MB a second of CPU, %4.0f of wall time, %3d MB at most, %d bytes shown\n",
		filepath.Base(file), shapeLarge/1e6/cpu.Seconds(), shapeLarge/1e6/time.Since(start).Seconds(), ru.Maxrss>>10, out.Len())
	return nil
}
