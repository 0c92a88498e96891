package input

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html/charset"
)

// Texts of everyday length are recognised in the charsets they come in.
func TestGuess(t *testing.T) {
	for _, tt := range []struct{ charset, text string }{
		{"windows-1252", "Le café était fermé dès l’été dernier."},
		{"windows-1252", "naïve café"},
		{"windows-1252", "El niño comió piñas en España, ¿verdad?"},
		{"windows-1252", "a very long line of English with one pound sign: £5"},
		{"windows-1252", "Köln, Größe"},
		{"windows-1252", "année"},
		{"iso-8859-2", "Zażółć gęślą jaźń: dziękuję, proszę i do widzenia."},
		{"windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, šelma zařvala."},
		{"windows-1254", "Bugün hava çok güzel, dışarı çıkıp biraz yürüyüş yapalım mı?"},
		{"windows-1256", "مرحبا بالعالم، كيف حالك اليوم؟ الطقس جميل جدا"},
		{"windows-1251", "Привет, как дела? Это обычный русский текст."},
		{"koi8-r", "Привет, как дела? Это обычный русский текст."},
		{"windows-1253", "Καλημέρα κόσμε, τι κάνετε σήμερα; Όλα καλά."},
		{"windows-1253", "Άνοιξε το παράθυρο και κοίταξε τη θάλασσα."},
		{"iso-8859-7", "Άνοιξε το παράθυρο και κοίταξε τη θάλασσα."},
		{"windows-1255", "שלום עולם, מה שלומך היום? הכל בסדר גמור"},
		{"shift_jis", "こんにちは世界。今日は良い天気ですね。"},
		{"shift_jis", "0600000,\"ﾎｯｶｲﾄﾞｳ\",\"ｻｯﾎﾟﾛｼﾁｭｳｵｳｸ\",\"北海道\",\"札幌市中央区\"\n"},
		{"euc-jp", "こんにちは世界。今日は良い天気ですね。"},
		{"gbk", "你好，世界。今天天气很好，我们去公园吧。"},
		{"big5", "你好，世界。今天天氣很好，我們去公園吧。"},
		{"euc-kr", "안녕하세요 세계. 오늘 날씨가 좋네요."},
	} {
		enc, _ := charset.Lookup(tt.charset)
		raw, err := enc.NewEncoder().Bytes([]byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "t")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := File{Path: path}.OpenText(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(r)
		r.Close()
		if string(got) != tt.text {
			t.Errorf("%s taken for %s: %q, want %q", tt.charset, r.Charset, got, tt.text)
		}
	}
}

// What is being read ends with the cause of its context's end.
func TestUntil(t *testing.T) {
	why := errors.New("out of time")
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "plain"), filepath.Join(dir, "packed")
	if err := os.WriteFile(plain, bytes.Repeat([]byte("text\n"), 100_000), 0o600); err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	if w, err := z.Create("part"); err != nil {
		t.Fatal(err)
	} else if _, err := w.Write(bytes.Repeat([]byte("text\n"), 100_000)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(z.Close(), os.WriteFile(packed, buf.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(ctx context.Context) (io.Reader, error){
		"text": func(ctx context.Context) (io.Reader, error) { return File{Path: plain}.OpenText(ctx) },
		"part": func(ctx context.Context) (io.Reader, error) {
			z, err := OpenZip(ctx, packed)
			if err != nil {
				return nil, err
			}
			return z.Open("part")
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			r, err := open(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
				t.Fatal(err)
			}
			cancel(why)
			if n, err := io.Copy(io.Discard, r); !errors.Is(err, why) || n > 100_000 {
				t.Errorf("%d bytes more, then %v", n, err)
			}
		})
	}
	t.Run("XML", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		x := NewXML(ctx, strings.NewReader("<a>"+strings.Repeat("<b/>", 100_000)+"</a>"), true)
		more := 0
		for range x.Tokens() {
			cancel(why)
			more++
		}
		if !errors.Is(x.Err(), why) || more > 10_000 {
			t.Errorf("%d tokens more, then %v", more, x.Err())
		}
	})
}
