package app

import (
	"net/http"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/media"
	"zedcard/views"
)

// folder is the agency's folder as the screens read it.
type folder struct {
	*embedded.Backend
	config config.Config
}

// Faults are what editors should correct, in a language.
func (f folder) Faults(lang i18n.Lang) []views.Fault {
	var faults []views.Fault
	all := f.Backend.Faults()
	if f.config.Public() {
		all = append(all, embedded.LeftOfDemo(ContentFolder(f.config))...)
	}
	for _, fault := range all {
		faults = append(faults, views.Fault{Place: fault.Place(), Text: fault.Text(lang), Remark: fault.Remark})
	}
	return faults
}

// newDrafts is the catalogue that editors see, with drafts; nil where there are none or nobody may see them.
func newDrafts(c config.Config, backEnds BackEnds, options catalog.Options) *catalog.Catalog {
	if backEnds.embedded == nil || c.PreviewToken == "" {
		return nil
	}
	preview := backEnds.embedded.Preview()
	options.Snapshot, options.Pictures, options.Drafts = "", nil, nil
	return catalog.New(preview, preview, options)
}

// withDrafts is the site for editors beside the public one.
func (s site) withDrafts(services handlers.Services) handlers.Services {
	services.Folder = folder{s.backEnds.folder, s.Config}
	if s.drafts == nil {
		return services
	}
	forEditors := services
	forEditors.Catalog, forEditors.Pages = s.drafts, nil
	forEditors.Folder = folder{s.backEnds.embedded.Preview(), s.Config}
	pictures := s.pictures.Handler()
	forEditors.OtherHandlers = map[string]http.Handler{
		media.Prefix: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			pictures.ServeHTTP(w, r.WithContext(media.ForEditor(r.Context())))
		}),
	}
	services.Preview, _ = handlers.New(forEditors)
	return services
}
