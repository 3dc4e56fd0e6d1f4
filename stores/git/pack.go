package git

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// packTypes are the numbers of the kinds of objects in a pack.
var packTypes = map[string]byte{"commit": 1, "tree": 2, "blob": 3}

// writePack writes objects as a pack, which is how git programs hand objects to each other.
func (f format) writePack(to io.Writer, objects []object) error {
	sum := f.hash()
	out := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<16)
	out.WriteString("PACK")
	var head [8]byte
	binary.BigEndian.PutUint32(head[:4], 2)
	binary.BigEndian.PutUint32(head[4:], uint32(len(objects)))
	out.Write(head[:])
	deflate, _ := zlib.NewWriterLevel(nil, zlib.BestSpeed) // the level is right
	for _, o := range objects {
		size := uint64(len(o.data))
		for b, rest := packTypes[o.kind]<<4|byte(size&15), size>>4; ; b, rest = byte(rest&127), rest>>7 {
			if rest == 0 {
				out.WriteByte(b)
				break
			}
			out.WriteByte(b | 128)
		}
		deflate.Reset(out)
		if _, err := deflate.Write(o.data); err != nil {
			return err
		}
		if err := deflate.Close(); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := to.Write(sum.Sum(nil))
	return err
}
