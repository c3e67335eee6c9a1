package invoke

import "os"

// Private is a file that has no name: it holds data, and is for the program that it is
// handed to alone. It is read and written from its start.
func Private(name string, data []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "."+name+"-*") // made with 0600
	if err != nil {
		return nil, err
	}
	if err = os.Remove(f.Name()); err == nil {
		_, err = f.WriteAt(data, 0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
