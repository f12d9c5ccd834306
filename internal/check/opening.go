package check

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/config"
	"zedcard/internal/mail"
	"zedcard/internal/official"
)

// demoDomain and demoPhone are the demo agency's: on a public site they send visitors to strangers.
const (
	demoDomain = "best.example"
	demoPhone  = "+55 (11) 91234-5678"
)

// isPublic reports whether visitors can reach the site at its address. The demo agency's own is none.
func isPublic(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if addr, err := netip.ParseAddr(host); err == nil {
		return !addr.IsLoopback() && !addr.IsPrivate() && !addr.IsUnspecified()
	}
	for _, private := range []string{".localhost", ".local", ".internal", ".test", "." + demoDomain} {
		if strings.HasSuffix("."+host, private) {
			return false
		}
	}
	return strings.Contains(host, ".")
}

// opening finds what an agency has to set before it opens the site: contacts that are still the demo's, and mails that
// the safety page would call a stranger's. Notes are what it may want to set.
func opening(c config.Config, site agency.Site) (faults, notes []string) {
	if contacts := c.OfficialContacts(site); c.SMTPURL != "" && !contacts.IsEmpty() {
		// A faulty SMTP_URL is found as the settings are read.
		if sender, err := mail.New(string(c.SMTPURL), cmp.Or(c.MailTo, site.Bookings)); err == nil &&
			contacts.Check(sender.From()) == official.NotOurs {
			faults = append(faults, "OFFICIAL_CONTACTS: the sender of the site’s mails is missing: “check a message” "+
				"calls the mails to parents and guardians not ours")
		}
	}
	if strings.HasPrefix(site.Phone, "+") && !strings.HasPrefix(site.Phone, "+55") && site.Phones == config.MaskPhone {
		notes = append(notes, "to do: APPLY_PHONE: mask takes numbers like "+demoPhone+
			" only; set international for applicants from other countries")
	}
	if !isPublic(c.BaseURL) {
		return faults, notes
	}
	for _, contact := range [][2]string{
		{"CONTACT_PHONE", site.Phone}, {"BOOKINGS_EMAIL", site.Bookings}, {"ACCOUNTING_EMAIL", site.Accounting},
	} {
		if contact[1] == demoPhone || strings.HasSuffix(contact[1], "@"+demoDomain) {
			faults = append(faults, fmt.Sprintf("%s: %s is the demo agency’s: set your own", contact[0], contact[1]))
		}
	}
	if site.Address == "" {
		notes = append(notes, "to do: AGENCY_ADDRESS: many countries require a postal address on an agency’s site")
	}
	if strings.HasSuffix(site.PoweredBy.URL, ".example") {
		notes = append(notes, "to do: POWERED_BY_URL: "+site.PoweredBy.URL+" leads nowhere")
	}
	return faults, notes
}
