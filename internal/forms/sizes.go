package forms

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"zedcard/internal/agency"
)

// takeSizes turns sizes as they were typed into the options that they mean. A size that is no option stays as typed and
// is a fault, with the two nearest.
func (a *Application) takeSizes() {
	lists := a.optionLists()
	for name, field := range fields(a) {
		var of measure
		switch name {
		case "height", "bust", "waist", "hips":
			of = length
		case "shoes", "dress":
			of = size
		default:
			continue
		}
		typed, options := field.String(), lists[name]
		if typed == "" || len(options) == 0 {
			continue
		}
		option, nearest := of.find(typed, options)
		if option != nil {
			field.SetString(option.Value)
		} else {
			a.faults[name] = sizeFault(name, options, nearest)
		}
	}
}

func sizeFault(name string, options []agency.Option, nearest []agency.Option) Error {
	if len(nearest) == 2 {
		return Error{name, "error.size.nearest", []string{"first", short(nearest[0]), "last", short(nearest[1])}}
	}
	return Error{name, "error.size.none", []string{"from", short(options[0]), "to", short(options[len(options)-1])}}
}

// short is an option in its first unit.
func short(o agency.Option) string {
	label, _, _ := strings.Cut(cmp.Or(o.Label, o.Value), " / ")
	return label
}

// measure reads what a text measures, in cm for lengths, and how exactly.
type measure func(text string) (value, within float64, ok bool)

var (
	imperial    = regexp.MustCompile(`['’′"”″½]|ft|in`)
	centimetres = regexp.MustCompile(`(?i)(\d+(?:[.,]\d+)?)\s*cm`)
	plainSize   = regexp.MustCompile(`^\D*?(\d+)(?:[.,](\d+))?\s*(½|1/2)?\D*$`)
)

// halfStep is half of the half inch to which lengths are rounded.
const halfStep = 1.27 / 2

func length(text string) (cm, within float64, ok bool) {
	if m := centimetres.FindStringSubmatch(text); m != nil { // a label has both units
		text = m[1] + " cm"
	}
	text = strings.NewReplacer("feet", "ft", "foot", "ft", "inches", "in", "inch", "in").Replace(strings.ToLower(text))
	cm, ok = agency.ParseLength(text)
	if imperial.MatchString(text) {
		within = halfStep
	}
	return cm, within, ok
}

func size(text string) (value, within float64, ok bool) {
	m := plainSize.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	value, err := strconv.ParseFloat(m[1]+"."+m[2]+"0", 64)
	if m[3] != "" {
		value += .5
	}
	return value, 0, err == nil
}

// find is the option that a text means, or else the two nearest, in the order of the list.
func (m measure) find(typed string, options []agency.Option) (found *agency.Option, nearest []agency.Option) {
	value, within, isNumber := m(typed)
	apart := make(map[string]float64, len(options))
	numbers := make([]agency.Option, 0, len(options))
	for i, o := range options {
		if strings.EqualFold(o.Value, typed) || strings.EqualFold(o.Label, typed) {
			found = &options[i]
		}
		if of, _, ok := m(cmp.Or(o.Label, o.Value)); ok && isNumber {
			apart[o.Value] = math.Abs(of - value)
			numbers = append(numbers, o)
		}
	}
	byDistance := slices.SortedStableFunc(slices.Values(numbers), func(a, b agency.Option) int {
		return cmp.Compare(apart[a.Value], apart[b.Value])
	})
	if len(byDistance) > 0 && apart[byDistance[0].Value] <= max(within, .001) {
		return &byDistance[0], nil
	}
	if found != nil || len(byDistance) < 2 {
		return found, nil
	}
	inOrder := func(o agency.Option) bool { return o.Value == byDistance[0].Value || o.Value == byDistance[1].Value }
	return nil, slices.DeleteFunc(numbers, func(o agency.Option) bool { return !inOrder(o) })
}
