#!/usr/bin/env python3
"""Every method of the npm package on models of others, in three.js, Babylon.js and PlayCanvas: the tables of docs/engines.md.

Usage: web_package_proof.py SINEW three|babylon|playcanvas MODEL... It needs what web_package_test.py needs. Models that are no
.glb are exported first. For five poses of the last clip it prints the largest distance of any vertex from the CPU references, in millionths of the model's size. For the last
pose, by some methods: how many pixels of a picture with its shadow differ from the picture of rigid meshes at these vertices,
and how far apart rays meet the two and bounding boxes are, in millionths.
"""
import json
import struct
import sys
from pathlib import Path

import web_package_test as test

PICTURED = ["dqs", "arc-spline", "cor", "ddm"]


def stated_options(model, method, folder):
    """What `sinew export --method` writes of the method into the file."""
    test.sinew("export", model, "--method", method, "-o", folder / "stated.glb")
    glb = (folder / "stated.glb").read_bytes()
    gltf = json.loads(glb[20:20 + struct.unpack_from("<I", glb, 12)[0]])
    return next(node["extras"]["sinew"]["skinning"] for node in gltf["nodes"] if "sinew" in node.get("extras", {}))


def prove(page, model):
    clip = len(json.loads(test.sinew("info", model, "--json"))["clips"]) - 1
    words = ("--clip", clip) if clip >= 0 else ()
    stated = {method: stated_options(model, method, page.dir) for method in test.METHODS}
    vectors = page.vectors(model, "--method", "all", "--poses", "5", *words)
    found = page.answer("compareVertices", model, vectors, stated=stated)
    yield "vertices", [f"{1e6 * max(found[method]['vertices']):.1f}" for method in test.METHODS]
    pictures = {}
    for method in PICTURED:
        one = page.vectors(model, "--method", method, "--poses", "5", *words)
        shown = page.answer("comparePictures", model, one, method=method, pose=len(one["poses"]) - 1, stated=stated[method])
        pictures[method] = shown
    for figure, key, factor, digits in (("pixels, %", "differs", 100, 2), ("rays", "rays", 1e6, 1), ("bounds", "bounds", 1e6, 1)):
        yield figure, [f"{factor * pictures[method][key]:.{digits}f}" if method in pictures else "" for method in test.METHODS]


test.SINEW, engine, *models = sys.argv[1:]
page = {"three": test.Three, "babylon": test.Babylon, "playcanvas": test.PlayCanvas}[engine]()
page.setUpClass()
print(f"| {engine} | figure | " + " | ".join(test.METHODS) + " |\n|---|---|" + "---:|" * len(test.METHODS))
try:
    for model in map(Path, models):
        glb = model
        if model.suffix != ".glb":
            glb = page.dir / "exported.glb"
            test.sinew("export", model, "-o", glb)
        for figure, values in prove(page, glb):
            print(f"| {model.name} | {figure} | " + " | ".join(values) + " |", flush=True)
finally:
    page.tearDownClass()
