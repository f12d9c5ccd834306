package wire

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"

	"zedcard/internal/agency"
)

// The shapes of what passes between the site and a back end. Their types write what our back end answers, and read all
// that others do.

// Talent is a talent as lists have it.
type Talent struct {
	ID         ID           `json:"id"`
	Name       Text         `json:"name"`
	Gender     Text         `json:"gender,omitempty"`
	Cover      Text         `json:"cover,omitempty"`
	Focus      List[Number] `json:"focus,omitempty"` // ours: x and y of the cover's focal point
	Birthdate  Text         `json:"birthdate,omitempty"`
	Categories []Category   `json:"categories"`
	Height     Text         `json:"height,omitempty"`
	Bust       Text         `json:"bust,omitempty"`
	Waist      Text         `json:"waist,omitempty"`
	Suit       Text         `json:"suit,omitempty"`
	Hips       Text         `json:"hips,omitempty"`
	Shoes      Text         `json:"shoes,omitempty"`
	Hair       Text         `json:"hair,omitempty"`
	Eyes       Text         `json:"eyes,omitempty"`
	Jeans      Text         `json:"jeans,omitempty"`
	Chest      Text         `json:"chest,omitempty"`

	// Ours: see agency.Talent and agency.Stay, and the credit of the cover.
	Living            Text `json:"living,omitempty"`
	InTown            Text `json:"in_town,omitempty"`
	InTownFrom        Text `json:"in_town_from,omitempty"`
	InTownUntil       Text `json:"in_town_until,omitempty"`
	CoverPhotographer Text `json:"cover_photographer,omitempty"`
	CoverModel        Text `json:"cover_model,omitempty"`
	CoverClient       Text `json:"cover_client,omitempty"`
}

// Profile is a talent with galleries.
type Profile struct {
	Talent
	Galleries
	Instagram Text `json:"instagram,omitempty"` // ours
}

// Galleries are a talent's pictures and videos.
type Galleries struct {
	Book    List[Picture] `json:"book"`
	Snap    List[Picture] `json:"snap"`
	Video   List[Video]   `json:"video"`
	Digital *Digital      `json:"digital,omitempty"` // ours
}

// Digital is a full-length picture, see agency.Digital.
type Digital struct {
	File   Text     `json:"file"`
	Crown  Fraction `json:"crown,omitempty"`
	Ground Fraction `json:"ground,omitempty"`
}

// UnmarshalJSON never fails: anything but an object is none.
func (d *Digital) UnmarshalJSON(raw []byte) error {
	type shape Digital
	var read shape
	if json.Unmarshal(raw, &read) != nil {
		read = shape{}
	}
	*d = Digital(read)
	return nil
}

// FullLength is the digital of the galleries, without a file where there is none.
func (g Galleries) FullLength() (d agency.Digital) {
	if g.Digital != nil && g.Digital.File != "" {
		d = agency.Digital{
			File: string(g.Digital.File), Crown: float64(g.Digital.Crown), Ground: float64(g.Digital.Ground),
		}
	}
	return d
}

// Category is a category of a talent.
type Category struct {
	ID   agency.CategoryID `json:"id"`
	Name string            `json:"name"`
}

// Picture is an item of a gallery, or an image of an entity.
type Picture struct {
	ID           Text   `json:"id,omitempty"`
	File         Text   `json:"file"`
	Width        Number `json:"width"`
	Height       Number `json:"height"`
	Caption      Text   `json:"caption,omitempty"`
	Photographer Text   `json:"photographer,omitempty"` // ours, see agency.Credit
	Model        Text   `json:"model,omitempty"`
	Client       Text   `json:"client,omitempty"`
}

// Video is a video of a talent.
type Video struct {
	Provider Text `json:"provider"`
	File     Text `json:"file"`
	Preview  Text `json:"preview"`
}

// Options are the lists of the application form, and ranges that no form asks for.
type Options struct {
	Countries List[Place]  `json:"countries"`
	Cities    List[Place]  `json:"cities,omitempty"`
	Eyes      List[Option] `json:"eyes"`
	Hair      List[Option] `json:"hair"`
	Height    List[Option] `json:"height"`
	Bust      List[Option] `json:"bust"`
	Waist     List[Option] `json:"waist"`
	Hips      List[Option] `json:"hips"`
	Shoes     List[Option] `json:"shoes"`
	Suit      List[Option] `json:"suit"`
	Gender    List[Option] `json:"gender"`
	HairKind  List[Option] `json:"hair_kind"`
	HairSize  List[Option] `json:"hair_size"`
	SkinColor List[Option] `json:"skin_color"`
	Chest     List[Option] `json:"chest,omitempty"`
	Jeans     List[Option] `json:"jeans,omitempty"`
	Shirt     List[Option] `json:"shirt,omitempty"`
	Weight    List[Option] `json:"weight,omitempty"`
}

// Option is an option of a list.
type Option struct {
	Value  Text `json:"value"`
	Label  Text `json:"label"`
	Value2 Text `json:"value2,omitempty"`

	Names map[string]string `json:"names,omitempty"` // by language; of the embedded back end
}

// Place is a country or a city.
type Place struct {
	ID    Text `json:"id"`
	Value Text `json:"value"`
}

// Slide is a slide of the home page.
type Slide struct {
	Mobile      Text `json:"image_mobile"`
	Desktop     Text `json:"image_desktop"`
	Description Text `json:"description"`
	Talent      ID   `json:"talent,omitempty"` // ours, see agency.Slide
}

// Post is a post of the blog.
type Post struct {
	ID          Text `json:"id"`
	Type        Text `json:"type"`
	Slug        Text `json:"slug"`
	Title       Text `json:"title"`
	Excerpt     Text `json:"excerpt"`
	Body        Text `json:"body"`
	Cover       Text `json:"cover"`
	PublishedAt Text `json:"published_at"`
	Author      Text `json:"author"`
}

// Entity is a named page. It says its language only where a language was requested.
type Entity struct {
	Name     Text          `json:"name"`
	Title    Text          `json:"title"`
	Body     Text          `json:"body"`
	Images   List[Picture] `json:"images"`
	Language Text          `json:"language,omitempty"`
}

// SocialMedia is a profile of the agency elsewhere.
type SocialMedia struct {
	Name Text `json:"name"`
	URL  Text `json:"url"`
}

// ID is written as a number where it is one, as back ends write their own.
type ID string

// UnmarshalJSON reads a number or a text, and never fails.
func (id *ID) UnmarshalJSON(raw []byte) error { return (*Text)(id).UnmarshalJSON(raw) }

// MarshalJSON never fails.
func (id ID) MarshalJSON() ([]byte, error) {
	if number, err := strconv.Atoi(string(id)); err == nil && strconv.Itoa(number) == string(id) {
		return []byte(id), nil
	}
	return json.Marshal(string(id))
}

// TalentOf is a talent's shape.
func TalentOf(t *agency.Talent) Talent {
	m := t.Measures
	shape := Talent{
		ID: ID(t.ID), Name: Text(t.Name), Gender: Text(t.Gender), Cover: Text(t.Cover.File),
		Birthdate:  day(t.Birthdate),
		Categories: Each(t.Categories, func(c agency.Category) Category { return Category{c.ID, c.Name} }),
		Height:     Text(m.Height), Bust: Text(m.Bust), Waist: Text(m.Waist), Suit: Text(m.Suit), Hips: Text(m.Hips),
		Shoes: Text(m.Shoes), Hair: Text(m.Hair), Eyes: Text(m.Eyes), Jeans: Text(m.Jeans), Chest: Text(m.Chest),
		Living: Text(t.Living), InTown: Text(t.Stay.City), InTownFrom: day(t.Stay.From), InTownUntil: day(t.Stay.Until),
		CoverPhotographer: Text(t.Cover.Credit.Photographer), CoverModel: Text(t.Cover.Credit.Model),
		CoverClient: Text(t.Cover.Credit.Client),
	}
	if focus := t.Cover.Focus; focus != (agency.Focus{}) {
		shape.Focus = List[Number]{Number(focus.X), Number(focus.Y)}
	}
	return shape
}

// ProfileOf is a talent's shape with galleries.
func ProfileOf(t *agency.Talent) Profile {
	return Profile{Talent: TalentOf(t), Instagram: Text(t.Instagram), Galleries: Galleries{
		Book: Each(t.Book, pictureOf), Snap: Each(t.Snap, pictureOf),
		Video: Each(t.Video, func(v agency.Video) Video {
			return Video{Text(v.Provider), Text(v.File), Text(v.Preview)}
		}),
		Digital: digitalOf(t.Digital),
	}}
}

func digitalOf(d agency.Digital) *Digital {
	if d.File == "" {
		return nil
	}
	return &Digital{Text(d.File), Fraction(d.Crown), Fraction(d.Ground)}
}

// CoverPicture is the cover of the shape, without a focal point.
func (t Talent) CoverPicture() agency.Picture {
	return agency.Picture{File: string(t.Cover), Credit: agency.Credit{
		Photographer: string(t.CoverPhotographer), Model: string(t.CoverModel), Client: string(t.CoverClient),
	}}
}

// Stay is that of the shape; none without a last day.
func (t Talent) Stay() agency.Stay {
	from, _ := ParseTime(string(t.InTownFrom)) // one that can't be read: already there
	until, ok := ParseTime(string(t.InTownUntil))
	if !ok || t.InTown == "" {
		return agency.Stay{}
	}
	return agency.Stay{City: string(t.InTown), From: from, Until: until}
}

// Measures are those of the shape.
func (t Talent) Measures() agency.Measures {
	return agency.Measures{
		Height: string(t.Height), Bust: string(t.Bust), Waist: string(t.Waist), Suit: string(t.Suit),
		Hips: string(t.Hips), Shoes: string(t.Shoes), Hair: string(t.Hair), Eyes: string(t.Eyes),
		Jeans: string(t.Jeans), Chest: string(t.Chest),
	}
}

func pictureOf(p agency.Picture) Picture {
	return Picture{
		Text(p.ID), Text(p.File), Number(p.Width), Number(p.Height), Text(p.Caption),
		Text(p.Credit.Photographer), Text(p.Credit.Model), Text(p.Credit.Client),
	}
}

// Pictures turns the shapes into pictures, without those that have no file.
func Pictures(shapes []Picture) []agency.Picture {
	var pictures []agency.Picture
	for _, shape := range shapes {
		if shape.File != "" {
			pictures = append(pictures, agency.Picture{
				ID: string(shape.ID), File: string(shape.File), Caption: string(shape.Caption),
				Width: max(int(shape.Width), 0), Height: max(int(shape.Height), 0),
				Credit: agency.Credit{
					Photographer: string(shape.Photographer), Model: string(shape.Model), Client: string(shape.Client),
				},
			})
		}
	}
	return pictures
}

// OptionsOf are the shapes of options.
func OptionsOf(o agency.Options) Options {
	places := func(places []agency.Place) List[Place] {
		return Each(places, func(p agency.Place) Place { return Place{Text(p.ID), Text(p.Value)} })
	}
	list := func(options []agency.Option) List[Option] {
		return Each(options, func(o agency.Option) Option {
			return Option{Text(o.Value), Text(o.Label), Text(o.Value2), o.Names}
		})
	}
	return Options{
		Countries: places(o.Countries), Cities: places(o.Cities), Eyes: list(o.Eyes), Hair: list(o.Hair),
		Height: list(o.Height), Bust: list(o.Bust), Waist: list(o.Waist), Hips: list(o.Hips), Shoes: list(o.Shoes),
		Suit: list(o.Suit), Gender: list(o.Gender), HairKind: list(o.HairKind), HairSize: list(o.HairSize),
		SkinColor: list(o.SkinColor), Chest: list(o.Chest), Jeans: list(o.Jeans), Shirt: list(o.Shirt),
		Weight: list(o.Weight),
	}
}

// Options are those that the shapes hold, without options and places that have no value. An option without a label has
// its value as label.
func (o Options) Options() agency.Options {
	places := func(shapes []Place) (places []agency.Place) {
		for _, shape := range shapes {
			if shape.ID != "" && shape.Value != "" {
				places = append(places, agency.Place{ID: string(shape.ID), Value: string(shape.Value)})
			}
		}
		return places
	}
	list := func(shapes []Option) (options []agency.Option) {
		for _, shape := range shapes {
			if shape.Value != "" {
				options = append(options, agency.Option{
					Value: string(shape.Value), Label: string(cmp.Or(shape.Label, shape.Value)),
					Value2: string(shape.Value2), Names: shape.Names,
				})
			}
		}
		return options
	}
	return agency.Options{
		Countries: places(o.Countries), Cities: places(o.Cities), Eyes: list(o.Eyes), Hair: list(o.Hair),
		Height: list(o.Height), Bust: list(o.Bust), Waist: list(o.Waist), Hips: list(o.Hips), Shoes: list(o.Shoes),
		Suit: list(o.Suit), Gender: list(o.Gender), HairKind: list(o.HairKind), HairSize: list(o.HairSize),
		SkinColor: list(o.SkinColor),
	}
}

// SlideOf is a slide's shape.
func SlideOf(s agency.Slide) Slide {
	return Slide{Text(s.Mobile), Text(s.Desktop), Text(strconv.Itoa(s.Group)), ID(s.Talent)}
}

// Slide finds the group in the description, which an editor may have formatted ("<p>1</p>").
func (s Slide) Slide() agency.Slide {
	digits := strings.FieldsFunc(string(s.Description), func(r rune) bool { return !unicode.IsDigit(r) })
	slide := agency.Slide{Mobile: string(s.Mobile), Desktop: string(s.Desktop), Talent: string(s.Talent)}
	if len(digits) > 0 {
		slide.Group, _ = strconv.Atoi(digits[0]) // too large a number is no group: 0
	}
	return slide
}

// PostOf is a post's shape.
func PostOf(p agency.Post) Post {
	return Post{
		Text(p.ID), Text(p.Type), Text(p.Slug), Text(p.Title), Text(p.Excerpt), Text(p.Body), Text(p.Cover),
		day(p.PublishedAt), Text(p.Author),
	}
}

// Post is the post of the shape, which is of this type where it names none.
func (p Post) Post(kind string) agency.Post {
	published, _ := ParseTime(string(p.PublishedAt)) // unknown where it can't be read
	return agency.Post{
		ID: string(p.ID), Type: cmp.Or(string(p.Type), kind), Slug: string(p.Slug), Title: string(p.Title),
		Excerpt: string(p.Excerpt), Body: string(p.Body), Cover: string(p.Cover), PublishedAt: published,
		Author: string(p.Author),
	}
}

// EntityOf is a page's shape.
func EntityOf(e agency.Entity) Entity {
	return Entity{Text(e.Name), Text(e.Title), Text(e.Body), Each(e.Images, pictureOf), Text(e.Lang)}
}

// Entity is the page of the shape, which has this name where it says none.
func (e Entity) Entity(name string) agency.Entity {
	return agency.Entity{
		Name: cmp.Or(string(e.Name), name), Title: string(e.Title), Body: string(e.Body), Lang: string(e.Language),
		Images: Pictures(e.Images),
	}
}

// SocialMediaOf is a profile's shape.
func SocialMediaOf(m agency.SocialMedia) SocialMedia { return SocialMedia{Text(m.Name), Text(m.URL)} }

// Each is the list of the items' shapes, [] for none.
func Each[T, S any](items []T, shape func(T) S) []S {
	shapes := make([]S, len(items))
	for i, item := range items {
		shapes[i] = shape(item)
	}
	return shapes
}

// day is yyyy-mm-dd, empty where unknown.
func day(t time.Time) Text {
	if t.IsZero() {
		return ""
	}
	return Text(t.Format(time.DateOnly))
}
