package pdf

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// memory is what one instance of pdfium allocates from. It is reserved once
// and never moves; pages become resident when they are touched. Beyond
// engineMemory an allocation fails, and pdfium gives the file up.
type memory []byte

func newMemory(_, _ uint64) experimental.LinearMemory {
	m, err := syscall.Mmap(-1, 0, engineMemory, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic("reserve memory for pdfium: " + err.Error())
	}
	return memory(m)
}

// Reallocate implements experimental.LinearMemory.
func (m memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m)) {
		return nil
	}
	return m[:size:size]
}

// Free implements experimental.LinearMemory.
func (m memory) Free() { _ = syscall.Munmap(m) }
