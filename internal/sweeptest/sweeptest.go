// Package sweeptest says how much the tests try that try everything: a fault at each operation, many random plans,
// races of seconds. By default they try a sample that is spread over all of it. With the build tag sweep they try the
// whole.
package sweeptest

// Or returns whole with the build tag sweep, and sample without it.
func Or[T any](sample, whole T) T {
	if isWhole {
		return whole
	}
	return sample
}
