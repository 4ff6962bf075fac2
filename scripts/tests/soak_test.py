#!/usr/bin/env python3
"""Loads models over and over: nothing grows, nothing is left (docs/safety.md).

Usage: soak_test.py SOAKER [LOADS FRAMES]. With numbers: that many loads of all models of
../shared/models; without: a few of the program's own. Needs Xvfb for the window.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from window_driver import start_display

DEMOS = ["demo:humanoid", "demo:body-arm-splines", "demo:flexing-arm"]
KINDS = {".x", ".fbx", ".glb", ".gltf", ".iqm", ".dae", ".b3d", ".md5mesh", ".bvh", ".obj"}


def models():
    shared = Path(__file__).resolve().parents[2].parent / "shared" / "models"
    return sorted(str(p) for p in shared.rglob("*") if p.suffix.lower() in KINDS)


def main():
    soaker = os.path.abspath(sys.argv[1])
    long = len(sys.argv) > 3
    loads, frames = sys.argv[2:4] if long else ("15", "120")
    names = DEMOS + (models() if long else [])
    display, environment = start_display()
    try:
        for kind, count in ("library", loads), ("pictures", loads), ("window", loads), ("frames", frames):
            with tempfile.TemporaryDirectory() as folder:
                print(f"{kind}:", flush=True)
                more = {"TMPDIR": folder, "XDG_CONFIG_HOME": folder}
                run = subprocess.run([soaker, kind, count, *names], cwd=folder,
                                     env={**environment, **more})
                if run.returncode != 0 or os.listdir(folder):
                    sys.exit(f"{kind}: exit code {run.returncode}, files left: {os.listdir(folder)}")
    finally:
        display.terminate()
        display.wait()


if __name__ == "__main__":
    main()
