package demosite

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestSite(t *testing.T) {
	site := httptest.NewServer(Handler())
	defer site.Close()
	for _, p := range Pages() {
		t.Run(strings.TrimPrefix(p.Path, "/"), func(t *testing.T) {
			resp, err := http.Get(site.URL + p.Path)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case p.Failed == "404":
				if resp.StatusCode != http.StatusNotFound {
					t.Errorf("status %d, want 404", resp.StatusCode)
				}
			case p.Failed != "":
				if resp.Request.URL.Path != "/login" || !bytes.Contains(body, []byte(`type="password"`)) {
					t.Errorf("ended on %s, want the login form", resp.Request.URL)
				}
			case p.Bytes != nil && !bytes.Equal(body, p.Bytes):
				t.Errorf("served %q, want the bytes the page lists", body)
			}
		})
	}
}

// Readers of PDF find objects by the offsets of the cross-reference table.
func TestPDFOffsets(t *testing.T) {
	pdf := manual()
	start := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(pdf)
	if start == nil {
		t.Fatal("no startxref at the end")
	}
	table, _ := strconv.Atoi(string(start[1]))
	entries := regexp.MustCompile(`(\d{10}) 00000 n \n`).FindAllSubmatch(pdf[table:], -1)
	if len(entries) != 5 {
		t.Fatalf("%d entries in the table, want 5", len(entries))
	}
	for i, e := range entries {
		at, _ := strconv.Atoi(string(e[1]))
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !bytes.HasPrefix(pdf[at:], []byte(want)) {
			t.Errorf("object %d is not at offset %d", i+1, at)
		}
	}
}
