package local

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/internal/weburl"
	"pifetch/profile"
)

// Browser is the part of profile.Browser the fetcher needs.
type Browser interface {
	Visit(ctx context.Context, v profile.Visit) (*profile.Page, error)
}

// chrome makes pages in the tabs of the user's Chrome.
type chrome struct {
	browser   Browser
	challenge func() Challenge
}

func (c chrome) page(ctx context.Context, req fetchers.Request, t fetchers.Task, as form, stage func(fetchers.Stage)) (*Page, error) {
	walls := c.challenge()
	visit := profile.Visit{
		URL:     t.URL.Parsed,
		Session: req.Session,
		PartFile: func() (string, error) {
			dir, err := t.Folder.Path()
			if err != nil {
				return "", err
			}
			return filepath.Join(dir, fetchers.PartPrefix+strings.ToLower(rand.Text())), nil
		},
		Suspect:  func(p *profile.Page) bool { return challenge(fromVisit(p)) != "" },
		Patience: walls.Patience,
		Stage:    func(p profile.Progress) { stage(asStage(p)) },
	}
	if walls.Headed {
		visit.Headed = &profile.Headed{Display: req.Display, Patience: walls.HeadedPatience}
	}
	if as == asMarkdown {
		visit.Accept, visit.Alternates = accept, alternates
	}
	p, err := c.browser.Visit(ctx, visit)
	if err != nil {
		if visit, ok := errors.AsType[*profile.VisitError](err); ok && visit.Kind == profile.KindAuth {
			return nil, fmt.Errorf("%w — run: %s", err, openBrowser(req, t))
		}
		return nil, err
	}
	return fromVisit(p), nil
}

func asStage(p profile.Progress) fetchers.Stage {
	return fetchers.Stage{
		Name:       fetchers.StageName(p.Stage),
		BudgetSecs: int((p.Budget + time.Second - 1) / time.Second),
		Bytes:      p.Bytes,
		Total:      p.Total,
	}
}

func fromVisit(p *profile.Page) *Page {
	page := &Page{
		URL: weburl.Redact(p.URL), Status: p.Status, Header: p.Header, MediaType: p.MediaType,
		HTML: p.HTML, Title: p.Title, PasswordField: p.PasswordField, StillLoading: p.StillLoading,
		Thin:        p.Thin,
		Blocked:     p.Blocked,
		Disposition: p.Disposition,
		Via:         "rendered",
	}
	if p.Alternate != nil {
		page.Alternate = fromVisit(p.Alternate)
	}
	if p.File != "" {
		page.File = filepath.Base(p.File)
	}
	return page
}
