package depot

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"

	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
)

// A registry of containers has no lock and no way to change a tag only if it is what it
// was. So publishers say in a tag of its own who is at work and until when. It is looked
// at again after a moment, in which one who came at the same time would have written
// over it, and before the index is moved. A publisher that was killed is waited for
// until its time is over.

const (
	leaseTag  = "publishing"
	leaseType = "application/vnd.tmp.lease.v1"
	leaseTime = 30 * time.Second
	leaseWait = 2 * time.Minute
	settle    = 300 * time.Millisecond
	whoKey    = "tmp.lease.who"
	untilKey  = "tmp.lease.until"
)

type lease struct {
	d    *remoteDepot
	who  string
	held Descriptor // the manifest that says so
	last time.Time  // when it was written
}

func leaseManifest(who string, until time.Time) Artifact {
	m := ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest, ArtifactType: leaseType,
		Config: Empty.Descriptor, Layers: []Descriptor{Empty.Descriptor},
		Annotations: map[string]string{whoKey: who, untilKey: until.UTC().Format(time.RFC3339Nano)},
	}
	data, _ := json.Marshal(m) // of strings and numbers alone
	return Artifact{Blob(ocispec.MediaTypeImageManifest, data), data}
}

// take waits until nobody else publishes, and says that this one does.
func (d *remoteDepot) take(ctx context.Context) (*lease, error) {
	l := &lease{d: d, who: rand.Text()}
	for until := time.Now().Add(leaseWait); ; {
		busy, err := l.other(ctx)
		switch {
		case err != nil:
			return nil, err
		case busy.IsZero():
			if err := l.write(ctx, time.Now().Add(leaseTime)); err != nil {
				return nil, err
			}
			if err := pause(ctx, settle); err != nil {
				return nil, err
			}
			if l.mine(ctx) == nil {
				return l, nil
			}
		case time.Now().After(until):
			return nil, fault.New(fault.Network, "%s: another publisher is at work until %s", d.name, busy.Format(time.TimeOnly))
		}
		if err := pause(ctx, settle+time.Duration(time.Now().UnixNano()%int64(settle))); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, t time.Duration) error {
	select {
	case <-ctx.Done():
		return fault.New(fault.Network, "given up").Because(ctx.Err())
	case <-time.After(t):
		return nil
	}
}

// other is until when another publisher is at work, zero if none is.
func (l *lease) other(ctx context.Context) (time.Time, error) {
	at, err := l.d.Resolve(ctx, leaseTag)
	if fault.Is(err, fault.NotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	data, err := l.d.Fetch(ctx, at, maxManifest)
	if err != nil {
		return time.Time{}, err
	}
	var m ocispec.Manifest
	if json.Unmarshal(data, &m) != nil || m.Annotations[whoKey] == l.who {
		return time.Time{}, nil
	}
	until, err := time.Parse(time.RFC3339Nano, m.Annotations[untilKey])
	if err != nil || time.Now().After(until) || until.After(time.Now().Add(2*leaseTime)) {
		return time.Time{}, nil //nolint:nilerr // a lease of no time is none
	}
	return until, nil
}

func (l *lease) write(ctx context.Context, until time.Time) error {
	m := leaseManifest(l.who, until)
	if err := (&remoteWriter{remoteDepot: l.d}).Push(ctx, Empty.Descriptor, Empty.Data); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	if err := l.d.repo.PushReference(ctx, m.Descriptor, strings.NewReader(string(m.Data)), leaseTag); err != nil {
		return l.d.said(err, "")
	}
	l.held, l.last = m.Descriptor, time.Now()
	return nil
}

// mine fails where somebody else has begun to publish.
func (l *lease) mine(ctx context.Context) error {
	at, err := l.d.Resolve(ctx, leaseTag)
	if err != nil {
		return err
	}
	if at.Digest != l.held.Digest {
		return fault.New(fault.Network, "%s: another publisher came between: publish again", l.d.name)
	}
	return nil
}

// renew puts the end off while the work goes on.
func (l *lease) renew(ctx context.Context) error {
	if time.Since(l.last) < leaseTime/3 {
		return nil
	}
	if err := l.mine(ctx); err != nil {
		return err
	}
	return l.write(ctx, time.Now().Add(leaseTime))
}

// release lets others publish. That it fails does no harm: the time runs out.
func (l *lease) release() {
	ctx, cancel := context.WithTimeout(context.Background(), silence)
	defer cancel()
	if l.mine(ctx) == nil {
		_ = l.write(ctx, time.Now())
	}
}
