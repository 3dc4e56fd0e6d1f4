package atomicedit

// ParseUnified is not there yet: it refuses every request.
func ParseUnified(request string) (Plan, error) {
	return Plan{}, syntax(1, "this format is not read yet")
}
