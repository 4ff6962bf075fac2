#!/usr/bin/env python3
"""Posed vertices of an FBX file as Blender (3.x or later) has them, in the file's own unit and axes with Y up.

Usage: blender_vertices.py FILE CLIP SECONDS [CLIP SECONDS ...]. Starts Blender without a window on this very file.
Prints a JSON array, per clip and time the positions [x, y, z, ...] of all meshes in the scene.
"""
import json
import os
import subprocess
import sys
import tempfile
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

COMPARE = Path(__file__).resolve().parents[1] / "compare_with_blender"


def main():
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        run = ["blender", "--background", "--factory-startup", "--python-exit-code", "2", "--python", __file__, "--", out.name]
        environment = dict(os.environ, PATH="/usr/local/bin:/usr/bin:/bin:" + os.environ.get("PATH", ""))
        result = subprocess.run(run + sys.argv[1:], capture_output=True, text=True, check=False, env=environment)
        if result.returncode != 0:
            sys.exit(result.stdout + result.stderr)
        print(Path(out.name).read_text(encoding="utf-8"))


def inside_blender(bpy):
    loader = SourceFileLoader("compare_with_blender", str(COMPARE))
    compare = module_from_spec(spec_from_loader("compare_with_blender", loader))
    loader.exec_module(compare)
    target, file, *moments = sys.argv[sys.argv.index("--") + 1:]
    compare.import_file(bpy, os.path.abspath(file))
    centimetres = 100.0  # Blender has metres
    out = []
    for clip, seconds in zip(moments[::2], moments[1::2]):
        compare.play(bpy, None if clip == "none" else clip.split("|")[-1], float(seconds), True)
        out.append([round(centimetres * x, 6) for p in compare.evaluated_vertices(bpy) for x in p])
    Path(target).write_text(json.dumps(out), encoding="utf-8")


if __name__ == "__main__":
    try:
        import bpy as blender
    except ImportError:
        blender = None
    if blender:
        inside_blender(blender)
    else:
        main()
