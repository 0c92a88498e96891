// Package terminal runs programs in a terminal and draws what it shows.
package terminal

import (
	"image/color"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// The colours of text and ground for which a program names none.
var (
	foreground = color.RGBA{0xe6, 0xed, 0xf3, 0xff}
	background = color.RGBA{0x0d, 0x11, 0x17, 0xff}
)

// Terminal is a screen with a program in it.
type Terminal struct {
	t    testing.TB
	keys *os.File

	mu     sync.Mutex
	screen *vt.Emulator
}

// Start runs cmd in a terminal of so many columns and rows until it or the
// test ends.
func Start(t testing.TB, cmd *exec.Cmd, columns, rows int) *Terminal {
	t.Helper()
	keys, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
	if err != nil {
		t.Fatal(err)
	}
	x := &Terminal{t: t, keys: keys, screen: newScreen(columns, rows)}
	var copies sync.WaitGroup
	copies.Go(func() { io.Copy(x, keys) })        // until the program ends
	copies.Go(func() { io.Copy(keys, x.screen) }) // what programs ask a terminal, such as its colours
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		keys.Close()
		x.screen.InputPipe().(io.Closer).Close()
		copies.Wait()
	})
	return x
}

func newScreen(columns, rows int) *vt.Emulator {
	screen := vt.NewEmulator(columns, rows)
	screen.SetDefaultForegroundColor(foreground)
	screen.SetDefaultBackgroundColor(background)
	return screen
}

// Write shows what the program writes.
func (x *Terminal) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.Write(p)
}

// Type is what a user types, and the return key.
func (x *Terminal) Type(text string) {
	x.t.Helper()
	if _, err := io.WriteString(x.keys, text+"\r"); err != nil {
		x.t.Fatal(err)
	}
}

// String is the text on the screen.
func (x *Terminal) String() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.String()
}

// Wait waits until the screen shows all the texts.
func (x *Terminal) Wait(patience time.Duration, texts ...string) {
	x.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		screen := x.String()
		missing := ""
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("waited %v for %q on the screen, which shows\n%s", patience, missing, screen)
		}
	}
}

// SVG draws the screen.
func (x *Terminal) SVG() []byte {
	x.mu.Lock()
	defer x.mu.Unlock()
	return draw(x.screen)
}
