package system

import (
	"context"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestModuleList(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{"modules.dep": "kernel/fs/btrfs/btrfs.ko.zst: kernel/lib/xor.ko.zst\nkernel/net/br-netfilter.ko:\nnonsense\n"})
	a := moduleList(context.Background(), resolvers.Request{}, root+"/modules.dep")
	resolvertest.Equal(t, "modules", resolvertest.Texts(a), resolvertest.Words("br_netfilter btrfs"))
	if d := resolvertest.Described(a)["btrfs"]; d != "fs/btrfs" {
		t.Errorf("btrfs is in %q", d)
	}
	if a := moduleList(context.Background(), resolvers.Request{}, root+"/none"); a.State == resolvers.Fresh {
		t.Errorf("a list that is not there: %+v", a)
	}
}

func TestSettingsBelow(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{"vm/swappiness": "", "net/ipv4/conf/eth0.1/forwarding": "", "net/core/somaxconn": "", "top": ""})
	for text, want := range map[string]string{
		"":         "net.core.somaxconn net.ipv4.conf.eth0/1.forwarding top vm.swappiness",
		"net.i":    "net.ipv4.conf.eth0/1.forwarding",
		"vm.swapp": "vm.swappiness",
		"vm.x":     "",
	} {
		a := settingsBelow(context.Background(), resolvers.Request{Filter: resolvers.Filter{Text: text}}, root)
		resolvertest.Equal(t, text, resolvertest.Texts(a), resolvertest.Words(want))
	}
}

func TestZonesBelow(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{"Europe/Berlin": "", "America/Argentina/Salta": "", "UTC": "", "Cuba": "", "posix/Europe/Berlin": "", "tzdata.zi": ""})
	a := zonesBelow(context.Background(), resolvers.Request{}, root)
	resolvertest.Equal(t, "zones", resolvertest.Texts(a), resolvertest.Words("America/Argentina/Salta Europe/Berlin UTC Cuba"))
}
