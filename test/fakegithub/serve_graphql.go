package fakegithub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"pifetch/test/fakegithub/graph"
)

func (f *Fake) serveGraphQL(w http.ResponseWriter, r *http.Request, authorized, valid bool) {
	call := callOf(w)
	if !authorized {
		message := "This endpoint requires you to be authenticated."
		if !valid {
			message = "Bad credentials"
		} else {
			f.fault("GraphQL was asked without a token")
		}
		failed(401, message).write(w)
		return
	}
	var body struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	data, err := io.ReadAll(r.Body)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	if err == nil {
		err = dec.Decode(&body)
	}
	if err != nil || r.Method != http.MethodPost {
		f.fault("%s /graphql: %v: %.300s", r.Method, err, data)
		failed(400, "Problems parsing JSON").write(w)
		return
	}
	call.GraphQL = body.Query
	what := fmt.Sprintf("the query %.120s…", body.Query)
	if wait := f.early(true, what); wait > 0 {
		Secondary(wait.Truncate(time.Second) + time.Second).write(w)
		return
	}
	x := f.failing("graphql " + body.Query)
	if x != nil && !x.broken() {
		if x.Retry > 0 {
			f.block(true, x.Retry)
		}
		x.serve(w, r)
		return
	}
	out := &reply{header: http.Header{}}
	query, err := f.schema.Check(body.Query, body.Variables)
	if err != nil {
		f.fault("%v\nin the query %s\nwith %v", err, body.Query, body.Variables)
		out.json(200, m{"errors": []any{m{"message": err.Error()}}})
		out.send(w)
		return
	}
	call.Cost = query.Cost
	switch {
	case !f.spend(out.header, true, "graphql", query.Cost.Points):
		out.json(200, m{"errors": []any{m{"type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 1."}}})
	case query.Cost.Nodes > graph.MaxNodes:
		f.fault("%s asks for %d nodes, GitHub gives %d", what, query.Cost.Nodes, graph.MaxNodes)
		out.json(200, m{"errors": []any{m{"type": "MAX_NODE_LIMIT_EXCEEDED", "message": fmt.Sprintf("This query requests up to %d possible nodes which exceeds the maximum limit of 500,000.", query.Cost.Nodes)}}})
	default:
		answer := f.execute(query, what)
		if x != nil {
			answer = x.damage(answer)
		}
		out.json(200, answer)
	}
	breakOff(w, x)
	out.send(w)
}

func (f *Fake) execute(query *graph.Query, what string) any {
	f.mu.Lock()
	overrides := maps.Clone(f.overrides)
	b := *f.budgetLocked(true, "graphql")
	f.mu.Unlock()
	root := f.graphRoot()
	root["rateLimit"] = graph.Object{
		"cost": query.Cost.Points, "nodeCount": query.Cost.Nodes, "limit": b.limit, "remaining": b.remaining, "used": b.limit - b.remaining, "resetAt": stamp(b.reset),
	}
	answer, faults := f.schema.Execute(query, root, overrides)
	for _, fault := range faults {
		f.fault("%s: %s", what, fault)
	}
	return answer
}

// damage is an answer with the failure's errors, and with null where it says.
func (x *Failure) damage(answer any) any {
	out, _ := generic(answer).(m)
	for _, path := range x.Null {
		setNull(out["data"], strings.Split(path, "."))
	}
	if len(x.GraphQL) > 0 {
		out["errors"] = x.GraphQL
	}
	return out
}

// setNull makes null what stands at a path. A step into a list is a number, or
// "*" for all of it.
func setNull(at any, path []string) {
	set := func(old any, put func(any)) {
		if len(path) == 1 {
			put(nil)
		} else {
			setNull(old, path[1:])
		}
	}
	switch at := at.(type) {
	case m:
		set(at[path[0]], func(v any) { at[path[0]] = v })
	case []any:
		for i := range at {
			if path[0] == "*" || path[0] == strconv.Itoa(i) {
				set(at[i], func(v any) { at[i] = v })
			}
		}
	}
}
