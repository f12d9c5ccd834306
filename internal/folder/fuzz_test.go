package folder_test

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/folder"
	"zedcard/internal/testkit"
)

// Whatever an editor saves is read or has a fault, on a line that the file has.
func FuzzCheck(f *testing.F) {
	small := testkit.SmallContent(f)
	for _, name := range []string{
		"talents/010-agata/talent.yaml", "options.yaml", "posts/news/segundo.md", "pages/about.md",
	} {
		f.Add(string(small[name].Data))
	}
	f.Add("---\ntitle: a\rb\r---\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := maps.Clone(small)
		written := &fstest.MapFile{Data: []byte(text)}
		for _, name := range []string{"talents/020-bo/talent.yaml", "options.yaml", "posts/news/segundo.md"} {
			dir[name] = written
		}
		lines := strings.Count(text, "\n") + strings.Count(text, "\r") + 1
		all, _ := folder.Check(dir, false)
		for _, fault := range all {
			assert.NotEmpty(t, fault.Key)
			if dir[fault.File] == written {
				assert.LessOrEqual(t, fault.Line, lines, fault)
			}
		}
	})
}
