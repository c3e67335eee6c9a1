package tcpdb

import (
	"reflect"
	"testing"
)

func TestParamType(t *testing.T) {
	for _, want := range []ParamType{
		{}, {Name: "string"}, {Name: "integer", Minimum: "1", Maximum: "500"}, {Enum: []string{"a", "b=c", ""}}, {Name: "string", Format: "date", Enum: []string{"x"}},
	} {
		if got := TypeOf(want.Text()); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v became %+v", want, got)
		}
	}
	if got := TypeOf("enum:a,b"); !reflect.DeepEqual(got.Enum, []string{"a", "b"}) || got.Name != "" {
		t.Errorf("%+v", got)
	}
}
