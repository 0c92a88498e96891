// Command serve runs the fake GitHub until it is interrupted, so that the real
// programs can be pointed at it:
//
//	go run ./test/fakegithub/serve
//
// It prints the settings for settings.json and a token, as JSON on one line
// each, and then every request and every fault.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"pifetch/test/fakegithub"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func serve() error {
	f, err := fakegithub.Start()
	if err != nil {
		return err
	}
	defer f.Close()
	e := f.Endpoints()
	settings := map[string]any{"webTools": map[string]any{"fetch": map[string]any{"github": map[string]any{"endpoints": map[string]string{
		"api": e.API, "web": e.Web, "raw": e.Raw, "gist": e.Gist, "codeload": e.Codeload,
	}}}}}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(settings); err != nil {
		return err
	}
	if err := out.Encode(map[string]string{"GH_TOKEN": f.Token}); err != nil {
		return err
	}
	f.Watch(func(line string) { fmt.Fprintln(os.Stderr, line) })
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	return nil
}
