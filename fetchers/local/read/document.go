package read

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"pifetch/fetchers/local/read/input"
)

// document is what an archive is when it is more than one.
type document int

const (
	none document = iota
	docx
	pptx
	xlsx
	odt
	odp
	ods
	epub
)

// documentType looks at the parts of an archive: OpenDocument and EPUB files
// state their type in one, Office Open XML has a folder for each.
func documentType(ctx context.Context, path string) document {
	z, err := input.OpenZip(ctx, path)
	if err != nil {
		return none
	}
	defer z.Close()
	if b, err := z.Read("mimetype", 1<<10); err == nil {
		t := strings.TrimSpace(string(b))
		for prefix, d := range map[string]document{
			"application/vnd.oasis.opendocument.text":         odt,
			"application/vnd.oasis.opendocument.presentation": odp,
			"application/vnd.oasis.opendocument.spreadsheet":  ods,
			"application/epub+zip":                            epub,
		} {
			if strings.HasPrefix(t, prefix) {
				return d
			}
		}
	}
	if z.Has("META-INF/container.xml") {
		return epub
	}
	if z.Has("[Content_Types].xml") {
		for folder, d := range map[string]document{"word": docx, "ppt": pptx, "xl": xlsx} {
			if z.HasFolder(folder) {
				return d
			}
		}
	}
	return none
}

// openRegular opens a file that is one.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	return os.Open(path)
}
