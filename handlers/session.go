package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"github.com/gorilla/sessions"
)

// A visitor without JavaScript keeps the favourites in a signed cookie. It is set when the first talent is saved and
// removed with the last one, so that nobody else gets a cookie.
const (
	sessionName = "shortlist"
	// hostPrefix begins a cookie's name under https: browsers accept it from this host only, over an encrypted
	// connection.
	hostPrefix  = "__Host-"
	sessionDays = 30
	idsValue    = "ids"
)

func (s *server) cookieName(r *http.Request, name string) string {
	if s.HTTPS(r) {
		return hostPrefix + name
	}
	return name
}

// maxShortlist is how many talents a shortlist holds at most.
const maxShortlist = 500

// sessions makes the cookie store with the current keys: keys from the database may not be available at the start.
func (s *server) sessions(r *http.Request) (*sessions.CookieStore, error) {
	keys, err := s.Keys(r.Context())
	if err != nil {
		return nil, err
	}
	var pairs [][]byte
	for _, key := range keys {
		pairs = append(pairs, key, nil) // signed, not encrypted: there are only ids in it
	}
	store := sessions.NewCookieStore(pairs...)
	store.Options = &sessions.Options{
		Path: "/", MaxAge: sessionDays * 24 * 60 * 60, HttpOnly: true,
		Secure: s.HTTPS(r), SameSite: http.SameSiteLaxMode,
	}
	store.MaxAge(store.Options.MaxAge)
	return store, nil
}

// hasSession reports whether the request carries the cookie, readable or not.
func (s *server) hasSession(r *http.Request) bool {
	_, err := r.Cookie(s.cookieName(r, sessionName))
	return err == nil
}

// savedIDs are the favourites in the visitor's session, in the order in which they were saved; none without a readable
// session.
func (s *server) savedIDs(r *http.Request) []string {
	if !s.hasSession(r) {
		return nil
	}
	store, err := s.sessions(r)
	if err != nil {
		s.Log.WarnContext(r.Context(), "session not read", "error", err)
		return nil
	}
	session, err := store.New(r, s.cookieName(r, sessionName))
	if err != nil {
		return nil // another key signed it, or nobody did
	}
	text, _ := session.Values[idsValue].(string)
	return parseIDs(text)
}

// maxSessionText is how many bytes of ids a cookie holds, which browsers limit to 4096 bytes, signed and encoded.
const maxSessionText = 2200

// saveIDs puts the favourites into the session. If the cookie can't hold all of them, the latest are left out.
func (s *server) saveIDs(w http.ResponseWriter, r *http.Request, ids []string) error {
	if len(ids) == 0 && !s.hasSession(r) {
		return nil
	}
	store, err := s.sessions(r)
	if err != nil {
		return err
	}
	text := strings.Join(ids, ",")
	if len(text) > maxSessionText {
		text = text[:strings.LastIndexByte(text[:maxSessionText+1], ',')]
	}
	session, _ := store.New(r, s.cookieName(r, sessionName)) // empty if the cookie is unreadable
	session.Values[idsValue] = text
	if text == "" {
		session.Options.MaxAge = -1
	}
	return store.Save(r, w, session)
}

// idLike is what looks like an id in a text: from letter to letter, whatever stands between ids and around them.
var idLike = regexp.MustCompile(`[\w-](?:[\w.:~-]*[\w-])?`)

// parseIDs reads the ids in texts, without repeats.
func parseIDs(texts ...string) []string {
	var ids []string
	seen := map[string]bool{}
	for _, id := range idLike.FindAllString(strings.Join(texts, ","), -1) {
		if !isID(id) || seen[id] {
			continue
		}
		if len(ids) == maxShortlist {
			break
		}
		seen[id] = true
		ids = append(ids, id)
	}
	return ids
}

// isID reports whether a text can be the id of a talent: short, and of visible ASCII.
func isID(text string) bool {
	isOther := func(r rune) bool { return r <= ' ' || r > '~' }
	return text != "" && len(text) <= 64 && !strings.ContainsFunc(text, isOther)
}

var (
	escape    = regexp.MustCompile(`%[[:xdigit:]]{2}`)
	ampersand = regexp.MustCompile(`(?:^|&)amp(?:;|%3[Bb])`)
)

// queryOf is the query of an address that was sent on. Programs for chat and mail escape one again, whole or in parts,
// write & as in HTML, and put invisible characters into it: so all is unescaped twice, and what is no escape stays.
func queryOf(r *http.Request) url.Values {
	raw := r.URL.RawQuery
	for range 2 {
		pairs := strings.Split(raw, "&")
		for i, pair := range pairs {
			if !strings.Contains(pair, "=") {
				pairs[i] = unescape(pair)
			}
		}
		raw = strings.Join(pairs, "&")
	}
	values := url.Values{}
	for pair := range strings.SplitSeq(ampersand.ReplaceAllString(raw, "&"), "&") {
		if name, value, _ := strings.Cut(pair, "="); name != "" {
			values.Add(unescape(name), visible(unescape(unescape(strings.ReplaceAll(value, "+", " ")))))
		}
	}
	return values
}

func unescape(text string) string {
	return escape.ReplaceAllStringFunc(text, func(code string) string {
		char, _ := url.PathUnescape(code)
		return char
	})
}

// visible is the text without invisible characters.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
}

// keyOf is the key in a link that was sent by mail: like an id, whatever stands around it.
func keyOf(r *http.Request, name string) string { return idLike.FindString(queryOf(r).Get(name)) }
