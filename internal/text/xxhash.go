package text

import (
	"encoding/binary"
	"math/bits"
)

// The primes of xxHash32.
const (
	prime1 = 2654435761
	prime2 = 2246822519
	prime3 = 3266489917
	prime4 = 668265263
	prime5 = 374761393
)

// XXHash32 returns the 32-bit xxHash of data, as its specification defines it.
func XXHash32(data []byte, seed uint32) uint32 {
	word := binary.LittleEndian.Uint32
	size := uint32(len(data))
	sum := seed + prime5
	if len(data) >= 16 {
		lanes := [4]uint32{seed, seed, seed, seed}
		lanes[0] += prime1 // in two steps, as a constant it would overflow
		lanes[0] += prime2
		lanes[1] += prime2
		lanes[3] -= prime1
		for ; len(data) >= 16; data = data[16:] {
			for i := range lanes {
				lanes[i] = bits.RotateLeft32(lanes[i]+word(data[4*i:])*prime2, 13) * prime1
			}
		}
		sum = bits.RotateLeft32(lanes[0], 1) + bits.RotateLeft32(lanes[1], 7) + bits.RotateLeft32(lanes[2], 12) +
			bits.RotateLeft32(lanes[3], 18)
	}
	sum += size
	for ; len(data) >= 4; data = data[4:] {
		sum = bits.RotateLeft32(sum+word(data)*prime3, 17) * prime4
	}
	for _, c := range data {
		sum = bits.RotateLeft32(sum+uint32(c)*prime5, 11) * prime1
	}
	sum = (sum ^ sum>>15) * prime2
	sum = (sum ^ sum>>13) * prime3
	return sum ^ sum>>16
}
