package git

import (
	"errors"
	"fmt"
	"strings"
)

// facts are what counts of the configuration of a repository.
type facts struct {
	format format
	shared string // core.sharedRepository: who may write to new files
	head   string // the file HEAD
	bare   bool
}

var errFormat = fmt.Errorf("a store cannot work with such a repository: %w", errors.ErrUnsupported)

// read reads one setting. A repository says by its format version and extensions what a program must understand to use
// it; the rest is ignored, except for what Store needs.
func (is *facts) read(name, value string) error {
	on := strings.EqualFold(value, "true") || strings.EqualFold(value, "yes") || strings.EqualFold(value, "on") ||
		value == "1"
	switch name {
	case "core.repositoryformatversion":
		if value != "0" && value != "1" {
			return errFormat
		}
	case "core.bare":
		is.bare = on
	case "core.worktree":
		is.bare = false
	case "core.sharedrepository":
		is.shared = value
	case "extensions.objectformat":
		switch value {
		case formatSHA1.name:
		case formatSHA256.name:
			is.format = formatSHA256
		default:
			return errFormat
		}
	case "extensions.refstorage":
		if value != "files" {
			return errFormat
		}
	case "extensions.noop", "extensions.preciousobjects", "extensions.partialclone", "extensions.worktreeconfig",
		"extensions.relativeworktrees":
	default:
		if strings.HasPrefix(name, "extensions.") {
			return errFormat
		}
	}
	return nil
}
