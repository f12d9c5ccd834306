package views

import "strconv"

// heightValue is a height in an input, empty for no limit.
func heightValue(cm int) string {
	if cm <= 0 {
		return ""
	}
	return strconv.Itoa(cm)
}
