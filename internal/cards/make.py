"""Makes the card's fonts. Run in a folder with the unpacked npm packages
@fontsource-variable/newsreader 5.3.0 (as newsreader/) and @expo-google-fonts/instrument-sans
0.4.2 (as instrument-sans/), with fonttools and brotli: python3 make.py OUTPUT_FOLDER

Newsreader comes in three parts (latin, latin-ext, vietnamese): each is fixed at one optical
size and weight, then they are merged. What the card does not use (hints, ligatures) goes.
"""
import os
import sys
from fontTools import merge, subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

OUT = sys.argv[1]
UNUSED = ["GSUB", "GDEF", "STAT", "HVAR", "MVAR", "avar", "prep", "gasp", "DSIG", "meta"]
# Hyphens and dashes that the fonts lack look like ones that they have.
ALIKE = {0x2010: 0x2D, 0x2011: 0x2D, 0x2012: 0x2013, 0x2212: 0x2013}


def newsreader(name, location):
    parts = []
    for part in ("latin", "latin-ext", "vietnamese"):
        font = TTFont(f"newsreader/files/newsreader-{part}-opsz-normal.woff2")
        font.flavor = None
        font = instancer.instantiateVariableFont(font, location)
        for table in UNUSED:
            if table in font:
                del font[table]
        parts.append(os.path.join(OUT, f"part-{part}.ttf"))
        font.save(parts[-1])
    save(merge.Merger().merge(parts), f"newsreader-{name}.ttf", f"Newsreader {name.title()}")
    for part in parts:
        os.remove(part)


def save(font, file, family):
    options = subset.Options()
    options.layout_features = ["kern"]
    options.hinting = False
    options.notdef_outline = True
    options.drop_tables += UNUSED
    s = subset.Subsetter(options)
    s.populate(unicodes=[*range(0x20, 0x2100), 0x2122])
    s.subset(font)
    # golang.org/x/image reads pair kerning, but not behind an extension lookup.
    for lookup in font["GPOS"].table.LookupList.Lookup:
        if lookup.LookupType == 9:
            lookup.SubTable = [t.ExtSubTable for t in lookup.SubTable]
            lookup.LookupType = lookup.SubTable[0].LookupType
    for cmap in font["cmap"].tables:
        for new, old in ALIKE.items():
            if old in cmap.cmap:
                cmap.cmap.setdefault(new, cmap.cmap[old])
    for id, text in ((1, family), (4, family), (6, family.replace(" ", ""))):
        font["name"].setName(text, id, 3, 1, 0x409)
    font.save(os.path.join(OUT, file))


newsreader("display", {"opsz": 72, "wght": 300})
newsreader("text", {"opsz": 14, "wght": 400})
for weight, folder in (("regular", "400Regular"), ("medium", "500Medium")):
    font = TTFont(f"instrument-sans/{folder}/InstrumentSans_{folder}.ttf")
    save(font, f"instrument-sans-{weight}.ttf", f"Instrument Sans {weight.title()}")
