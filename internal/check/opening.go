package check

import (
	"cmp"
	"fmt"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/config"
	"zedcard/internal/mail"
	"zedcard/internal/official"
)

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
		notes = append(notes, "to do: APPLY_PHONE: mask takes numbers like "+agency.DemoPhone+
			" only; set international for applicants from other countries")
	}
	if !c.Public() {
		return faults, notes
	}
	for _, contact := range []struct{ setting, variable, value string }{
		{"CONTACT_PHONE", c.ContactPhone, site.Phone}, {"BOOKINGS_EMAIL", c.BookingsEmail, site.Bookings},
		{"ACCOUNTING_EMAIL", c.AccountingEmail, site.Accounting},
	} {
		inFolder := c.ContentDir != "" && site.Own && contact.variable == "" // that file has a fault with its line
		if agency.IsDemos(contact.value) && !inFolder {
			faults = append(faults,
				fmt.Sprintf("%s: %s is the demo agency’s: set your own", contact.setting, contact.value))
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
