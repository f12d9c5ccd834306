package forms_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
)

// sizesOf are the options of a range, whose values are the back end's own.
func sizesOf(from, to, step float64, label func(float64) string) (list []agency.Option) {
	for value := from; value <= to; value += step {
		list = append(list, agency.Option{Value: "o" + strconv.FormatFloat(value, 'f', -1, 64), Label: label(value)})
	}
	return list
}

func TestASizeIsTheOptionThatWasTyped(t *testing.T) {
	plain := func(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
	lengths := sizesOf(30, 200, 1, func(cm float64) string { return plain(cm) + ` cm / 5'8½"` })
	all := agency.Options{
		Height: lengths, Bust: sizesOf(80, 120, 5, plain), Waist: lengths, Hips: lengths,
		Shoes: sizesOf(34, 48, .5, plain), Suit: []agency.Option{{Value: "1", Label: "P"}, {Value: "2", Label: "M"}},
	}
	for _, test := range []struct{ field, typed, want string }{
		{"height", "174", "o174"}, {"height", " 174 cm", "o174"}, {"height", "1,74", "o174"},
		{"height", "1.74 m", "o174"},
		{"height", "1m74", "o174"}, {"height", "174cm.", "o174"}, {"height", "174,0", "o174"},
		{"height", "o174", "o174"},
		{"height", "5'8½", "o174"}, {"height", "5′8½″", "o174"}, {"height", "5 ft 8", "o173"},
		{"height", "5'8.5\"", "o174"},
		{"height", "5 feet 8 inches", "o173"}, {"height", `174 cm / 5'8½"`, "o174"},
		{"height", "174,5", "nearest 174 cm, 175 cm"}, {"height", "12", "nearest 30 cm, 31 cm"},
		{"height", "250", "nearest 199 cm, 200 cm"}, {"height", "tall", "from 30 cm to 200 cm"},
		{"bust", "90", "o90"}, {"bust", `33½"`, "o85"}, {"bust", `37"`, "nearest 90, 95"},
		{"bust", "92", "nearest 90, 95"},
		{"waist", `24"`, "o61"},
		{"shoes", "39", "o39"}, {"shoes", "39,5", "o39.5"}, {"shoes", "39.5", "o39.5"}, {"shoes", "39½", "o39.5"},
		{"shoes", "39 1/2", "o39.5"}, {"shoes", "EU 39", "o39"}, {"shoes", "39 EU", "o39"},
		{"shoes", "39,3", "nearest 39, 39.5"}, {"shoes", "36-37", "from 34 to 48"},
		{"dress", "m", "2"}, {"dress", "2", "2"}, {"dress", "XXL", "from P to M"},
	} {
		a := forms.ParseApplication(values(with(application, test.field, test.typed)), all, forms.MaskPhones, today)
		got := value(a.Submission("abc"), test.field)
		for _, e := range a.Validate() {
			if e.Field == test.field && e.Key == "error.size.nearest" {
				got = "nearest " + e.Args[1] + ", " + e.Args[3]
			} else if e.Field == test.field {
				got = "from " + e.Args[1] + " to " + e.Args[3]
			}
		}
		assert.Equal(t, test.want, got, "%s %q", test.field, test.typed)
	}
}
