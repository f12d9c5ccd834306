// Command fake is the back ends of a browser test: those of testkit, or the demo's. The test decides over HTTP what
// they hold and what fails, and reads what was requested. It ends with its input.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"zedcard/internal/api"
	"zedcard/internal/folder"
	"zedcard/internal/testkit"
)

func main() {
	demo := flag.Bool("demo", false, "hold what the demo does")
	flag.Parse()
	if err := run(*demo); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(demo bool) error {
	var fake testkit.Fake
	apis := fake.APIs()
	if demo {
		own, err := folder.Open(folder.Demo(), folder.Config{})
		if err != nil {
			return err
		}
		config := testkit.Config
		config.Pictures = own.Pictures()
		apis = api.New(func() api.Content { return own.Content(context.Background()) }, own, config)
	}
	mux := http.NewServeMux()
	mux.Handle("/", fake.Record(apis))
	if !demo { // each picture of a talent is this one
		picture := func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "static/images/sheet-21.jpg") }
		mux.Handle("GET /storage/", fake.Record(http.HandlerFunc(picture)))
	}
	mux.HandleFunc("PUT /fake/content", func(w http.ResponseWriter, r *http.Request) {
		fake.Change(func(c *testkit.Content) { read(w, r, c) })
	})
	mux.HandleFunc("PUT /fake/faults", setFaults(&fake))
	mux.HandleFunc("GET /fake/requests", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(fake.Requests(r.URL.Query().Get("pattern"))) // fails only if the test has ended
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	url := "http://" + listener.Addr().String()
	fake.PanelURL, fake.IntegrationURL = url, url
	if err := json.NewEncoder(os.Stdout).Encode(fake.Settings()); err != nil {
		return err
	}
	go func() { _ = http.Serve(listener, mux) }() // #nosec G114 -- of a test
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func read(w http.ResponseWriter, r *http.Request, into any) {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// setFaults answers calls that set the faults, by the beginning of a request, as in Fake.Break: a status, or 0 for one
// that waits until they change.
func setFaults(fake *testkit.Fake) http.HandlerFunc {
	release := func() {}
	return func(w http.ResponseWriter, r *http.Request) {
		var statuses map[string]int
		read(w, r, &statuses)
		fake.Heal()
		release()
		changed, end := context.WithCancel(context.Background())
		release = end
		for pattern, status := range statuses {
			fault := testkit.Status(status)
			if status == 0 {
				fault = func(own http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						<-changed.Done()
						own.ServeHTTP(w, r)
					})
				}
			}
			fake.Break(pattern, fault)
		}
	}
}
