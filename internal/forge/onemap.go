package forge

func (f *Forge) publish(*Index) {}
