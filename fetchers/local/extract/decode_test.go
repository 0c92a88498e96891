package extract

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

func TestDecode(t *testing.T) {
	late := "<script>" + strings.Repeat("var a=1;", 400) + "</script>"
	for _, tt := range []struct {
		name, page, contentType string
		enc                     encoding.Encoding
		want                    string
	}{
		{"utf8", "<p>é", "", nil, "é"},
		{"utf8_beats_a_wrong_meta", "<meta charset=windows-1251><p>é", "", nil, "é"},
		{"utf8_with_late_meta", late + "<meta charset=utf-8>é", "", nil, "é"},
		{"utf8_bom", "\ufeff<p>é", "", nil, "<p>é"},
		{"gbk_meta", `<meta http-equiv="Content-Type" content="text/html; charset=gbk">北防波堤`, "", simplifiedchinese.GBK, "北防波堤"},
		{"sjis_meta", "<meta charset=Shift_JIS>潮位", "", japanese.ShiftJIS, "潮位"},
		{"late_meta", late + "<meta name=x><meta charset=windows-1251>Дневник", "", charmap.Windows1251, "Дневник"},
		{"header", "<p>Дневник", "text/html; charset=windows-1251", charmap.Windows1251, "Дневник"},
		{"header_beats_meta", "<meta charset=koi8-r><p>Дневник", "text/html; charset=windows-1251", charmap.Windows1251, "Дневник"},
		{"undeclared", "<p>Rätsel", "", charmap.Windows1252, "Rätsel"},
		{"unknown_label", "<p>Rätsel", "text/html; charset=klingon", charmap.Windows1252, "Rätsel"},
		{"utf16_bom", "<p>Fähre", "", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "Fähre"},
		{"utf16_bom_beats_header", "<p>Fähre", "text/html; charset=utf-8", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "Fähre"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw := tt.page
			if tt.enc != nil {
				var err error
				if raw, err = tt.enc.NewEncoder().String(tt.page); err != nil {
					t.Fatal(err)
				}
			}
			got := string(Decode([]byte(raw), tt.contentType))
			if !strings.Contains(got, tt.want) || strings.HasPrefix(got, "\ufeff") {
				t.Errorf("got %q, want %q in it", got, tt.want)
			}
		})
	}
}
