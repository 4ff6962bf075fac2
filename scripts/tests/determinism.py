#!/usr/bin/env python3
"""The same command writes the same bytes: in every run, on one core or all, with memory
filled before its first use, by any build (docs/safety.md). scripts/determinism runs this with a build of -O2.

Usage: determinism.py RUNS SINEW [OTHER...]. Prints a table; exit code 1 where bytes differ.
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 300  # seconds for one command, on a busy machine

# MODEL is a rigged character as .glb. A command writes OUT with any extension, or else its stdout
# counts. The quick ones are part of safety_test.py.
QUICK = {
    "picture": "render MODEL --clip walk --time 0.4 --method lbs,arc-spline --size 160x160 -o OUT.png",
    "model": "export MODEL -o OUT.glb",
    "mesh": "export MODEL --clip walk --time 0.7 --method ddm -o OUT.ply",
    "weights, automatic": "weights demo:arm --skeleton demo:arm -o OUT.json",
    "weights, bone glow": "weights demo:arm --skeleton demo:arm --algorithm bone-glow -o OUT.json",
    "fall, Bullet": "ragdoll demo:humanoid --from-clip walk --seconds 1 --solver bullet --json",
    "report": "compare demo:arm --method lbs,dqs --samples 1 --no-time --no-pictures -o OUT.html",
    "info": "info MODEL --json",
    "zones": "zones MODEL --json",
}
MORE = {
    "mesh by the shader": "export MODEL --time 0.3 --method stbs --skin-on vertex-shader -o OUT.obj",
    "pictures of a clip": "render MODEL --clip walk --frames 3 --size 96x96 -o OUT",
    "picture, by the CPU": "render MODEL --time 0.3 --skin-on cpu --method all --size 320x64 -o OUT.png",
    "picture, all methods": "render MODEL --time 0.3 --skin-on vertex-shader --method all --size 320x64 -o OUT.png",
    "weights, bone heat": "weights demo:arm --skeleton demo:arm --algorithm bone-heat -o OUT.json",
    "weights on voxels": "weights demo:arm --skeleton demo:arm --proxy voxel -o OUT.json",
    "weights by a template": "weights demo:humanoid --skeleton template:humanoid -o OUT.glb",
    "fall, severity": "ragdoll demo:humanoid --from-clip walk --seconds 1 --solver severity -o OUT.glb",
    "fall, reduced": "ragdoll demo:humanoid --from-clip walk --seconds 1 --solver reduced --json",
    "bake": "bake MODEL --method arc-spline --helpers 2 --morphs 1 --poses 32 --clip walk -o OUT.glb",
    "page": "page MODEL --method lbs,ddm --clip walk -o OUT.html",
    "report with pictures": "compare MODEL --method lbs,dqs --samples 2 --no-time -o OUT.html",
    "measurements": "compare MODEL --method all --samples 2 --no-time -o OUT.json",
    "figure": "figure bg-arm -o OUT",
    "shader": "shader arc-spline -o OUT.vert",
}

# Ways of running a program: what is added to its environment, and whether it has one core.
WAYS = [({}, False), ({}, True), ({"MALLOC_PERTURB_": "165"}, False)]


def one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def without_times(text):
    """JSON without what was measured with a clock."""
    try:
        report = json.loads(text)
    except ValueError:
        return text
    return json.dumps({k: v for k, v in report.items() if not any(w in k for w in ("ms", "seconds"))})


def run(program, words, way, folder):
    """What the command writes: a hash of each file's name and bytes, and of stdout where there is
    no file."""
    environment, alone = way
    ran = subprocess.run([program, *words], cwd=folder, env={**os.environ, **environment},
                         preexec_fn=one_core if alone else None, capture_output=True, text=True,
                         timeout=PATIENCE)
    if ran.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: exit code {ran.returncode}\n{ran.stderr}")
    found = hashlib.sha256()
    files = sorted(p for p in Path(folder).rglob("*") if p.is_file())
    for file in files:
        found.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    if not files:
        found.update(without_times(ran.stdout).encode())
    return found.hexdigest()


def outputs(command, programs, runs, model):
    """For each program and way, the hashes of so many runs in all, shared among them."""
    kinds = [(program, way) for program in programs for way in WAYS]
    words = [str(model) if word == "MODEL" else word for word in command.split()]
    found = {}
    for i in range(max(runs, len(kinds))):
        with tempfile.TemporaryDirectory() as folder:
            kind = i % len(kinds)
            program, way = kinds[kind]
            found.setdefault(kind, set()).add(run(program, words, way, folder))
    return found


def character(program, folder):
    model = Path(folder) / "character.glb"
    subprocess.run([program, "export", "demo:humanoid", "-o", model, "--quiet"], check=True,
                   timeout=PATIENCE, stdout=subprocess.DEVNULL)
    return model


def main():
    runs = int(sys.argv[1])
    programs = [os.path.abspath(p) for p in sys.argv[2:]]
    differ = 0
    print(f"{'output':24} runs outputs seconds")
    with tempfile.TemporaryDirectory() as folder:
        model = character(programs[0], folder)
        for name, command in {**QUICK, **MORE}.items():
            started = time.monotonic()
            found = outputs(command, programs, runs, model)
            different = len(set().union(*found.values()))
            print(f"{name:24} {max(runs, len(programs) * len(WAYS)):4} {different:7} "
                  f"{time.monotonic() - started:7.1f}", flush=True)
            if different > 1:
                differ += 1
                for kind, hashes in sorted(found.items()):
                    program, (environment, alone) = programs[kind // len(WAYS)], WAYS[kind % len(WAYS)]
                    how = " ".join([*(f"{k}={v}" for k, v in environment.items()), *["one core"] * alone])
                    print(f"  {program} {how}: {' '.join(sorted(h[:8] for h in hashes))}", flush=True)
    sys.exit(f"{differ} of the outputs differ" if differ else 0)


if __name__ == "__main__":
    main()
