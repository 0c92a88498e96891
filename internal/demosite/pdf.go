package demosite

import (
	"bytes"
	"fmt"
	"strings"
)

// manual is a PDF of one page.
func manual() []byte {
	return writePDF(
		"Greenhouse controller: manual",
		"1. Connect the pump before the controller.",
		"2. Hold the blue button for three seconds to start a cycle.",
		"3. The controller stops by itself after 40 litres.",
	)
}

// writePDF sets lines of ASCII text on one A5 page.
func writePDF(lines ...string) []byte {
	var text strings.Builder
	text.WriteString("BT /F1 12 Tf 18 TL 48 540 Td\n")
	escape := strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`)
	for _, l := range lines {
		fmt.Fprintf(&text, "(%s) Tj T*\n", escape.Replace(l))
	}
	text.WriteString("ET")

	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", text.Len(), text.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n") // the second line says that this is no text
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	// Every entry of the cross-reference table is exactly 20 bytes.
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return b.Bytes()
}
