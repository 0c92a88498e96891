package termtext

import (
	"fmt"
	"strconv"
)

// Bytes writes a size for people, in steps of 1024 as pi does: 512B, 25.9KB,
// 1.2MB.
func Bytes(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%dB", n)
	}
	const units = "KMGTPE"
	size, unit := float64(n)/1024, 0
	for size >= 1023.95 && unit < len(units)-1 { // what would print as 1024.0
		size /= 1024
		unit++
	}
	return fmt.Sprintf("%.1f%cB", size, units[unit])
}

// Count writes a number with a comma between thousands: 1,273.
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
