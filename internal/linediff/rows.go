package linediff

// Rows pairs the lines of a with those of b, as a diff with two columns shows them: equal lines, in order, and the
// lines between them one by one. An index is -1 where a list has no line for a row. Lines above the first equal ones
// are paired from the bottom, all others from the top. Lines of b above the first row of a, or below the last, are left
// out.
func Rows(a, b []string) (rows []Step) {
	i, j, end := 0, 0, 0
	for n, s := range append(Subsequence(a, b), Step{len(a), len(b)}) {
		for i < s.Old || j < s.New {
			row, longer := Step{-1, -1}, (s.Old-i)-(s.New-j)
			if i < s.Old && (n > 0 || longer >= 0) {
				row.Old, i = i, i+1
			}
			if j < s.New && (n > 0 || longer <= 0) {
				row.New, j = j, j+1
			}
			if row.Old >= 0 || len(rows) > 0 {
				rows = append(rows, row)
			}
			if row.Old >= 0 {
				end = len(rows)
			}
		}
		if rows, i, j = append(rows, s), s.Old+1, s.New+1; s.Old < len(a) {
			end = len(rows)
		}
	}
	return rows[:end]
}
