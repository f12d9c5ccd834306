// Package embedded is a back end in the program itself: it speaks the panel's and the integration
// API over a folder of files that an editor writes by hand. The site calls it through the same
// clients as any other back end, in process (Transport) or over a port (Handler). The folder demo
// beside this file is a complete example.
//
// # The content folder
//
//	categories.yaml                the boards and their subdivisions
//	options.yaml                   the lists of the application form
//	slides.yaml                    the two carousels of the home page
//	social.yaml                    the agency's profiles elsewhere
//	talents/FOLDER/talent.yaml     one talent, the pictures beside it
//	posts/TYPE/SLUG.md             a post of the blog
//	pages/NAME.md                  a page in English; NAME.pt.md and NAME.es.md in Portuguese and Spanish
//
// Pictures are jpg, png, gif or webp files of at most 50 megapixels. They may lie anywhere in the folder, and everybody
// can fetch them: they are served at /storage/ and their path below the folder. Nothing else is. Names that begin with
// a dot are ignored, and README.md files are for editors; any other .md or .yaml file that is not named above is a
// fault.
//
// A field without a value counts as absent. A field that is not named below is a fault.
//
// # talents/FOLDER/talent.yaml
//
// The boards show talents in the order of their folders' names, so number them: 010-ana, 020-bea.
//
//	id: 101                  # whole number, one for each talent, never used again
//	name: Ágata Moreira
//	gender: woman            # woman, man or absent
//	birthdate: 2001-04-17    # yyyy-mm-dd, never shown
//	categories:              # names out of categories.yaml; models or creative puts the talent on a board
//	  - models
//	  - women
//	height: 178              # centimetres: height, bust, chest, waist, hips
//	bust: 83
//	waist: 61
//	hips: 89
//	suit: 36                 # European sizes: suit (a woman's dress), shoes, jeans
//	shoes: 39.5
//	hair: Dark Brown         # values out of options.yaml
//	eyes: Hazel
//	cover: cover.jpg         # absent: the site shows its default picture
//	focus: [50, 30]          # what a cut of the cover keeps, percent from left and top; absent: upper third
//	book:                    # absent: every book-*.jpg beside this file, book-2 before book-10
//	  - book-3.jpg
//	  - {file: book-1.jpg, caption: "Contraluz — Editorial, 2026"}    # a creative's work: title — kind, year
//	snap: []                 # absent: every snap-*.jpg
//	video:
//	  - provider: youtube    # or vimeo
//	    file: b3Nd1taN_sc    # the video's id; vimeo's private ones as 123456/hash
//	    preview: book-3.jpg  # a picture beside this file or an address; absent: the provider's
//
// Only id and name are required. Width and height of pictures are read from the files.
//
// # posts/TYPE/SLUG.md
//
// TYPE is news or editorial, or another of the site's BLOG_TYPES. TYPE and SLUG stand in the address:
// a to z, 0 to 9 and single hyphens. Posts are in Portuguese, and the newest comes first.
//
//	---
//	title: Casting em São Paulo
//	date: 2026-03-01
//	excerpt: Duas linhas para a lista.
//	author: Redação
//	cover: blog/01.jpg
//	---
//
//	Text in **Markdown**, with tables and links. A picture of the folder:
//	![Two models on the stairs](blog/02.jpg)
//
// Title and date are required. HTML is left out.
//
// # pages/NAME.md
//
// The site has screens for about, privacy and future-face. A translation that does not exist is
// answered in English.
//
//	---
//	title: About us
//	images:
//	  - file: staff/1.jpg
//	    caption: Marta Ruiz — head of bookings
//	---
//
//	Markdown as in posts.
//
// # categories.yaml
//
//	# one entry for each category
//	- id: 1
//	  name: models
//	- id: 1881
//	  name: creative
//
// The site filters by number: models 1, creative 1881, kids 1909, fit 1910, curve 1911, life 1912,
// petite 1918, fluid 1920, big (and tall) 1921, photographer 1923, make (and hair) 1924, stylist
// 1925. It filters by name: influencers, girls, boys. The others are free.
//
// # options.yaml
//
//	hair:                    # value English, label Spanish, value2 Portuguese; so are eyes,
//	  - {value: Black, label: Negro, value2: Preto}     # hair_kind, hair_size and skin_color
//	eyes:
//	  - {value: Hazel, label: Avellana, value2: Avelã}
//	gender:
//	  - {value: woman, label: Woman}
//	ranges:                  # height, bust, waist, hips, shoes, suit; may be: chest, jeans, shirt, weight
//	  height: {from: 30, to: 200, step: 1, unit: cm}    # unit: cm, kg or absent
//	  shoes: {from: 1, to: 60, step: 0.5}
//	countries:
//	  - {id: BR, value: Brazil, pt: Brasil, es: Brasil, cities: [São Paulo, Rio de Janeiro]}
//
// # slides.yaml and social.yaml
//
//	# slides.yaml
//	- mobile: slides/1-mobile.jpg    # shown at a width of 650 px or below
//	  desktop: slides/1-desktop.jpg
//	  description: "1"               # the carousel: 1 models, 2 creative
//
//	# social.yaml
//	- name: Instagram
//	  url: https://instagram.com/agency
//
// # Changes and faults
//
// The folder is looked at on a call, at most once a second; a change of any file's name, size or
// time is picked up without a restart. A file with a fault is not taken: its last good version
// stays, and the fault is logged. At the start it is left out. Only categories.yaml and
// options.yaml must be right at the start. Check names every fault by file and line.
//
// A folder of the disk is best opened with [os.OpenRoot], whose file system does not follow links
// out of the folder.
package embedded
