package text

import (
	"html"
	"strings"
)

// Unescaped removes one level of the escapes that models add: those of string literals and of markup.
func Unescaped(s string) string {
	if strings.Contains(s, `\`) {
		s = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\"`, `"`, `\'`, `'`, "\\`", "`", `\$`,
			`$`).Replace(s)
	}
	if strings.Contains(s, "&") {
		s = html.UnescapeString(s)
	}
	return s
}
