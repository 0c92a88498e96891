package fakegithub

import (
	"fmt"
	"net/http"
)

// recorder notes what a request was answered with.
type recorder struct {
	http.ResponseWriter
	call Call
	cut  int // break off after so many bytes, when it is not 0
}

func (w *recorder) WriteHeader(status int) {
	w.call.Status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.call.Status == 0 {
		w.call.Status = http.StatusOK
	}
	if w.cut > 0 && len(p) >= w.cut {
		_, _ = w.ResponseWriter.Write(p[:w.cut])
		w.Flush()
		panic(http.ErrAbortHandler)
	}
	if w.cut > 0 {
		w.cut -= len(p)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush is for net/http/cgi.
func (w *recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// callOf is the record of the request that w answers.
func callOf(w http.ResponseWriter) *Call { return &w.(*recorder).call }

// breakOff makes the answer end early.
func breakOff(w http.ResponseWriter, x *Failure) {
	if x.broken() {
		w.(*recorder).cut = x.Cut
	}
}

// record keeps a Call of each request.
func (f *Fake) record(host Host, next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w, call: Call{
			Method: r.Method, Host: host, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Accept: r.Header.Get("Accept"),
		}}
		defer func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.calls = append(f.calls, rec.call)
			if f.watch != nil {
				f.watch(fmt.Sprintf("%s %s %s → %d", rec.call.Method, host, r.URL.RequestURI(), rec.call.Status))
			}
		}()
		next(rec, r)
	})
}
