package atomicedit

// Version identifies content, not time: "sha256:" and hex.
type Version string
