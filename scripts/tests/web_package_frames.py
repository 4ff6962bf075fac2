#!/usr/bin/env python3
"""Frame costs of the npm package in three.js, in a headless Chromium, beside three's own SkinnedMesh in the same run.

Usage: web_package_frames.py SINEW MODEL.glb [METHOD,...] [CHARACTERS [ROUNDS]]. It needs what web_package_test.py needs.
"""
import sys
from pathlib import Path

import web_package_test as test

test.SINEW, model, *words = sys.argv[1:]
methods, characters, rounds = words + ["lbs,dqs,arc-spline", "1", "40"][len(words):]
page = test.Three()
page.setUpClass()
try:
    found = page.answer("measureFrames", Path(model), {}, methods=methods.split(","), count=int(characters), rounds=int(rounds))
finally:
    page.tearDownClass()
print("milliseconds of a frame, and as a multiple of SkinnedMesh's: median, least; of the script alone: median, least")
for way in found:
    figures = [(way[part][i], way[part][i] / found[0][part][i]) for part in ("whole", "script") for i in (0, 1)]
    print(f"{way['name']:38}" + "".join(f"{value:9.2f} {ratio:5.2f} x" for value, ratio in figures))
