//go:build race

package media

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"zedcard/internal/picture"
)

// encoder is an encoder without the race detector: with it, only compiling the WebAssembly takes half a minute.
// What races could be is on the Store's side.
func encoder() *picture.Worker { return builtWorkers().AVIF }

var builtWorkers = sync.OnceValue(func() picture.Workers {
	return picture.NewWorkers(filepath.Join(builtEncoder(), "encoder"))
})

var builtEncoder = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "zedcard-encoder-")
	if err != nil {
		panic(err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "encoder"), "./testdata/encoder")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as the site is built, of which it takes the compiled packages
	if said, err := build.CombinedOutput(); err != nil {
		panic(string(said))
	}
	return dir
})

func removeEncoder() {
	_ = builtWorkers().Close()
	_ = os.RemoveAll(builtEncoder())
}
