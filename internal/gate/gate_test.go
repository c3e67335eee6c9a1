package gate

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// ready is a harmless, verified operation asked for by a person.
func ready() Facts {
	return Facts{Mapped: true, Standing: tcpdb.Shipped, Effect: "read-only", Level: tcpdb.Safe, Who: Person}
}

func TestDecide(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Facts)
		want   Decision
		word   bool
		code   string
	}{
		{"harmless", func(f *Facts) {}, Allow, false, ""},
		{"medium is shown, not asked", func(f *Facts) { f.Level = tcpdb.Medium }, Allow, false, ""},
		{"medium by an agent, mapped", func(f *Facts) { f.Level, f.Who = tcpdb.Medium, Agent }, Allow, false, ""},
		{"draft", func(f *Facts) { f.Standing = tcpdb.Draft }, Deny, false, "draft"},
		{"claimed", func(f *Facts) { f.Standing = tcpdb.Claimed }, Deny, false, "draft"},
		{"approved draft", func(f *Facts) { f.Standing, f.Approved = tcpdb.Draft, true }, Deny, false, "draft"},
		{"not exposed", func(f *Facts) { f.Exposure = "disabled_by_state_mode" }, Deny, false, "not_exposed"},
		{"exposed", func(f *Facts) { f.Exposure = "enabled" }, Allow, false, ""},
		{"high, person", func(f *Facts) { f.Level = tcpdb.High }, Ask, false, "approval_required"},
		{"high, agent", func(f *Facts) { f.Level, f.Who = tcpdb.High, Agent }, Ask, false, "approval_required"},
		{"high, script", func(f *Facts) { f.Level, f.Who = tcpdb.High, Nobody }, Ask, false, "approval_required"},
		{"high, approved", func(f *Facts) { f.Level, f.Who, f.Approved = tcpdb.High, Agent, true }, Allow, false, ""},
		{"critical, person", func(f *Facts) { f.Level = tcpdb.Critical }, Ask, true, "approval_required"},
		{"critical, person, approved elsewhere", func(f *Facts) { f.Level, f.Approved = tcpdb.Critical, true }, Ask, true, "approval_required"},
		{"critical, agent", func(f *Facts) { f.Level, f.Who = tcpdb.Critical, Agent }, Deny, false, "critical"},
		{"critical, agent, approved", func(f *Facts) { f.Level, f.Who, f.Approved = tcpdb.Critical, Agent, true }, Deny, false, "critical"},
		{"critical, script", func(f *Facts) { f.Level, f.Who = tcpdb.Critical, Nobody }, Deny, false, "critical"},
		{"nobody judged", func(f *Facts) { f.Level = tcpdb.Unknown }, Ask, false, "approval_required"},
		{"the map asks", func(f *Facts) { f.Approval = "required" }, Ask, false, "approval_required"},
		{"deployment rated low", func(f *Facts) { f.Effect, f.Level = "deployment", tcpdb.Low }, Ask, false, "approval_required"},
		{"two effects, one of them destructive", func(f *Facts) { f.Effect = "local-write + destructive" }, Ask, false, "approval_required"},
		{"an effect nobody knows", func(f *Facts) { f.Effect = "readonly" }, Ask, false, "approval_required"},
		{"no effect", func(f *Facts) { f.Effect = "" }, Ask, false, "approval_required"},
		{"local write and network", func(f *Facts) { f.Effect = "local-write + network" }, Allow, false, ""},
		{"plain command, person, medium", func(f *Facts) { *f = Facts{Level: tcpdb.Medium, Who: Person} }, Allow, false, ""},
		{"plain command, script, medium", func(f *Facts) { *f = Facts{Level: tcpdb.Medium} }, Allow, false, ""},
		{"plain command, agent, low", func(f *Facts) { *f = Facts{Level: tcpdb.Low, Who: Agent} }, Allow, false, ""},
		{"known command, agent, medium", func(f *Facts) { *f = Facts{Level: tcpdb.Medium, Who: Agent} }, Allow, false, ""},
		{"unknown command, agent", func(f *Facts) { *f = Facts{Level: tcpdb.Medium, Who: Agent, Unknown: true} }, Ask, false, "approval_required"},
		{"unknown command, agent, approved", func(f *Facts) { *f = Facts{Level: tcpdb.Medium, Who: Agent, Unknown: true, Approved: true} }, Allow, false, ""},
		{"unknown command, person", func(f *Facts) { *f = Facts{Level: tcpdb.Medium, Who: Person, Unknown: true} }, Allow, false, ""},
	} {
		f := ready()
		tt.change(&f)
		got := Decide(f)
		if got.Decision != tt.want || got.Word != tt.word || got.Code != tt.code || (got.Reason == "") != (got.Decision == Allow) {
			t.Errorf("%s: %+v, want %v %v %q", tt.name, got, tt.want, tt.word, tt.code)
		}
	}
}

// each visits every combination of facts.
func each(visit func(Facts)) {
	for _, mapped := range []bool{true, false} {
		for standing := tcpdb.Draft; standing <= tcpdb.Shipped; standing++ {
			for level := tcpdb.Unknown; level <= tcpdb.Critical; level++ {
				for _, effect := range []string{"", "read-only", "build-test", "local-write", "network", "deployment", "destructive", "local-write + network", "odd"} {
					for _, approval := range []string{"", "required"} {
						for _, exposure := range []string{"", "enabled", "disabled_by_agent_allowlist"} {
							for _, who := range []Who{Nobody, Agent, Person} {
								for _, approved := range []bool{false, true} {
									for _, unknown := range []bool{false, true} {
										visit(Facts{mapped, standing, effect, level, approval, exposure, who, unknown, tcpdb.NoAsking, approved})
									}
								}
							}
						}
					}
				}
			}
		}
	}
}

func TestInvariantHighRiskNeedsApproval(t *testing.T) {
	each(func(f Facts) {
		if f.Level >= tcpdb.High && !f.Approved && Decide(f).Decision == Allow {
			t.Errorf("%+v is allowed", f)
		}
		if f.Level >= tcpdb.Critical && f.Who != Person && Decide(f).Decision != Deny {
			t.Errorf("%+v is not denied", f)
		}
	})
}

func TestInvariantDraftIsDenied(t *testing.T) {
	each(func(f Facts) {
		if f.Mapped && !f.Standing.Verified() && Decide(f).Decision != Deny {
			t.Errorf("%+v is not denied", f)
		}
	})
}

// TestStricter: a higher level, an agent in place of a person, a stated
// approval or a missing one never make the answer milder.
func TestStricter(t *testing.T) {
	each(func(f Facts) {
		at := Decide(f).Decision
		worse := []Facts{f, f, f}
		if f.Level > tcpdb.Unknown && f.Level < tcpdb.Critical {
			worse[0].Level++
		}
		worse[1].Approval = "required"
		worse[2].Approved = false
		if f.Who == Person {
			worse = append(worse, f, f)
			worse[3].Who, worse[4].Who = Agent, Nobody
		}
		for _, w := range worse {
			if d := Decide(w).Decision; d > at {
				t.Errorf("%+v: %v, but %+v: %v", f, at, w, d)
			}
		}
	})
}

// TestAsked: where it is known what a plan would lose, that decides and not the level.
func TestAsked(t *testing.T) {
	for _, tc := range []struct {
		level tcpdb.Level
		asked tcpdb.Asking
		who   Who
		want  Decision
		word  bool
	}{
		{tcpdb.Critical, tcpdb.Silent, Person, Allow, false},
		{tcpdb.Critical, tcpdb.Silent, Agent, Allow, false},
		{tcpdb.Critical, tcpdb.Note, Nobody, Allow, false},
		{tcpdb.Critical, tcpdb.Key, Person, Ask, false},
		{tcpdb.Critical, tcpdb.Key, Agent, Deny, false},
		{tcpdb.Critical, tcpdb.Word, Person, Ask, true},
		{tcpdb.High, tcpdb.Word, Agent, Deny, false},
		{tcpdb.High, tcpdb.Key, Agent, Ask, false},
		{tcpdb.High, tcpdb.Allowable, Person, Ask, false},
		{tcpdb.High, tcpdb.Silent, Agent, Allow, false},
		{tcpdb.Medium, tcpdb.Silent, Agent, Allow, false},
	} {
		v := Decide(Facts{Level: tc.level, Asked: tc.asked, Who: tc.who})
		if v.Decision != tc.want || v.Word != tc.word {
			t.Errorf("%v %v %v: %+v", tc.level, tc.asked, tc.who, v)
		}
	}
	if v := Decide(Facts{Level: tcpdb.High, Asked: tcpdb.Key, Who: Agent, Approved: true}); v.Decision != Allow {
		t.Errorf("approved: %+v", v)
	}
	if v := Decide(Facts{Level: tcpdb.Critical, Asked: tcpdb.Key, Who: Person, Approved: true}); v.Decision != Ask {
		t.Errorf("CRITICAL is approved: %+v", v)
	}
}
