package pifetch_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// packageMap is the map of docs/architecture.md: what each package may import
// of this module, test files aside. What leaves names every package may import.
var packageMap = map[string][]string{
	"cmd/pifetchctl": {"daemon/client", "daemon/service", "daemon/wire", "daemon/rundir", "fetchers", "profile/installed"},
	"cmd/pifetchd": {
		"daemon", "daemon/wire", "daemon/rundir", "router", "fetchers", "fetchers/artifact",
		"fetchers/github", "fetchers/github/api", "fetchers/local", "fetchers/local/extract", "fetchers/local/read", "fetchers/local/read/pdf", "fetchers/parallel", "profile",
	},

	"daemon":            {"daemon/wire", "daemon/rundir", "router", "delivery", "fetchers"},
	"daemon/wire":       {"fetchers"},
	"daemon/rundir":     {},
	"daemon/client":     {"daemon/wire", "daemon/rundir", "fetchers"},
	"daemon/service":    {"daemon/rundir"},
	"daemon/daemontest": {"daemon", "daemon/client", "daemon/wire", "daemon/rundir", "router", "fetchers"},

	"router":   {"fetchers", "fetchers/artifact"},
	"delivery": {"fetchers"},

	"fetchers":                     {},
	"fetchers/artifact":            {"fetchers"},
	"fetchers/fetchertest":         {"fetchers", "fetchers/artifact"},
	"fetchers/github":              {"fetchers", "fetchers/artifact", "fetchers/github/api", "fetchers/github/checkout", "fetchers/github/markdown", "fetchers/github/patch", "fetchers/github/target"},
	"fetchers/github/api":          {},
	"fetchers/github/checkout":     {},
	"fetchers/github/markdown":     {"fetchers/artifact"},
	"fetchers/github/patch":        {},
	"fetchers/github/target":       {},
	"fetchers/local":               {"fetchers", "fetchers/artifact", "fetchers/local/extract", "fetchers/local/native", "fetchers/local/read", "fetchers/local/read/input", "profile"},
	"fetchers/local/extract":       {"fetchers/local/extract/boost"},
	"fetchers/local/extract/boost": {},
	"fetchers/local/extract/train": {"fetchers/local/extract", "fetchers/local/extract/boost"},
	"fetchers/local/native":        {"fetchers/artifact"},
	"fetchers/local/read": {
		"fetchers/local/read/archive", "fetchers/local/read/feed", "fetchers/local/read/image", "fetchers/local/read/input",
		"fetchers/local/read/notebook", "fetchers/local/read/office", "fetchers/local/read/render", "fetchers/local/read/sheet",
		"fetchers/local/read/table", "fetchers/local/read/text", "fetchers/local/read/tree",
	},
	"fetchers/local/read/archive":  reader,
	"fetchers/local/read/feed":     reader,
	"fetchers/local/read/image":    reader,
	"fetchers/local/read/input":    {},
	"fetchers/local/read/notebook": reader,
	"fetchers/local/read/office":   reader,
	"fetchers/local/read/pdf":      {},
	"fetchers/local/read/render":   {"fetchers/local/extract"},
	"fetchers/local/read/sheet":    reader,
	"fetchers/local/read/table":    reader,
	"fetchers/local/read/text":     reader,
	"fetchers/local/read/tree":     reader,
	"fetchers/parallel":            {"fetchers", "fetchers/artifact"},

	"profile":           {"profile/installed"},
	"profile/installed": {},

	"internal/agenttext": {},
	"internal/netguard":  {"internal/weburl"},
	"internal/peercred":  {},
	"internal/settings":  {},
	"internal/termtext":  {},
	"internal/weburl":    {},
}

// reader is what a reader of one kind of file may import.
var reader = []string{"fetchers/local/read/input", "fetchers/local/read/render"}

// leaves may be imported by every package but themselves.
var leaves = []string{"internal/agenttext", "internal/netguard", "internal/peercred", "internal/settings", "internal/termtext", "internal/weburl"}

// outside names the packages that alone may import a module of others.
var outside = map[string][]string{
	"github.com/shurcooL/githubv4":                 {"fetchers/github", "fetchers/github/api"},
	"github.com/go-rod/rod":                        {"profile"},
	"github.com/JohannesKaufmann/html-to-markdown": {"fetchers/local/extract"},
	"github.com/ncruces/go-sqlite3":                {"profile"},
	"github.com/spf13/cobra":                       {"cmd/pifetchctl"},
	"github.com/modelcontextprotocol/go-sdk":       {"cmd/pifetchctl"},
	"github.com/google/jsonschema-go":              {"cmd/pifetchctl"},
	"github.com/klippa-app/go-pdfium":              {"fetchers/local/read/pdf"},
	"github.com/tetratelabs/wazero":                {"fetchers/local/read/pdf"},
	"github.com/santhosh-tekuri/jsonschema":        {"test/fakegithub/openapi"},
	"github.com/vektah/gqlparser":                  {"test/fakegithub/graph"},
	"github.com/charmbracelet/ultraviolet":         {"test/terminal"},
	"github.com/charmbracelet/x/vt":                {"test/terminal"},
	"github.com/creack/pty":                        {"test/terminal"},
}

type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func listPackages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func TestPackageMap(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "pifetch"), "/")
		if name == "" || freePackage(name) {
			continue
		}
		allowed, ok := packageMap[name]
		if !ok {
			t.Errorf("package %s is not in the map: add a row here and in docs/architecture.md", name)
			continue
		}
		seen[name] = true
		for _, imp := range p.Imports {
			if rel, ok := strings.CutPrefix(imp, "pifetch/"); ok {
				isLeaf := slices.Contains(leaves, rel) && !slices.Contains(leaves, name)
				if !isLeaf && !slices.Contains(allowed, rel) {
					t.Errorf("%s imports %s, which the map does not allow", name, rel)
				}
			}
			for module, owners := range outside {
				if (imp == module || strings.HasPrefix(imp, module+"/")) && !slices.Contains(owners, name) {
					t.Errorf("%s imports %s, which only %s may", name, imp, strings.Join(owners, ", "))
				}
			}
		}
	}
	for name := range packageMap {
		if !seen[name] {
			t.Errorf("the map has a row for %s, which does not exist", name)
		}
	}
}

// The table of docs/architecture.md has a row for each package of the map, but
// for the programs; one row stands for the readers and what they share.
func TestPackagesDocumented(t *testing.T) {
	doc, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\|").FindAllStringSubmatch(string(doc), -1) {
		rows[m[1]] = true
		if _, ok := packageMap[m[1]]; !ok && !freePackage(m[1]) {
			t.Errorf("docs/architecture.md has a row for %s, which the map has not", m[1])
		}
	}
	for name := range packageMap {
		if !rows[name] && path.Dir(name) != "fetchers/local/read" && path.Dir(name) != "cmd" {
			t.Errorf("docs/architecture.md has no row for %s", name)
		}
	}
}

// freePackage reports whether a package is outside the map: programs and
// helpers of the build, the demo and the tests, linked into neither program.
func freePackage(name string) bool {
	return name == "test" || strings.HasPrefix(name, "test/") ||
		name == "internal/dist" || name == "internal/demosite" || strings.HasPrefix(name, "internal/demosite/")
}

func TestProgramsLinkWhatTheyMay(t *testing.T) {
	forbidden := map[string][]string{
		"pifetch/cmd/pifetchctl": {
			"pifetch/fetchers/*", "pifetch/fetchers/*/*", "pifetch/fetchers/*/*/*", "pifetch/router", "pifetch/delivery", "pifetch/daemon", "pifetch/profile",
			"github.com/go-rod/rod", "github.com/go-rod/rod/*/*", "pifetch/internal/demosite", "pifetch/test/*", "pifetch/test/*/*",
			"github.com/spf13/cobra/doc",
		},
		"pifetch/cmd/pifetchd": {"github.com/spf13/cobra", "github.com/modelcontextprotocol/go-sdk/*", "pifetch/internal/demosite", "testing", "pifetch/test/*", "pifetch/test/*/*"},
	}
	for _, p := range listPackages(t) {
		patterns, ok := forbidden[p.ImportPath]
		if !ok {
			continue
		}
		delete(forbidden, p.ImportPath)
		for _, dep := range p.Deps {
			for _, pattern := range patterns {
				if ok, err := path.Match(pattern, dep); err != nil {
					t.Fatal(err)
				} else if ok {
					t.Errorf("%s links %s", p.ImportPath, dep)
				}
			}
		}
	}
	for name := range forbidden {
		t.Errorf("program %s was not listed", name)
	}
}
