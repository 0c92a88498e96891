package pi

import (
	"context"
	"os/exec"
	"testing"

	"pifetch/daemon/daemontest"
	"pifetch/test/need"
	"pifetch/test/npm"
)

// The compiler agrees with the package, for the types of either version of pi.
func TestTypes(t *testing.T) {
	node, err := npm.Node22()
	need.Have(t, "npm", err)
	compiler, err := npm.Locked("typescript")
	if err != nil {
		t.Fatal(err)
	}
	tsc, err := compiler.Path("lib/tsc.js")
	need.Have(t, "npm", err)
	sources(t)
	for name, project := range map[string]string{"pi": "../../clients/pi/tsconfig.json", "pi-node20": "../npm/tsconfig.node20.json"} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*daemontest.Guard)
			defer cancel()
			if out, err := exec.CommandContext(ctx, node, tsc, "--project", project).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
