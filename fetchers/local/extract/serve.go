package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
)

// Page reads one page from in and writes its markdown to out. The page may be
// in any charset it declares; rawURL, which may be empty, is its address.
func Page(in io.Reader, out io.Writer, rawURL string) error {
	base, err := url.Parse(rawURL)
	if err != nil {
		return fmt.Errorf("parse page URL: %w", err)
	}
	raw, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read page: %w", err)
	}
	r, err := Extract(Decode(raw, ""), base)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, r.Markdown); err != nil {
		return fmt.Errorf("write markdown: %w", err)
	}
	return nil
}

// Serve answers one line {"url","html"} of in with one line
// {"markdown","error"} on out, until in ends. A line it cannot read is
// answered with an error and costs nothing else.
func Serve(in io.Reader, out io.Writer) error {
	r := bufio.NewReader(in)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := enc.Encode(answer(line)); err != nil {
				return fmt.Errorf("write answer: %w", err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read request: %w", err)
		}
	}
}

type request struct {
	URL  string `json:"url"`
	HTML string `json:"html"`
}

type reply struct {
	Markdown string `json:"markdown"`
	Error    string `json:"error,omitempty"`
}

func answer(line []byte) reply {
	var req request
	if err := json.Unmarshal(line, &req); err != nil {
		return reply{Error: "parse request: " + err.Error()}
	}
	base, err := url.Parse(req.URL)
	if err != nil {
		return reply{Error: "parse page URL: " + err.Error()}
	}
	r, err := Extract([]byte(req.HTML), base)
	if err != nil {
		return reply{Error: err.Error()}
	}
	return reply{Markdown: r.Markdown}
}
