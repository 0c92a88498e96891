package fakegithub

import (
	"strings"
	"time"
)

func helloReleases() []*Release {
	return []*Release{
		{
			ID: 7003, Tag: "pkg/v2.0.0-rc.1", Name: "", Body: "Try it.", Author: "ada", Prerelease: true, Created: day(time.February, 3, 8, 30), Published: day(time.March, 1, 9, 0),
		},
		{
			ID: 7002, Tag: "v1.1.0", Name: "hello 1.1.0", Body: "## Changes\r\n\r\n* Tests by @linus in #3\r\n\r\n**Full Changelog**: https://github.com/octo/hello/compare/v1.0.0...v1.1.0",
			Author: "ada", Created: day(time.February, 3, 8, 30), Published: day(time.February, 20, 12, 0),
			Assets: []Asset{
				{ID: 7102, Name: "hello-linux-amd64.tar.gz", Type: "application/gzip", Content: "\x1f\x8b\x08\x00not really" + strings.Repeat("\x00", 4096), Downloads: 42, Uploader: "ci[bot]", Created: day(time.February, 20, 11, 0)},
				{ID: 7103, Name: "checksums.txt", Type: "text/plain", Content: "0123456789abcdef  hello-linux-amd64.tar.gz\n", Downloads: 7, Uploader: "ci[bot]", Created: day(time.February, 20, 11, 0)},
			},
		},
		{ID: 7001, Tag: "v1.0.0", Name: "hello 1.0.0", Body: "", Author: "ada", Created: day(time.January, 12, 10, 0), Published: day(time.January, 15, 12, 0)},
	}
}
