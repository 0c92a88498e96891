// Package stubmodel is a language model on loopback that does what its prompt
// says, so that a real agent can be driven without a network. It serves OpenAI's
// chat completions, streamed, which every agent can be pointed at.
//
// A prompt of the form `TOOL {"argument": …}` makes it call that tool; to the
// result it answers with the result. To any other prompt it answers "ok", but
// for the prompts of which [Server.Play] says what follows.
package stubmodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Name is the model's.
const Name = "stub-1"

// Server is the model. A request that no model would understand fails the test.
type Server struct {
	BaseURL string // with the version: http://127.0.0.1:1/v1

	t testing.TB

	mu       sync.Mutex
	requests []Request
	plays    map[string][]Turn
}

// Turn is what the model says to the latest message: a call of the form
// `TOOL {"argument": …}`, or a text.
type Turn func(message string) string

// Play makes the model take these turns when the user's prompt is this.
func (s *Server) Play(prompt string, turns ...Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plays == nil {
		s.plays = map[string][]Turn{}
	}
	s.plays[prompt] = turns
}

// Request is one turn: all that the agent tells the model.
type Request struct {
	Model    string    `json:"model"`
	Stream   bool      `json:"stream"`
	Messages []Message `json:"messages"`
	Tools    []Tool    `json:"tools"`
}

// Message is one message of the conversation.
type Message struct {
	Role       string  `json:"role"`
	Content    Content `json:"content"`
	ToolCalls  []Call  `json:"tool_calls"`
	ToolCallID string  `json:"tool_call_id"`
}

// Call is a call of a tool.
type Call struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Tool is a tool that the model may call.
type Tool struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// Content is the text of a message, which has two forms.
type Content string

// UnmarshalJSON reads a string, or a list of parts of which those with a text count.
func (c *Content) UnmarshalJSON(data []byte) error {
	var parts []struct{ Text string }
	if json.Unmarshal(data, &parts) == nil {
		for _, p := range parts {
			*c += Content(p.Text)
		}
		return nil
	}
	return json.Unmarshal(data, (*string)(c))
}

// Start serves until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the model was asked for %s %s", r.Method, r.URL)
		http.NotFound(w, r)
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	s.BaseURL = srv.URL + "/v1"
	return s
}

// Requests are the turns so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Results are the texts that tools have returned to the model, oldest first,
// each once.
func (s *Server) Results() []string {
	var texts []string
	seen := map[string]bool{}
	for _, r := range s.Requests() {
		for _, m := range r.Messages {
			if m.Role == "tool" && !seen[m.ToolCallID] {
				seen[m.ToolCallID] = true
				texts = append(texts, string(m.Content))
			}
		}
	}
	return texts
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	var req Request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		s.refuse(w, "%v", err)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	turn := len(s.requests)
	s.mu.Unlock()
	if req.Model != Name || !req.Stream || len(req.Messages) == 0 {
		s.refuse(w, "model %q, stream %t, %d messages", req.Model, req.Stream, len(req.Messages))
		return
	}
	last := req.Messages[len(req.Messages)-1]
	if last.Role != "tool" && last.Role != "user" {
		s.refuse(w, "the last message is of %q", last.Role)
		return
	}
	if last.Role == "tool" && !slices.ContainsFunc(req.Messages, func(m Message) bool {
		return slices.ContainsFunc(m.ToolCalls, func(c Call) bool { return c.ID == last.ToolCallID })
	}) {
		s.refuse(w, "a result of the call %q, which nobody made", last.ToolCallID)
		return
	}
	answer, mayCall := s.answer(req.Messages)
	name, args, ok := strings.Cut(answer, " ")
	if !mayCall || !ok || !json.Valid([]byte(args)) {
		say(w, map[string]any{"content": answer}, "stop")
		return
	}
	if !slices.ContainsFunc(req.Tools, func(t Tool) bool { return t.Function.Name == name }) {
		s.refuse(w, "the tool %s was not offered", name)
		return
	}
	say(w, map[string]any{"tool_calls": []any{map[string]any{
		"index": 0, "id": fmt.Sprintf("call_%d", turn), "type": "function",
		"function": map[string]any{"name": name, "arguments": args},
	}}}, "tool_calls")
}

// answer is what the model says to the messages, and whether that may be a call.
func (s *Server) answer(messages []Message) (text string, mayCall bool) {
	last := messages[len(messages)-1]
	results := 0 // of tools since the user's prompt
	for _, m := range slices.Backward(messages) {
		if m.Role == "tool" {
			results++
		}
		if m.Role != "user" {
			continue
		}
		s.mu.Lock()
		turns := s.plays[string(m.Content)]
		s.mu.Unlock()
		if results < len(turns) {
			return turns[results](string(last.Content)), true
		}
		break
	}
	if last.Role == "tool" {
		return string(last.Content), false
	}
	prompt := strings.TrimSpace(string(last.Content))
	if _, args, ok := strings.Cut(prompt, " "); ok && json.Valid([]byte(args)) {
		return prompt, true
	}
	return "ok", false
}

func (s *Server) refuse(w http.ResponseWriter, format string, args ...any) {
	s.t.Errorf("the model was asked for what it cannot do: "+format, args...)
	http.Error(w, `{"error":{"message":"the stub cannot do that"}}`, http.StatusBadRequest)
}

// say streams one answer.
func say(w http.ResponseWriter, delta map[string]any, finish string) {
	w.Header().Set("Content-Type", "text/event-stream")
	delta["role"] = "assistant"
	for _, choice := range []map[string]any{
		{"index": 0, "delta": delta},
		{"index": 0, "delta": map[string]any{}, "finish_reason": finish},
	} {
		chunk, _ := json.Marshal(map[string]any{
			"id": "stub", "object": "chat.completion.chunk", "created": 1, "model": Name, "choices": []any{choice},
		})
		fmt.Fprintf(w, "data: %s\n\n", chunk)
	}
	fmt.Fprint(w, `data: {"id":"stub","object":"chat.completion.chunk","created":1,"model":"`+Name+`","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`+"\n\ndata: [DONE]\n\n")
}
