package client

import "testing"

func TestNewer(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"v1.2.0", "v1.1.9", true},
		{"1.10.0", "v1.9.0", true},
		{"v1.2.0", "v1.2.0-rc.1", true},
		{"v1.3.0-rc.2", "v1.3.0-rc.1-4-gfe2e389-dirty", true},
		{"v2.0.0-3-gfe2e389", "v1.9.0", true},
		{"v1.2.0", "v1.2.0", false},
		{"v1.1.9", "v1.2.0", false},
		{"v1.2.0-5-gfe2e389", "v1.2.0", false},
		{"v1.2.0", "v1.2.0-5-gfe2e389", false},
		{"v1.2.0-dirty", "v1.2.0", false},
		{"devel", "v1.2.0", false},
		{"v1.2.0", "devel", false},
		{"1234567", "v1.2.0", false},
		{"fe2e389-dirty", "1234567", false},
		{"", "", false},
	} {
		if got := newer(tt.a, tt.b); got != tt.want {
			t.Errorf("newer(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
