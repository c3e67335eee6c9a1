package disk

import (
	"bytes"
	"encoding/binary"
	"syscall"
	"unsafe"
)

// ReadDir calls visit for every entry of a directory but "." and "..", in the
// order of the directory. name is valid during the call only. It stops when
// visit returns false. Entries are read as the kernel gives them: no
// allocation and no stat for each.
func ReadDir(path string, visit func(name []byte, typ Type) bool) error {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_DIRECTORY, 0)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		defer Close(fd)
		return readDirents(fd, path, visit)
	}
}

func readDirents(fd int, path string, visit func(name []byte, typ Type) bool) error {
	_, err := readDirentsInto(fd, path, make([]byte, 8<<10), visit)
	return err
}

// readDirentsInto is readDirents with room, and returns the room that it needed.
func readDirentsInto(fd int, path string, buf []byte, visit func(name []byte, typ Type) bool) ([]byte, error) {
	const (
		lengthAt = unsafe.Offsetof(syscall.Dirent{}.Reclen)
		typeAt   = unsafe.Offsetof(syscall.Dirent{}.Type)
		nameAt   = unsafe.Offsetof(syscall.Dirent{}.Name)
	)
	for {
		n, err := syscall.ReadDirent(fd, buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return buf, err
		}
		large := n > len(buf)/2 && len(buf) < 128<<10
		for rest := buf[:n]; len(rest) >= int(nameAt); {
			length := int(binary.NativeEndian.Uint16(rest[lengthAt:]))
			if length <= int(nameAt) || length > len(rest) {
				break
			}
			name := rest[nameAt:length]
			if end := bytes.IndexByte(name, 0); end >= 0 {
				name = name[:end]
			}
			typ := direntType(path, name, rest[typeAt])
			rest = rest[length:]
			if string(name) == "." || string(name) == ".." {
				continue
			}
			if !visit(name, typ) {
				return buf, nil
			}
		}
		if large { // fewer calls for the rest of a large directory
			buf = make([]byte, 4*len(buf))
		}
	}
}

// direntType asks lstat where the file system gives no type.
func direntType(path string, name []byte, typ byte) Type {
	switch typ {
	case syscall.DT_REG:
		return File
	case syscall.DT_DIR:
		return Directory
	case syscall.DT_LNK:
		return Link
	case syscall.DT_UNKNOWN:
		if st, err := Lstat(path + "/" + string(name)); err == nil {
			return TypeOf(st.Mode)
		}
	}
	return Other
}

// Times gives modification and change time in seconds and nanoseconds.
func Times(st *syscall.Stat_t) (mtime, ctime [2]int64) {
	return [2]int64{int64(st.Mtim.Sec), int64(st.Mtim.Nsec)}, [2]int64{int64(st.Ctim.Sec), int64(st.Ctim.Nsec)}
}

// oPath opens a place in the file system and nothing in it (open(2)).
const oPath = 0x200000

// Dir is a directory of a work tree. Its entries are looked up from where it
// is, which saves the way down from the root for each of them.
type Dir struct {
	fd   int
	path string // absolute, with a slash at its end
}

// OpenDir opens a directory for looking up its entries, and if list is set
// for reading them too; parent is nil for the root of a tree. A symbolic link
// below the root is no directory.
func OpenDir(parent *Dir, name, path string, list bool) (d Dir, err error) {
	d = Dir{-1, path}
	at, flags := -100, syscall.O_CLOEXEC|syscall.O_DIRECTORY|oPath // AT_FDCWD
	if parent != nil {
		at, flags = parent.fd, flags|syscall.O_NOFOLLOW
	}
	if list {
		flags &^= oPath
	}
	for {
		d.fd, err = syscall.Openat(at, name, flags, 0)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EACCES && list: // its entries may be looked up all the same
			list, flags = false, flags|oPath
		default:
			return d, err
		}
	}
}

func (d *Dir) Close() {
	if d.fd >= 0 {
		Close(d.fd)
	}
}

// List calls visit for every entry, as ReadDir. room is kept from call to call.
func (d *Dir) List(room *[]byte, visit func(name []byte, typ Type) bool) (err error) {
	if *room == nil {
		*room = make([]byte, 32<<10)
	}
	*room, err = readDirentsInto(d.fd, d.path[:len(d.path)-1], *room, visit)
	return err
}
