package patch

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// output is a patch under way.
type output struct {
	w        io.Writer
	limits   Limits
	lines    int   // written
	bytes    int64 // of sections written
	files    int   // sections written
	comments int   // bytes of comments written
	unnamed  int   // files omitted without a comment
	reasons  []string
	times    map[string]int // files omitted for a reason
	read     int64          // bytes of the diff after which it was not read further; 0 when it was read to its end
	result   Result
}

func newOutput(w io.Writer, l Limits) *output {
	return &output{w: w, limits: l.orDefault(), times: map[string]int{}}
}

// room is how long a section may be that is to be written.
func (o *output) room() int64 {
	if o.files >= o.limits.Files {
		return 0
	}
	return o.limits.Bytes - o.bytes
}

// full is why a section longer than the room is left out.
func (o *output) full() string {
	if o.files >= o.limits.Files {
		return overFiles(o.limits.Files)
	}
	return overBytes(o.limits.Bytes)
}

// section writes a section, or leaves it out when there is no room.
func (o *output) section(s Section, text []byte) error {
	if int64(len(text)) > o.room() {
		return o.omit(s, o.full())
	}
	s.Line = o.lines + 1
	o.files++
	o.bytes += int64(len(text))
	o.result.Sections = append(o.result.Sections, s)
	return o.write(text)
}

// omit leaves a section out.
func (o *output) omit(s Section, reason string) error {
	s.Omitted = reason
	if o.times[reason]++; o.times[reason] == 1 {
		o.reasons = append(o.reasons, reason)
	}
	o.result.Omitted++
	comment := fmt.Sprintf("# omitted: %s (%s)\n", quote(s.Path), reason)
	if o.comments+len(comment) > commentBytes {
		o.unnamed++
		o.result.Sections = append(o.result.Sections, s)
		return nil
	}
	s.Line = o.lines + 1
	o.comments += len(comment)
	o.result.Sections = append(o.result.Sections, s)
	return o.write([]byte(comment))
}

// close writes what the patch lacks and returns what it holds.
func (o *output) close() (Result, error) {
	var b strings.Builder
	if o.result.Omitted > 0 {
		fmt.Fprintf(&b, "# %d of %d files omitted: ", o.result.Omitted, len(o.result.Sections))
		for i, reason := range o.reasons {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%d %s", o.times[reason], reason)
		}
		if o.unnamed > 0 {
			fmt.Fprintf(&b, "; %d of them not named here", o.unnamed)
		}
		b.WriteString("\n")
	}
	if o.read > 0 {
		o.result.Truncated = true
		fmt.Fprintf(&b, "# more files may follow: the diff was not read beyond %s\n", size(o.read))
	}
	return o.result, o.write([]byte(b.String()))
}

func (o *output) write(text []byte) error {
	o.lines += bytes.Count(text, []byte("\n"))
	if _, err := o.w.Write(text); err != nil {
		return fmt.Errorf("write the patch: %w", err)
	}
	return nil
}
