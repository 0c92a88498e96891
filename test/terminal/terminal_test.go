package terminal

import (
	"encoding/xml"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A program sees a terminal of the size, what is typed arrives, and the picture
// holds what the screen does.
func TestTerminal(t *testing.T) {
	x := Start(t, exec.Command("sh", "-c", `stty size; stty -echo; printf 'name? '; read name; printf '\033[1;31m<%s>\033[0m & \033[7mrest\033[0m\n' "$name"; sleep 600`), 30, 10)
	x.Wait(time.Minute, "10 30", "name?")
	x.Type("Ann")
	x.Wait(time.Minute, "<Ann> & rest")

	svg := string(x.SVG())
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		`viewBox="0 0 280 66"`, // 30 columns, the two rows with text
		"textLength=\"42.0\" fill=\"#e6edf3\">10\u00a030</text>",
		`textLength="42.0" fill="#800000" font-weight="bold">&lt;Ann&gt;</text>`,
		`width="33.6" height="19" fill="#e6edf3"/>`, // the ground of the inverted text
		`fill="#0d1117">rest</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	if t.Failed() {
		t.Log(svg)
	}
}
