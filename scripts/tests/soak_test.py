#!/usr/bin/env python3
"""Loads models over and over: nothing grows, nothing is left (docs/safety.md).

Usage: soak_test.py SOAKER [LOADS FRAMES]. With numbers: that many loads of all models of
../shared/models; without: a few of the program's own. Needs Xvfb for the window.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from window_driver import start_display

DEMOS = ["demo:humanoid", "demo:body-arm-splines", "demo:flexing-arm"]
KINDS = {".x", ".fbx", ".glb", ".gltf", ".iqm", ".dae", ".b3d", ".md5mesh", ".bvh", ".obj"}
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "models"


def models(folder):
    return sorted(str(p) for p in folder.rglob("*") if p.suffix.lower() in KINDS)


def main():
    soaker = os.path.abspath(sys.argv[1])
    long = len(sys.argv) > 3
    loads, frames = sys.argv[2:4] if long else ("15", "120")
    clicks = frames if long else "1200"
    display, environment = start_display()
    try:
        for kind, count in (("library", loads), ("pictures", loads), ("window", loads),
                            ("frames", frames), ("clicks", clicks)):
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
                print(f"{kind}:", flush=True)
                place = SHARED
                if long and kind == "clicks":  # which save beside their model
                    place = shutil.copytree(SHARED, Path(folder) / "models")
                names = DEMOS + (models(place) if long else [])
                run(kind, [soaker, kind, count, *names], folder,
                    {**environment, "XDG_CACHE_HOME": cache})  # the choices of --skin-on auto
    finally:
        display.terminate()
        display.wait()


def run(kind, command, folder, environment):
    """Ends with an error where the command fails, or leaves files that nobody asked for."""
    own = {"TMPDIR": folder, "HOME": folder, "XDG_CONFIG_HOME": folder}
    if kind == "clicks":  # which saves, and finds neither a file manager nor a film's encoder
        own["PATH"] = folder
    last = ""
    with subprocess.Popen(command, cwd=folder, env={**environment, **own}, text=True,
                          stdout=subprocess.PIPE) as process:
        for last in process.stdout:
            print(last, end="", flush=True)
    left = [] if kind == "clicks" else os.listdir(folder)
    ended = kind != "clicks" or "frames of clicks" in last
    if process.returncode != 0 or not ended or left:
        sys.exit(f"{kind}: exit code {process.returncode}, files left: {left}, last line: {last}")


if __name__ == "__main__":
    main()
