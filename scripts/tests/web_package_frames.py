#!/usr/bin/env python3
"""Frame costs of the npm package in a headless Chromium, beside linear blending by the engine itself in the same run.

Usage: web_package_frames.py SINEW three|babylon MODEL.glb [METHOD,...|all [CHARACTERS [ROUNDS]]]. It needs what
web_package_test.py needs. Frames of all ways are drawn in turn. CHARACTERS: several, and crowds of them, in three.js alone.
"""
import sys
from pathlib import Path

import web_package_test as test

test.SINEW, engine, model, *words = sys.argv[1:]
methods, characters, rounds = words + ["all", "1", "40"][len(words):]
page = {"three": test.Three, "babylon": test.Babylon}[engine]()
page.setUpClass()
try:
    found = page.answer("measureFrames", Path(model), {}, methods=test.METHODS if methods == "all" else methods.split(","),
                        count=int(characters), rounds=int(rounds))
finally:
    page.tearDownClass()
print("milliseconds of a frame, and as a multiple of linear blending's: median, least; of the script alone: the same")
for way in found:
    print(f"{way['name']:38}" + "".join(f"{way[part]['median']:9.2f} {way[part]['multiple']:5.2f} x{way[part]['least']:9.2f} "
                                        f"{way[part]['leastMultiple']:5.2f} x" for part in ("whole", "script")))
