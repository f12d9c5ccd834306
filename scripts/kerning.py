# Rewrites the kerning of fonts that scripts/fonts.mjs made, in place. Newsreader's lists 5,500 single pairs, most of
# them the same for a letter and its accented forms: as a matrix of classes the file is a third smaller. Values are
# rounded to a thousandth of an em, and those below four thousandths (0.2 px at 50 px) are dropped. So are those with a
# space, which take a third of it away: "together. We" read as one word. What the site does not use goes, too: marks that
# combine (names are composed, NFC), proportional figures, names for other systems.
#
#   pip install fonttools==4.38.0 brotli
#   python …/scripts/kerning.py *.woff2
import sys

from fontTools import subset
from fontTools.otlLib.builder import buildPairPosClassesSubtable, buildValue
from fontTools.ttLib import TTFont

SMALLEST = 4 / 1000  # em


def kerning(font, lookup):
    """The kerning of each pair of glyphs. Of several subtables the first that has a pair decides."""
    pairs = {}
    for subtable in [getattr(s, "ExtSubTable", s) for s in lookup.SubTable]:
        for i, first in enumerate(subtable.Coverage.glyphs):
            if subtable.Format == 1:
                found = [(r.SecondGlyph, r.Value1) for r in subtable.PairSet[i].PairValueRecord]
            else:
                row = subtable.Class1Record[subtable.ClassDef1.classDefs.get(first, 0)].Class2Record
                classes = subtable.ClassDef2.classDefs
                found = [(g, row[classes.get(g, 0)].Value1) for g in font.getGlyphOrder()]
            for second, value in found:
                pairs.setdefault((first, second), getattr(value, "XAdvance", 0))
    return pairs


def rounded(value, em):
    return 0 if abs(value) < SMALLEST * em else round(value * 1000 / em) * em // 1000


def classes(glyphs, values_of):
    """Groups the glyphs that kern alike, without those that do not kern."""
    groups = {}
    for glyph in glyphs:
        values = tuple(values_of(glyph))
        if any(values):
            groups.setdefault(values, []).append(glyph)
    return [tuple(group) for group in groups.values()]


def reduced(font):
    options = subset.Options(
        layout_features=["kern", "liga", "locl", "lnum", "tnum"], notdef_outline=True, name_IDs=[0, 1, 2, 13, 14]
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)


def rewrite(path):
    font = TTFont(path)
    reduced(font)
    glyphs, table = font.getGlyphOrder(), font["GPOS"].table
    used = {i for r in table.FeatureList.FeatureRecord if r.FeatureTag == "kern" for i in r.Feature.LookupListIndex}
    if len(used) != 1:
        sys.exit(f"{path}: expected one lookup of kerning, found {len(used)}")
    lookup = table.LookupList.Lookup[used.pop()]
    em = font["head"].unitsPerEm
    pairs = {pair: rounded(v, em) for pair, v in kerning(font, lookup).items() if "space" not in pair}
    firsts = classes(glyphs, lambda first: (pairs.get((first, second), 0) for second in glyphs))
    seconds = classes(glyphs, lambda second: (pairs.get((first, second), 0) for first in glyphs))
    matrix = {
        (a, b): (buildValue({"XAdvance": pairs.get((a[0], b[0]), 0)}), None) for a in firsts for b in seconds
    }
    lookup.LookupType = 2
    lookup.SubTable = [buildPairPosClassesSubtable(matrix, font.getReverseGlyphMap())]
    lookup.SubTableCount = 1
    font.flavor = "woff2"
    font.save(path)


for path in sys.argv[1:]:
    rewrite(path)
