package atomicedit

// Parse is not there yet: it refuses every request.
func Parse(request string) (Plan, error) {
	return Plan{}, syntax(1, "this format is not read yet")
}
