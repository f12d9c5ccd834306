package intake_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/intake"
	"zedcard/internal/mail"
	"zedcard/internal/site"
	"zedcard/internal/testkit/databasetest"
)

// came is a Sunday.
var came = time.Date(2026, time.November, 22, 10, 0, 0, 0, time.UTC)

var silent = slog.New(slog.DiscardHandler)

// office is an intake with its panel, its mail server and a clock that only the test moves.
type office struct {
	*intake.Intake
	t      *testing.T
	url    string
	change func(*intake.Options)
	db     *database.DB
	now    time.Time
	panel  panel
	post   post
	log    bytes.Buffer
	logger *slog.Logger
}

func openOffice(t *testing.T, url string, change func(*intake.Options)) *office {
	t.Helper()
	o := &office{t: t, url: url, change: change, now: came}
	o.logger = slog.New(slog.NewTextHandler(&o.log, nil))
	o.start()
	t.Cleanup(func() { _ = o.db.Close() }) // some tests close it before
	return o
}

// onEach runs a test on both databases.
func onEach(t *testing.T, change func(*intake.Options), test func(t *testing.T, o *office)) {
	t.Run("sqlite", func(t *testing.T) { test(t, onSQLite(t, change)) })
	t.Run("postgres", func(t *testing.T) { test(t, openOffice(t, postgres.Database(t), change)) })
}

var postgres databasetest.Shared

func onSQLite(t *testing.T, change func(*intake.Options)) *office {
	t.Helper()
	return openOffice(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"), change)
}

// inBubble runs a test in which time passes only when everybody waits.
func inBubble(t *testing.T, change func(*intake.Options), test func(t *testing.T, o *office)) {
	url := "sqlite:" + filepath.Join(t.TempDir(), "zedcard.db")
	synctest.Test(t, func(t *testing.T) {
		test(t, openOffice(t, url, func(options *intake.Options) {
			options.Now = time.Now
			if change != nil {
				change(options)
			}
		}))
	})
}

// start is a start of the program.
func (o *office) start() {
	o.t.Helper()
	var err error
	o.db, err = database.Open(context.Background(), o.url, silent)
	require.NoError(o.t, err)
	o.Intake = o.process()
}

// process is another process on the database.
func (o *office) process() *intake.Intake {
	options := intake.Options{
		Mail: &o.post, Site: func() *site.Site { return site.New(agency.Site{Name: "Best"}) },
		BaseURL: "https://best.example", Log: o.logger,
		Now: func() time.Time { return o.now },
	}
	if o.change != nil {
		o.change(&options)
	}
	return intake.New(o.db, o.db.Keys("secret"), options)
}

// run runs an intake until the test, or stop, ends it.
func run(t *testing.T, in *intake.Intake, panel intake.Sender) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); in.Run(ctx, panel) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func (o *office) run() (stop func()) {
	o.t.Helper()
	return run(o.t, o.Intake, &o.panel)
}

func (o *office) counts() map[intake.State]int {
	o.t.Helper()
	stats, err := o.Stats(context.Background())
	require.NoError(o.t, err)
	return stats.Count
}

// await waits until so many submissions are in a state.
func (o *office) await(state intake.State, count int) {
	o.t.Helper()
	eventually(o.t, func() bool { return o.counts()[state] == count })
}

// number is the number that a query gives.
func (o *office) number(query string) (n int) {
	o.t.Helper()
	require.NoError(o.t, o.db.QueryRow(query).Scan(&n))
	return n
}

func eventually(t *testing.T, what func() bool) {
	t.Helper()
	require.Eventually(t, what, time.Minute, 20*time.Millisecond)
}

// panel is a fake of the panel: it gives the answers that a test sets and records what it received and when.
type panel struct {
	mu     sync.Mutex
	answer func(agency.Submission) error
	got    []agency.Submission
	at     []time.Time
}

func (p *panel) Send(_ context.Context, s agency.Submission) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got, p.at = append(p.got, s), append(p.at, time.Now())
	if p.answer == nil {
		return nil
	}
	return p.answer(s)
}

// tries is how often the panel was asked.
func (p *panel) tries() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.at)
}

// answers sets the answer from now on.
func (p *panel) answers(answer func(agency.Submission) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

// forget is as answers, and forgets what was received.
func (p *panel) forget(answer func(agency.Submission) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer, p.got, p.at = answer, nil, nil
}

func (p *panel) received() []agency.Submission {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.got)
}

// ids are those of what it received, in order.
func (p *panel) ids() (ids []string) {
	for _, s := range p.received() {
		ids = append(ids, s.ID)
	}
	return ids
}

func refuse(agency.Submission) error { return agency.ErrRejected }
func down(agency.Submission) error   { return agency.ErrUnavailable }

// post is a fake of the mail server: it gives the answers that a test sets and records what it was asked to send.
type post struct {
	mu     sync.Mutex
	answer func(context.Context, mail.Message) error
	mails  []mail.Message
}

var errNoServer = errors.New("the mail server does not answer")

func noServer(context.Context, mail.Message) error { return errNoServer }

func (p *post) Send(ctx context.Context, m mail.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mails = append(p.mails, m)
	if p.answer == nil {
		return nil
	}
	return p.answer(ctx, m)
}

// answers sets the answer from now on.
func (p *post) answers(answer func(context.Context, mail.Message) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

// ids are the ids of all mails.
func (p *post) ids() (ids []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.mails {
		ids = append(ids, m.ID)
	}
	return ids
}

// toGuardians are the mails to guardians.
func (p *post) toGuardians() []mail.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.mails), func(m mail.Message) bool {
		return !strings.Contains(m.ID, "-guardian")
	})
}

var link = regexp.MustCompile(`token=([\w-]+)`)

// tokenOf is the token of the link in a mail to a guardian.
func tokenOf(t *testing.T, m mail.Message) string {
	t.Helper()
	found := link.FindStringSubmatch(m.Text)
	require.NotNil(t, found, m.Text)
	return found[1]
}

// ana is an application with two photos, some of which another client of the embedded back end could have sent.
func ana(id string) agency.Submission {
	return agency.Submission{
		ID: id, Kind: agency.GetScouted,
		Fields: []agency.Field{
			{Name: "realname", Value: "Ana \x1b[31mSouza"}, {Name: "birthdate", Value: "1999-04-30"},
			{Name: "email", Value: "ana@example.com"}, {Name: "phone", Value: "+55 (11) 98765-4321"},
		},
		Files: []agency.File{
			{Field: "image_1", Name: "eu.jpg", Type: "image/jpeg", Data: []byte("\xff\xd8 CANARY PHOTO\n{}")},
			{Field: "../x", Name: "../x", Type: "text/html", Data: bytes.Repeat([]byte{7}, 200_000)},
		},
	}
}

// large is ana with photos of so many bytes.
func large(id string, size int) agency.Submission {
	s := ana(id)
	s.Files[1].Data = bytes.Repeat([]byte{7}, size)
	return s
}

func eve(id string) agency.Submission {
	return agency.Submission{ID: id, Kind: agency.Contact, Fields: []agency.Field{
		{Name: "name", Value: "Eve"}, {Name: "email", Value: "eve@example.com"},
		{Name: "message", Value: "=HYPERLINK(\"x\")\nline two"},
	}}
}

// child is the application of a minor without photos.
func child(id string) agency.Submission {
	return agency.Submission{
		ID: id, Kind: agency.GetScouted,
		Fields: []agency.Field{
			{Name: "realname", Value: "Saoirse Daly"}, {Name: "birthdate", Value: "2012-05-01"},
			{Name: "responsible", Value: "Orla Daly · Orla@Example.com · +353 1 234 5678"},
			{Name: "email", Value: "saoirse@example.com"},
		},
		Guardian: agency.Guardian{Email: "orla@example.com", Lang: "pt"},
	}
}

// says is what an operator reads of an application's guardian.
func (o *office) says(id string) string {
	o.t.Helper()
	entry, _, err := o.Find(o.t.Context(), id)
	require.NoError(o.t, err)
	return entry.Guardian
}

// confirm notes that a guardian agreed by telephone.
func (o *office) confirm(id string) {
	o.t.Helper()
	require.NoError(o.t, o.ConfirmByHand(o.t.Context(), id, "Helena"))
}

func (o *office) put(submissions ...agency.Submission) {
	o.t.Helper()
	for _, s := range submissions {
		require.NoError(o.t, o.Put(o.t.Context(), s))
	}
}

// assertStored: a stored submission is whole.
func (o *office) assertStored(s agency.Submission) {
	o.t.Helper()
	_, stored, err := o.Find(o.t.Context(), s.ID)
	require.NoError(o.t, err)
	s.Guardian = agency.Guardian{}
	assert.Equal(o.t, s, stored)
}
