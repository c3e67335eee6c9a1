package cargo

import (
	"errors"
	"strconv"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// manifest is what is read of a Cargo.toml.
type manifest struct {
	Package *packageTable // [package], or its old name [project]
	Lib     *target
	Bin     []target
	Example []target
	Test    []target
	Bench   []target
	// Features are what each feature enables.
	Features map[string][]string
	tables
	Target    []tables // of the platforms
	Profile   map[string]any
	Workspace *workspaceTable
}

// tables are the three tables of dependencies, by kind.
type tables struct {
	Dependencies, Dev, Build map[string]any
}

type packageTable struct {
	Name         string
	Edition      any // "2021", or {workspace = true}
	Workspace    string
	Autobins     *bool
	Autoexamples *bool
	Autotests    *bool
	Autobenches  *bool
	DefaultRun   string
}

type target struct {
	Name string
	Path string
	Test *bool
}

type workspaceTable struct {
	Members        []string
	Exclude        []string
	DefaultMembers []string
	Dependencies   map[string]any
}

// readCargo reads a manifest. Errors name the file, and the line where TOML is
// wrong or the key whose value is of the wrong kind.
func readCargo(path string) (*manifest, error) {
	root, err := readTOML(path)
	if err != nil {
		return nil, err
	}
	f := tomlFields{values: root, err: &err}
	m := &manifest{
		Package: f.packageTable(),
		Bin:     f.targets("bin"),
		Example: f.targets("example"),
		Test:    f.targets("test"),
		Bench:   f.targets("bench"),
		tables:  f.kinds(),
		Profile: f.table("profile").values,
	}
	if lib := f.table("lib"); lib.values != nil {
		t := lib.target()
		m.Lib = &t
	}
	features := f.table("features")
	for name := range features.values {
		if m.Features == nil {
			m.Features = map[string][]string{}
		}
		m.Features[name] = features.strings(name)
	}
	platforms := f.table("target")
	for name := range platforms.values {
		m.Target = append(m.Target, platforms.table(name).kinds())
	}
	if w := f.table("workspace"); w.values != nil {
		m.Workspace = &workspaceTable{
			Members: w.strings("members"), Exclude: w.strings("exclude"),
			DefaultMembers: w.strings("default-members"), Dependencies: w.table("dependencies").values,
		}
	}
	if err != nil {
		return nil, errors.New(path + ": " + err.Error())
	}
	return m, nil
}

func (f tomlFields) packageTable() *packageTable {
	p := f.table("package")
	if p.values == nil {
		p = f.table("project")
	}
	if p.values == nil {
		return nil
	}
	return &packageTable{
		Name: p.string("name"), Edition: p.values["edition"], Workspace: p.string("workspace"),
		Autobins: p.flag("autobins"), Autoexamples: p.flag("autoexamples"),
		Autotests: p.flag("autotests"), Autobenches: p.flag("autobenches"),
		DefaultRun: p.string("default-run"),
	}
}

func (f tomlFields) kinds() tables {
	return tables{
		Dependencies: f.table("dependencies").values,
		Dev:          f.table("dev-dependencies").values,
		Build:        f.table("build-dependencies").values,
	}
}

func (f tomlFields) targets(key string) []target {
	list, _ := f.values[key].([]any)
	if list == nil && f.values[key] != nil {
		f.want(key, "an array of tables")
	}
	var all []target
	for _, v := range list {
		table, ok := v.(map[string]any)
		if !ok {
			f.want(key, "an array of tables")
			break
		}
		all = append(all, tomlFields{values: table, name: f.name + key + ".", err: f.err}.target())
	}
	return all
}

func (f tomlFields) target() target {
	return target{Name: f.string("name"), Path: f.string("path"), Test: f.flag("test")}
}

// readTOML reads a file. Errors name it, and the line where it is wrong.
func readTOML(path string) (map[string]any, error) {
	data, err := disk.ReadRegular(path, disk.MaxManifest)
	if err != nil {
		return nil, err
	}
	root, err := toml.Parse(disk.View(data))
	if err != nil {
		var syntax *toml.Error
		if errors.As(err, &syntax) {
			return nil, errors.New(path + ":" + strconv.Itoa(syntax.Line) + ": " + syntax.Message)
		}
		return nil, errors.New(path + ": " + err.Error())
	}
	return root, nil
}

// tomlFields reads the keys of a table. One that is not there is the zero
// value; the first of a wrong kind is kept in err.
type tomlFields struct {
	values map[string]any
	name   string // of the table, with a dot at its end
	err    *error
}

func (f tomlFields) want(key, kind string) {
	if *f.err == nil {
		*f.err = errors.New(f.name + key + ": want " + kind)
	}
}

func (f tomlFields) string(key string) string {
	s, ok := f.values[key].(string)
	if !ok && f.values[key] != nil {
		f.want(key, "a string")
	}
	return s
}

func (f tomlFields) flag(key string) *bool {
	b, ok := f.values[key].(bool)
	if ok {
		return &b
	}
	if f.values[key] != nil {
		f.want(key, "true or false")
	}
	return nil
}

// strings returns a list, nil if there is none.
func (f tomlFields) strings(key string) []string {
	list, ok := f.values[key].([]any)
	if !ok {
		if f.values[key] != nil {
			f.want(key, "an array of strings")
		}
		return nil
	}
	all := make([]string, 0, len(list))
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			f.want(key, "an array of strings")
			return nil
		}
		all = append(all, s)
	}
	return all
}

func (f tomlFields) table(key string) tomlFields {
	t, ok := f.values[key].(map[string]any)
	if !ok && f.values[key] != nil {
		f.want(key, "a table")
	}
	return tomlFields{values: t, name: f.name + key + ".", err: f.err}
}
