package atomicedit

// ParseV4A is not there yet: it refuses every request.
func ParseV4A(request string) (Plan, error) {
	return Plan{}, syntax(1, "this format is not read yet")
}
