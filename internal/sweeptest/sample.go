//go:build !sweep

package sweeptest

const isWhole = false
