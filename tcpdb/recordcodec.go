package tcpdb

// Codecs of the other blocks: risk entries with their variants, operations,
// intents and source stamps.

// riskRecord is all that the map says of one key.
type riskRecord struct {
	base     *Entry
	variants []Variant
}

func encodeRisk(r *riskRecord) []byte {
	e := &encoder{}
	e.uint(pick(1, r.base != nil))
	if r.base != nil {
		encodeEntry(e, r.base)
	}
	e.uint(uint64(len(r.variants)))
	for i := range r.variants {
		v := &r.variants[i]
		encodeEntry(e, &v.Entry)
		e.strings(v.All)
		e.strings(v.Any)
		e.strings(v.None)
		e.string(v.ArgClass)
		e.uint(uint64(v.Effect))
	}
	return e.payload()
}

func encodeEntry(e *encoder, x *Entry) {
	record := x.Descriptor.Encode()
	e.raw(record[:])
	e.string(x.Rule)
	e.string(x.Reason)
	e.string(x.Safer)
	e.uint(x.Stake.pack(x.Scope))
	e.string(x.Provenance)
}

func decodeEntry(d *decoder, x *Entry) {
	var record [descriptorSize]byte
	copy(record[:], d.raw(descriptorSize))
	x.Descriptor = unpack(&record)
	x.Rule = d.string()
	x.Reason = d.string()
	x.Safer = d.string()
	x.Scope, x.Stake = unpackStake(d.uint())
	x.Provenance = d.string()
}

// risk reads the record of a key; it is nil where there is none.
func (im *Image) risk(layer Layer, key string) (*riskRecord, error) {
	h, ok, err := im.find(riskTable, key)
	if err != nil || !ok {
		return nil, err
	}
	return im.riskAt(layer, key, h.ref)
}

func (im *Image) riskAt(layer Layer, key string, ref uint32) (*riskRecord, error) {
	payload, err := im.block(riskTable, ref, riskBlock)
	if err != nil {
		return nil, err
	}
	d := newDecoder(payload)
	r := &riskRecord{}
	if d.uint() != 0 {
		r.base = &Entry{Key: key, Layer: layer}
		decodeEntry(d, r.base)
	}
	r.variants = decodeList(d, func(d *decoder, v *Variant) {
		v.Key, v.Layer = key, layer
		decodeEntry(d, &v.Entry)
		v.All = d.strings()
		v.Any = d.strings()
		v.None = d.strings()
		v.ArgClass = d.string()
		v.Effect = Effect(d.uint())
	})
	return r, d.err("the risk of " + key)
}

func encodeOperation(o *Operation) []byte {
	e := &encoder{}
	for _, s := range []string{o.ID, o.Surface, o.Tool, o.Description, o.Effect, o.Approval, o.OutputMode, o.Retention} {
		e.string(s)
	}
	for _, l := range [][]string{o.Template, o.Intents, o.When, o.Evidence} {
		e.strings(l)
	}
	e.uint(uint64(o.Risk))
	e.uint(uint64(o.Standing))
	e.uint(uint64(len(o.Params)))
	for i := range o.Params {
		p := &o.Params[i]
		e.string(p.Name)
		e.string(p.Type)
		e.uint(pick(1, p.Required) | pick(2, p.Filter))
		e.string(p.Resolver)
		e.string(p.Default)
		e.string(p.Description)
	}
	e.strings(o.Managers)
	e.strings(o.Values)
	return e.payload()
}

func (im *Image) operationAt(layer Layer, ref uint32) (Operation, error) {
	payload, err := im.block(opTable, ref, opBlock)
	if err != nil {
		return Operation{}, err
	}
	d := newDecoder(payload)
	o := Operation{Layer: layer}
	for _, s := range []*string{&o.ID, &o.Surface, &o.Tool, &o.Description, &o.Effect, &o.Approval, &o.OutputMode, &o.Retention} {
		*s = d.string()
	}
	for _, l := range []*[]string{&o.Template, &o.Intents, &o.When, &o.Evidence} {
		*l = d.strings()
	}
	o.Risk = Level(d.uint())
	o.Standing = Standing(d.uint())
	o.Params = decodeList(d, func(d *decoder, p *Param) {
		p.Name = d.string()
		p.Type = d.string()
		bits := d.uint()
		p.Required, p.Filter = bits&1 != 0, bits&2 != 0
		p.Resolver = d.string()
		p.Default = d.string()
		p.Description = d.string()
	})
	if d.more() { // since version 4
		o.Managers, o.Values = d.strings(), d.strings()
	}
	return o, d.err("operation " + o.ID)
}

// detail returns what the layer says of running the operation.
func (im *Image) detail(id string) (string, bool, error) {
	h, ok, err := im.find(detailTable, id)
	if err != nil || !ok {
		return "", false, err
	}
	payload, err := im.block(detailTable, h.ref, detailBlock)
	if err != nil {
		return "", false, err
	}
	d := newDecoder(payload)
	text := d.string()
	return text, true, d.err("the detail of " + id)
}

// intent returns the IDs of the operations that state exactly this intent.
func (im *Image) intent(text string) ([]string, error) {
	h, ok, err := im.find(intentTable, text)
	if err != nil || !ok {
		return nil, err
	}
	payload, err := im.block(intentTable, h.ref, intentBlock)
	if err != nil {
		return nil, err
	}
	d := newDecoder(payload)
	ids := d.strings()
	return ids, d.err("intent " + text)
}

// Source is the stamp of a source file from which an image was compiled. Times
// are nanoseconds since 1970.
type Source struct {
	Path         string
	Dev, Ino     uint64
	Size         int64
	MTime, CTime int64
}

func encodeSources(sources []Source) []byte {
	e := &encoder{}
	e.uint(uint64(len(sources)))
	for _, s := range sources {
		e.string(s.Path)
		e.uint(s.Dev)
		e.uint(s.Ino)
		e.int(s.Size)
		e.int(s.MTime)
		e.int(s.CTime)
	}
	return e.payload()
}

func (im *Image) readSources() ([]Source, error) {
	if im.section(metaTable, bodyPart).len == 0 {
		return nil, nil
	}
	payload, err := im.block(metaTable, 0, sourcesBlock)
	if err != nil {
		return nil, err
	}
	d := newDecoder(payload)
	sources := decodeList(d, func(d *decoder, s *Source) {
		s.Path = d.string()
		s.Dev = d.uint()
		s.Ino = d.uint()
		s.Size = d.int()
		s.MTime = d.int()
		s.CTime = d.int()
	})
	return sources, d.err("the source stamps")
}

// Sources returns the stamps of the files from which the image was compiled, in
// the order in which they were given to the Builder. Where they cannot be read
// the answer is one stamp that matches no file, so that the image counts as
// stale.
func (im *Image) Sources() []Source {
	sources, err := im.readSources()
	if err != nil {
		return []Source{{Path: "\x00", Size: -1}}
	}
	return sources
}
