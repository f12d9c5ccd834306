package backendtest

// MinorDates are birth dates, as JSON, that make a talent a minor in November 2026: dates of minors, and unreadable
// ones.
var MinorDates = []string{
	`"31.12.2012"`, `"12/31/2012"`, `"2012"`, `2012`, `1356912000000`, `"1356912000000"`, `-86400`,
	`{"year": 2012}`, `{}`, `[]`, `["1990-01-01"]`,
	`true`, `false`, `0`, `"0"`, `"soon"`, `"31 de dezembro de 2012"`, `"2012-13-45"`, `"12-31-2012"`,
	`"Dec 31, 2012"`, `"2012-12"`, `"\u0000"`,
	`{"date": "2012-12-31 00:00:00.000000", "timezone_type": 3}`, `{"value": null}`, `{"value": "31.12.2012"}`,
	`1e300`, `"1890-01-01"`, `"2090-01-01"`,
	`"2012-12-31"`, `"2012-12-31T00:00:00Z"`, `"20121231"`, `"31/12/2012"`, `1356912000`,
	`{"value": "2012-12-31"}`,
	`"12/10/2008"`, // December 10th or October 12th: not yet 18 in one reading
}

// AdultDates are birth dates of an adult, or none.
var AdultDates = []string{
	`null`, `""`, `" "`, `"0000-00-00"`, `"1990-05-01"`, `"1990-05-01 00:00:00"`, `"01/05/1990"`, `641520000`,
	`{"value": "1990-05-01"}`,
}

// MinorCategories are categories that make a talent a minor: the kids board by id or name, names of categories of
// minors, and unreadable values.
var MinorCategories = []string{
	`[{"id": 1909, "name": "kids"}]`, `[{"id": "1909"}]`, `[1909]`, `["1909"]`, `["Kids"]`,
	`[{"id": 7, "name": "Girls"}]`, `[{"id": 7, "name": " BOYS "}]`,
	`[{"id": 7, "name": "Teens 13-17"}]`, `[{"id": 7, "name": "Kids & Teens"}]`, `[{"name": "teenagers"}]`,
	`[{"id": 7, "name": {"value": "Kids"}}]`,
	`[{"id": 7, "name": {"en": "Kids"}}]`, `[{"id": 7, "title": "Kids", "name": "x"}]`,
	`[{"id": 7, "name": "Crianças"}]`, `[{"id": 7, "name": "niñas"}]`,
	`[{"id": 7, "name": "\u004bids"}]`, `[{"id": 7, "name": "new", "parent": {"id": 1909}}]`,
	`{"0": {"id": 1909}}`, `"kids"`, `"models,kids"`, `7`, `true`,
	`[{"id": {"value": 1909}}]`, `[{}]`, `[null]`, `[[1909]]`, `[[]]`, `[true]`, `[{"id": "kids"}]`,
	`{"data": []}`,
}

// AdultCategories are categories of an adult, or none.
var AdultCategories = []string{
	`null`, `[]`, `""`, `[{"id": 1, "name": "models"}]`, `[{"id": "1911", "name": "curve"}]`,
	`[{"id": 1, "name": null}]`, `[1]`, `["models"]`,
}
