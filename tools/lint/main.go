// Lint is go vet and staticcheck in one pass, as a tool of go vet, which keeps its results with those of the compiler.
//
// It learns less from the source of dependencies than staticcheck, for which that takes minutes: what is deprecated,
// what never returns and what formats like Printf, but not which functions are pure, or return no nil (SA4017, SA4023,
// SA5012). `make lint-deep` runs staticcheck itself.
package main

import (
	"encoding/gob"
	"encoding/json"
	"go/token"
	"log"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/facts/deprecated"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

// dependencyAnalyzers find the facts about a package that its importers need.
var dependencyAnalyzers = []*analysis.Analyzer{ctrlflow.Analyzer, printf.Analyzer, deprecated.Analyzer}

func main() {
	analyzers := append(slices.Clone(vet.Suite), unusedCode)
	for _, a := range slices.Concat(simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers) {
		analyzers = append(analyzers, outsideTemplates(a.Analyzer))
	}
	if unit := os.Args[len(os.Args)-1]; isDependency(unit) {
		registerFacts(analyzers)
		unitchecker.Run(unit, dependencyAnalyzers) // does not return
	}
	unitchecker.Main(analyzers...)
}

// isDependency tells whether the argument is a file *.cfg with which go vet asks for the facts of a package alone.
func isDependency(argument string) bool {
	if !strings.HasSuffix(argument, ".cfg") {
		return false
	}
	data, err := os.ReadFile(argument) // #nosec G304 G703 -- go vet names it
	if err != nil {
		log.Fatal(err)
	}
	var unit unitchecker.Config
	if err := json.Unmarshal(data, &unit); err != nil {
		log.Fatal(err)
	}
	return unit.VetxOnly
}

// registerFacts makes the facts of packages that were analyzed whole readable: variants for tests depend on them.
func registerFacts(analyzers []*analysis.Analyzer) {
	for _, a := range analyzers {
		for _, fact := range a.FactTypes {
			gob.Register(fact)
		}
		registerFacts(a.Requires)
	}
}

// outsideTemplates keeps an analyzer from reporting what templ generates.
func outsideTemplates(a *analysis.Analyzer) *analysis.Analyzer {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		report := pass.Report
		pass.Report = func(d analysis.Diagnostic) {
			if !strings.HasSuffix(pass.Fset.File(d.Pos).Name(), "_templ.go") {
				report(d)
			}
		}
		return run(pass)
	}
	return a
}

// unusedCode reports what staticcheck's U1000 only lists. It is right because go vet analyzes a package together with
// its tests.
var unusedCode = &analysis.Analyzer{
	Name:     "unused",
	Doc:      "reports code that nothing uses",
	Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, object := range pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result).Unused {
			pass.Reportf(position(pass.Fset, object.Position), "%s %s is unused (U1000)", object.Kind, object.Name)
		}
		return nil, nil
	},
}

func position(files *token.FileSet, at token.Position) (pos token.Pos) {
	for file := range files.Iterate {
		if file.Name() == at.Filename {
			pos = file.LineStart(at.Line) + token.Pos(at.Column-1)
		}
	}
	return pos
}
