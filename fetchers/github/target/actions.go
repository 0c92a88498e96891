package target

// actions reads what follows actions/.
func actions(t Target, rest []string) (Target, bool) {
	switch {
	case len(rest) == 0:
		return t.is(RunList)
	case len(rest) == 2 && rest[0] == "workflows":
		t.ID = rest[1]
		return t.is(RunList)
	case len(rest) >= 2 && rest[0] == "runs":
		return run(t, rest[1], rest[2:])
	}
	return none()
}

// run reads ID[/attempts/N][/job/JOB].
func run(t Target, id string, rest []string) (Target, bool) {
	if !bigNumber.MatchString(id) {
		return none()
	}
	t.ID = id
	if len(rest) >= 2 && rest[0] == "attempts" && smallNumber.MatchString(rest[1]) {
		t.Path = []string{"attempt", rest[1]}
		rest = rest[2:]
	}
	switch {
	case len(rest) == 0:
		return t.is(Run)
	case len(rest) == 2 && (rest[0] == "job" || rest[0] == "jobs") && bigNumber.MatchString(rest[1]):
		t.Sub = rest[1]
		return t.is(Job)
	}
	return none()
}

func checkRun(t Target, rest []string) (Target, bool) {
	if len(rest) != 1 {
		return none()
	}
	t.ID, t.Kind = rest[0], CheckRun
	return t, bigNumber.MatchString(t.ID)
}
