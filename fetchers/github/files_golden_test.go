package github

import (
	"testing"

	"pifetch/test/fakegithub"
)

// Files, folders, repositories, archives and wikis as documents.
func TestGoldenFiles(t *testing.T) {
	f := fakegithub.New(t)
	for _, tt := range []struct{ name, url string }{
		{"repo/readme", "https://github.com/octo/hello"},
		{"repo/heading", "https://github.com/octo/hello#user-content-use"},
		{"repo/git", "git@github.com:octo/hello.git"},
		{"repo/renamed", "https://github.com/octo/old-hello"},
		{"repo/fork", "https://github.com/linus/hello?tab=readme-ov-file"},
		{"repo/empty", "https://github.com/octo/empty"},
		{"repo/private", "https://github.com/octo/secret"},
		{"repo/missing", "https://github.com/octo/nowhere"},
		{"file/text", "https://github.com/octo/hello/blob/main/src/greet.go"},
		{"file/lines", "https://github.com/octo/hello/blob/main/src/greet.go#L12-L14"},
		{"file/line-past-the-end", "https://github.com/octo/hello/blob/main/src/greet.go#L400"},
		{"file/heading", "https://github.com/octo/hello/blob/main/docs/guide.md#languages"},
		{"file/no-such-heading", "https://github.com/octo/hello/blob/main/docs/guide.md#nothing"},
		{"file/slash-ref", "https://github.com/octo/hello/blob/feature/x/src/x.go"},
		{"file/tag-with-slash", "https://github.com/octo/hello/blob/pkg/v2.0.0-rc.1/go.mod"},
		{"file/branch-and-tag", "https://github.com/octo/hello/blob/release-1.0/docs/guide.md"},
		{"file/tag-by-type", "https://github.com/octo/hello/blob/refs/tags/release-1.0/docs/guide.md"},
		{"file/branch-like-a-commit", "https://github.com/octo/hello/blob/cafe123/src/coffee.go"},
		{"file/annotated-tag", "https://raw.githubusercontent.com/octo/hello/v1.0.0/README.md"},
		{"file/contents", "https://api.github.com/repos/octo/hello/contents/go.mod?ref=v1.1.0"},
		{"file/space-and-number-sign", "https://github.com/octo/hello/blob/main/docs/with%20space%20%231.md"},
		{"file/binary", "https://github.com/octo/hello/raw/main/assets/logo.png"},
		{"file/not-utf8", "https://github.com/octo/hello/blob/main/docs/latin1.txt"},
		{"file/empty", "https://github.com/octo/hello/blob/main/empty.txt"},
		{"file/crlf", "https://github.com/octo/hello/blame/main/docs/crlf.txt"},
		{"file/lfs", "https://github.com/octo/hello/blob/main/assets/model.bin"},
		{"file/executable", "https://github.com/octo/hello/edit/main/tools/run.sh"},
		{"file/symlink", "https://github.com/octo/hello/blob/main/latest"},
		{"file/symlink-away", "https://github.com/octo/hello/blob/main/away"},
		{"file/submodule", "https://github.com/octo/hello/blob/main/vendor/greetings"},
		{"file/is-a-folder", "https://github.com/octo/hello/blob/main/docs"},
		{"file/no-such-path", "https://github.com/octo/hello/blob/main/nowhere.go"},
		{"file/no-such-ref", "https://github.com/octo/hello/blob/gone/README.md"},
		{"file/renamed", "https://github.com/octo/old-hello/blob/main/go.mod"},
		{"file/private", "https://github.com/octo/secret/blob/main/plan.txt"},
		{"directory/folder", "https://github.com/octo/hello/tree/main/docs"},
		{"directory/root", "https://github.com/octo/hello/tree/feature/x"},
		{"directory/submodule", "https://github.com/octo/hello/tree/main/vendor"},
		{"directory/is-a-file", "https://github.com/octo/hello/tree/main/go.mod"},
		{"directory/is-a-submodule", "https://github.com/octo/hello/tree/main/vendor/greetings"},
		{"directory/contents", "https://api.github.com/repos/octo/hello/contents/src"},
		{"directory/no-such-path", "https://github.com/octo/hello/tree/main/nowhere"},
		{"archive/missing", "https://github.com/octo/hello/archive/gone.zip"},
		{"wiki/home", "https://github.com/octo/hello/wiki"},
		{"wiki/heading", "https://github.com/octo/hello/wiki#welcome"},
		{"wiki/page", "https://github.com/octo/hello/wiki/Getting-Started"},
	} {
		golden(t, f, tt.name, tt.url)
	}
}
