//go:build sweep

package sweeps

const isWhole = true
