package handlers

import (
	"encoding/json"
	"net/http"

	"zedcard/views"
)

// showDock gives the bar at the foot of a page with the shortlist, as JSON. ?ids=1,2,3 is the shortlist that the
// browser stores, ?before=1,2,3 what it was before the last removal.
func (s *site) showDock(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	list, err := s.shortlist(r, parseIDs(query["ids"]...))
	if err != nil {
		return err
	}
	if err := s.addRemoved(r, &list, parseIDs(query["before"]...)); err != nil {
		return err
	}
	body, err := json.Marshal(views.NewDock(s.page(r), list))
	if err != nil {
		return err
	}
	markMinors(w, list)
	w.Header().Add("X-Robots-Tag", "noindex")
	return s.send(w, r, "application/json", body)
}
