package daemontest_test

import (
	"testing"

	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
)

func TestStart(t *testing.T) {
	s := daemontest.Start(t)
	res, err := s.Client(t).Fetch(t.Context(), wire.FetchRequest{URLs: []string{"https://example.com/", "x:"}}, nil)
	if err != nil || res.Outcomes[0].Document == nil || res.Outcomes[1].Reason == "" {
		t.Fatalf("got %+v, %v", res, err)
	}
	if n := len(s.Router.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
	if err := s.Stop(); err != nil || s.Browser.Closes() != 1 {
		t.Errorf("stop: %v, browser closed %d times", err, s.Browser.Closes())
	}
}
