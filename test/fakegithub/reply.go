package fakegithub

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
)

// reply is an answer before it is sent.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r *reply) json(status int, v any) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	r.status, r.body = status, buf.Bytes()
	r.header.Set("Content-Type", "application/json; charset=utf-8")
}

func (r *reply) failure(x Failure) {
	r.status, r.body = x.Status, []byte(x.Body)
	r.header.Set("Content-Type", "application/json; charset=utf-8")
	for k, v := range x.Header {
		r.header.Set(k, v)
	}
}

// conditional adds an ETag, and answers 304 to who has the answer already.
// That is free of charge for authorised requests.
func (f *Fake) conditional(out *reply, r *http.Request, authorized bool, call *Call) {
	if out.status != 200 || r.Method != http.MethodGet {
		return
	}
	sum := sha256.Sum256(append([]byte(r.Header.Get("Accept")+f.identity(authorized)), out.body...))
	etag := fmt.Sprintf(`W/"%x"`, sum[:])
	out.header.Set("ETag", etag)
	out.header.Set("Vary", "Accept, Authorization")
	if r.Header.Get("If-None-Match") != etag {
		return
	}
	out.status, out.body = 304, nil
	out.header.Del("Content-Type")
	if authorized {
		f.refund(out.header, resource(r.URL.Path))
		call.Counted = false
	}
}

func (f *Fake) refund(h http.Header, resource string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.budgetLocked(true, resource)
	b.remaining = min(b.limit, b.remaining+1)
	h.Set("X-RateLimit-Remaining", strconv.Itoa(b.remaining))
}

func (r *reply) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.header)
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body)
}
