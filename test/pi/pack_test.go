package pi

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"testing"

	"pifetch/test/need"
)

// What npm packs is all of the package but the compiler's settings, and it
// depends on nothing that pi does not bring.
func TestPack(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		need.Have(t, "npm", err)
	}
	cmd := exec.CommandContext(t.Context(), "npm", "pack", "--dry-run", "--json", "--ignore-scripts")
	cmd.Dir = "../../clients/pi"
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var packs []struct {
		Files []struct{ Path string }
	}
	if err := json.Unmarshal(out, &packs); err != nil || len(packs) != 1 {
		t.Fatalf("%v in %s", err, out)
	}
	var packed []string
	for _, f := range packs[0].Files {
		packed = append(packed, f.Path)
	}
	slices.Sort(packed)
	if want := filesOf(t, cmd.Dir, "tsconfig.json"); !slices.Equal(packed, want) {
		t.Errorf("packed %q, want %q", packed, want)
	}

	var manifest map[string]any
	if data, err := os.ReadFile(cmd.Dir + "/package.json"); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"dependencies", "optionalDependencies", "bundleDependencies"} {
		if _, ok := manifest[kind]; ok {
			t.Errorf("package.json has %s", kind)
		}
	}

	license, err := os.ReadFile(cmd.Dir + "/LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	if ours, err := os.ReadFile("../../LICENSE"); err != nil || !bytes.Equal(license, ours) {
		t.Errorf("LICENSE differs from that of pifetch, %v", err)
	}
}

func filesOf(t *testing.T, dir, without string) (files []string) {
	t.Helper()
	if err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && path != without {
			files = append(files, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}
