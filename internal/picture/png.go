package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// essential is a PNG without what its pixels don't need: the decoder refuses the whole for a wrong checksum in a text,
// which every browser ignores.
type essential struct {
	from  io.Reader
	now   io.Reader // the rest of what is copied at the moment
	begun bool
}

func (e *essential) Read(p []byte) (int, error) {
	for {
		if e.now != nil {
			if n, err := e.now.Read(p); n > 0 || err != io.EOF { //nolint:errorlint // Read's own
				return n, err
			}
		}
		if err := e.next(); err != nil {
			return 0, err
		}
	}
}

// next goes on to the next chunk that is needed. A transparent colour is, but may lack its checksum, too.
func (e *essential) next() error {
	if !e.begun {
		e.begun, e.now = true, io.LimitReader(e.from, int64(signatures[PNG]))
		return nil
	}
	for {
		var head [8]byte
		if _, err := io.ReadFull(e.from, head[:]); err != nil {
			return err
		}
		size, kind := int64(binary.BigEndian.Uint32(head[:])), head[4:]
		const ancillary, maxTransparency = 0x20, 256
		switch {
		case string(kind) == "tRNS" && size <= maxTransparency:
			chunk := make([]byte, 8+size+4)
			copy(chunk, head[:])
			if _, err := io.ReadFull(e.from, chunk[8:]); err != nil {
				return err
			}
			binary.BigEndian.PutUint32(chunk[8+size:], crc32.ChecksumIEEE(chunk[4:8+size]))
			e.now = bytes.NewReader(chunk)
			return nil
		case kind[0]&ancillary == 0:
			e.now = io.MultiReader(bytes.NewReader(head[:]), io.LimitReader(e.from, size+4))
			return nil
		}
		if _, err := io.CopyN(io.Discard, e.from, size+4); err != nil {
			return err
		}
	}
}
