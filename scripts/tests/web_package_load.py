#!/usr/bin/env python3
"""What `use` of the npm package costs at load, in node: the first call, of a file that sinew has bound and of the same
computed, without and with `prepare`.

Usage: web_package_load.py SINEW MODEL [METHOD,... [ROUNDS]]. It needs build/web_package (scripts/web_package), node, npm, and in
NODE_PATH the npm package three. Every call is in a process of its own, all in turn.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import web_package_test as test

test.SINEW, model, *words = sys.argv[1:]
methods, rounds = words + ["cor,ddm", "10"][len(words):]
folder = Path(tempfile.mkdtemp())
try:
    test.install_package(folder)
    test.link_packages(folder, {"three": "three"})
    shutil.copy(Path(__file__).with_name("web_package_load.mjs"), folder)
    taken = {}
    for method in methods.split(","):
        test.sinew("export", model, "--method", method, "-o", folder / f"{method}.glb")
    for _ in range(int(rounds)):
        for method in methods.split(","):
            for given in ([], [method], [method, "prepared"]):
                run = subprocess.run(["node", "web_package_load.mjs", f"{method}.glb", *given], cwd=folder, capture_output=True,
                                     text=True, check=True, timeout=120)
                found = json.loads(run.stdout)
                how = "the file's" if found["stored"] else given[-1] if len(given) == 2 else "computed"
                taken.setdefault((method, how), []).append(found["milliseconds"])
finally:
    shutil.rmtree(folder)
print("milliseconds of the first call of use: least, median")
for (method, how), values in taken.items():
    print(f"{method:16}{how:12}{min(values):9.1f}{sorted(values)[len(values) // 2]:9.1f}")
