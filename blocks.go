package atomicedit

// ParseBlocks is not there yet: it refuses every request.
func ParseBlocks(request string) (Plan, error) {
	return Plan{}, syntax(1, "this format is not read yet")
}
