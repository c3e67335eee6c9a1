package resolvers

import (
	"bytes"
	"encoding/binary"
	"syscall"
	"unsafe"
)

// readDir calls visit for every entry of a directory but "." and "..", in the
// order of the directory. name is valid during the call only. It stops when
// visit returns false. Entries are read as the kernel gives them: no
// allocation and no stat for each.
func readDir(path string, visit func(name []byte, typ entryType) bool) error {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_DIRECTORY, 0)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		defer closeFile(fd)
		return readDirents(fd, path, visit)
	}
}

func readDirents(fd int, path string, visit func(name []byte, typ entryType) bool) error {
	const (
		lengthAt = unsafe.Offsetof(syscall.Dirent{}.Reclen)
		typeAt   = unsafe.Offsetof(syscall.Dirent{}.Type)
		nameAt   = unsafe.Offsetof(syscall.Dirent{}.Name)
	)
	buf := make([]byte, 8<<10)
	for {
		n, err := syscall.ReadDirent(fd, buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err
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
				return nil
			}
		}
		if large { // fewer calls for the rest of a large directory
			buf = make([]byte, 4*len(buf))
		}
	}
}

// direntType asks lstat where the file system gives no type.
func direntType(path string, name []byte, typ byte) entryType {
	switch typ {
	case syscall.DT_REG:
		return entryFile
	case syscall.DT_DIR:
		return entryDir
	case syscall.DT_LNK:
		return entryLink
	case syscall.DT_UNKNOWN:
		if st, err := lstatFile(path + "/" + string(name)); err == nil {
			return typeOfMode(st.Mode)
		}
	}
	return entryOther
}

// statTimes gives modification and change time in seconds and nanoseconds.
func statTimes(st *syscall.Stat_t) (mtime, ctime [2]int64) {
	return [2]int64{int64(st.Mtim.Sec), int64(st.Mtim.Nsec)}, [2]int64{int64(st.Ctim.Sec), int64(st.Ctim.Nsec)}
}
