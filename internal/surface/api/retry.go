package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// pause is how long is waited before the first repetition; each further wait is
// twice as long.
const pause = 250 * time.Millisecond

// Send sends a request until it is answered, and again where that is safe and the
// server or the connection asks for it.
func (s *Sender) Send(ctx context.Context, r *Request) (*Answer, error) {
	left := s.whole
	for try := 0; ; try++ {
		began := time.Now()
		limited, cancel := context.WithTimeout(ctx, left)
		resp, err := s.follow(limited, r)
		left -= time.Since(began)
		again, after := s.again(resp, err, try)
		if !again || left <= 0 {
			if err != nil {
				cancel()
				return nil, err
			}
			return &Answer{resp, cancel}, nil
		}
		if resp != nil {
			_ = resp.Body.Close()
		}
		cancel()
		if err := s.pause(ctx, after, try); err != nil {
			return nil, err
		}
	}
}

// pause waits before a repetition: as long as the server asks, which is told, or a
// little longer each time.
func (s *Sender) pause(ctx context.Context, after time.Duration, try int) error {
	if after < 0 {
		return s.sleep(ctx, pause<<try)
	}
	asked := after
	if after = min(after, maxWait); after >= time.Second {
		text := fmt.Sprintf("the server asks to wait %s", asked.Round(time.Second))
		if asked > after {
			text += fmt.Sprintf("; trying again in %s", after)
		}
		s.tell(text)
	}
	return s.sleep(ctx, after)
}

// again reports whether to send a request once more, and after what time; -1 is a
// time of ours.
func (s *Sender) again(resp *http.Response, err error, try int) (bool, time.Duration) {
	if !s.repeatable || try >= maxRetries {
		return false, 0
	}
	if err != nil {
		var op *net.OpError
		var dns *net.DNSError
		var refused *Refused
		return errors.As(err, &op) && op.Op == "dial" && !errors.As(err, &dns) && !errors.As(err, &refused) && !errors.Is(err, context.DeadlineExceeded) && !op.Timeout(), -1
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true, retryAfter(resp.Header.Get("Retry-After"), time.Now())
	}
	return false, 0
}

// retryAfter reads the header in both of its forms; -1 if it says nothing.
func retryAfter(text string, now time.Time) time.Duration {
	if text == "" {
		return -1
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return time.Duration(min(n, 1<<30)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0)
	}
	return -1
}
