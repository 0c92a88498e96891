package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// restoreLast is session.restore_on_startup's "continue where you left off".
// Without it Chrome forgets session cookies, which many logins are, when it
// ends.
const restoreLast = 1

// mergePrefs adds what a new profile needs to a Preferences file, of which
// everything else stays as it is. Nothing is overwritten: a person may have
// chosen otherwise.
func mergePrefs(prefs []byte) ([]byte, error) {
	all, err := object(prefs)
	if err != nil {
		return nil, err
	}
	session, err := object(all["session"])
	if err != nil {
		return nil, err
	}
	if _, ok := session["restore_on_startup"]; ok {
		return prefs, nil
	}
	session["restore_on_startup"] = json.RawMessage(fmt.Sprint(restoreLast))
	if all["session"], err = json.Marshal(session); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}

// object reads a JSON object; nothing, or null, is an empty one.
func object(text []byte) (map[string]json.RawMessage, error) {
	o := map[string]json.RawMessage{}
	if len(text) == 0 {
		return o, nil
	}
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, err
	}
	if o == nil {
		return map[string]json.RawMessage{}, nil
	}
	return o, nil
}

// preparePrefs merges the preferences of a new profile. Chrome must not run.
func preparePrefs(dir string) error {
	name := filepath.Join(dir, "Default", "Preferences")
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	merged, err := mergePrefs(old)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return writeFile(name, merged)
}

// forgetTabs keeps Chrome from reopening the pages of its last run, which
// restoreLast would make it do. Session cookies are kept elsewhere.
func forgetTabs(dir string) error {
	return os.RemoveAll(filepath.Join(dir, "Default", "Sessions"))
}

// writeFile replaces a file as a whole, readable for nobody else.
func writeFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
