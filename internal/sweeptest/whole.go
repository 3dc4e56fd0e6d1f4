//go:build sweep

package sweeptest

const isWhole = true
