package handlers

import (
	"net/url"

	"zedcard/i18n"
	"zedcard/views"
)

// Whom a shortlist is for answers with the contact form: yes, maybe or no for each person, and a line about them. The
// answers are a part of the message, so that they go the way of every message, and nothing else is stored.

// noteIndent begins the line about a person in a message, below that with the person's name.
const noteIndent = "    "

// answered are those of the ids that have an answer, in the order of the answers.
func answered(values url.Values, ids []string) (found []string) {
	for _, answer := range views.Answers {
		for _, id := range ids {
			if values.Get(views.AnswerInput(id)) == answer {
				found = append(found, id)
			}
		}
	}
	return found
}

// headings are the words above the talents of a message by the answer that they have; of an enquiry they have none.
func headings(lang *i18n.Language) map[string]string {
	all := map[string]string{"": lang.T("contact.about-talents")}
	for _, answer := range views.Answers {
		all[answer] = views.AnswerWord(lang, answer)
	}
	return all
}
