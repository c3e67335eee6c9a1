package api

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// AddressError is that a host is at an address that a request may not go to.
type AddressError struct {
	Host string
	Addr netip.Addr
	Kind string // "private", "loopback" …
}

func (e *AddressError) Error() string {
	return fmt.Sprintf("%s is at the %s address %s, and the map's server is not that address", e.Host, e.Kind, e.Addr)
}

// isLoopbackName reports whether a host is written as this machine.
func isLoopbackName(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// special are ranges that are nowhere on the public network (IANA's registries of
// special-purpose addresses), beside those that netip knows.
var special = []struct {
	prefix netip.Prefix
	kind   string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "unspecified"},
	{netip.MustParsePrefix("100.64.0.0/10"), "private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved"},
	{netip.MustParsePrefix("192.0.2.0/24"), "reserved"},
	{netip.MustParsePrefix("198.18.0.0/15"), "private"},
	{netip.MustParsePrefix("198.51.100.0/24"), "reserved"},
	{netip.MustParsePrefix("203.0.113.0/24"), "reserved"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
	{netip.MustParsePrefix("::/128"), "unspecified"},
	{netip.MustParsePrefix("100::/64"), "reserved"},
	{netip.MustParsePrefix("2001:db8::/32"), "reserved"},
	{netip.MustParsePrefix("fec0::/10"), "private"},
}

// embedded are prefixes of IPv6 addresses that stand for IPv4 ones: where in the 16
// bytes those begin.
var embedded = []struct {
	prefix netip.Prefix
	at     int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), 12},
	{netip.MustParsePrefix("64:ff9b:1::/48"), 12},
	{netip.MustParsePrefix("2002::/16"), 2},
	{netip.MustParsePrefix("::/96"), 12},
}

// kindOf says what an address is that is not on the public network; "" if it is.
// The metadata services of clouds are at link-local and private ones.
func kindOf(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	switch {
	case a.IsLoopback():
		return "loopback"
	case a.IsPrivate():
		return "private"
	case a.IsLinkLocalUnicast(), a.IsLinkLocalMulticast(), a.IsInterfaceLocalMulticast():
		return "link-local"
	case a.IsMulticast():
		return "multicast"
	case a.IsUnspecified():
		return "unspecified"
	}
	for _, s := range special {
		if s.prefix.Contains(a) {
			return s.kind
		}
	}
	if a.Is6() {
		bytes := a.As16()
		for _, e := range embedded {
			if e.prefix.Contains(a) {
				return kindOf(netip.AddrFrom4([4]byte(bytes[e.at : e.at+4])))
			}
		}
	}
	return ""
}

// reach says to which addresses connections may go.
type reach struct {
	// server is the host of the map's server, as it is written.
	server string
	// inside: the user's own configuration names the server, which may be on a
	// private network.
	inside bool
}

// allows says why a host may not be at an address; nil if it may.
func (r *reach) allows(host string, a netip.Addr) error {
	kind := kindOf(a)
	if kind == "" {
		return nil
	}
	if strings.EqualFold(host, r.server) {
		switch own, err := netip.ParseAddr(host); {
		case err == nil && own.Unmap() == a.Unmap(), isLoopbackName(host) && kind == "loopback", r.inside && kind == "private":
			return nil
		}
	}
	return &AddressError{host, a.Unmap(), kind}
}

// connectTime is how long a connection may take.
const connectTime = 10 * time.Second

// dial connects after each address was looked at, so that a name cannot be one thing
// when it is looked at and another when it is connected to.
func (r *reach) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: connectTime, Control: func(_, at string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(at)
		if err != nil {
			return err
		}
		return r.allows(host, to.Addr())
	}}
	return d.DialContext(ctx, network, address)
}
