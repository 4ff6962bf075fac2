#!/usr/bin/env python3
"""Pages and shaders in the programs that they are for: a headless Chromium, glslangValidator.

Usage: page_test.py SINEW. Tests that need a program that is not installed are skipped: chromium,
glslang-tools, spirv-cross. Models of ../shared/models are read where they are.
"""
import base64
import functools
import html
import http.server
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib
from pathlib import Path

import window_driver  # its reader of PNG files
from browser import Browser

SINEW = ""
SHARED = Path(__file__).resolve().parents[3] / "shared" / "models"
METHODS = ["rigid", "lbs", "dqs", "bones-blending", "arc-spline", "bezier-spline", "cor", "stbs", "ddm", "per-joint"]


def sinew(*words):
    return subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, timeout=900)


def needs(*programs):
    missing = [p for p in programs if shutil.which(p) is None]
    return unittest.skipIf(missing, f"needs {', '.join(missing)}")


def data_of(text):
    """The description in a page, and its arrays' bytes."""
    packed = re.search(r'<script id="data"[^>]*>([^<]*)<', text)[1]
    data = zlib.decompress(base64.b64decode(packed))
    length = struct.unpack_from("<I", data)[0]
    return json.loads(data[4:4 + length]), data[4 + length:]


def pixels(path, left=0, width=None):
    """Rows of pixels, of these columns."""
    whole, _, rows = window_driver.read_png(path)
    return [row[left:left + (width or whole)] for row in rows]


def off(ours, theirs, rows=slice(None)):
    """The share of pixels that differ by more than 8 of 255, within some of the rows."""
    assert (len(ours), len(ours[0])) == (len(theirs), len(theirs[0]))
    pairs = [pair for a, b in zip(ours[rows], theirs[rows]) for pair in zip(a, b)]
    return sum(max(abs(p - q) for p, q in zip(a, b)) > 8 for a, b in pairs) / len(pairs)


class Pages(unittest.TestCase):
    # Edges are drawn a little differently by two software renderers: up to 0.0093 of small pictures.
    THRESHOLD = 0.012

    # Presses and moves, then says what the page shows and what its address has become.
    HAND = """
(async () => {
  for (const key of [" ", "Home", "ArrowRight", "ArrowRight", "d", "s", "g", "2"])
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  const canvas = document.getElementById("canvas");
  canvas.setPointerCapture = () => {};
  const touch = (type, pointerId, clientX, clientY) =>
      canvas.dispatchEvent(new PointerEvent(type, {pointerId, clientX, clientY, buttons: 1, bubbles: true}));
  touch("pointerdown", 1, 100, 100);
  touch("pointermove", 1, 150, 120);
  touch("pointerdown", 2, 250, 120);
  touch("pointermove", 2, 350, 120);
  touch("pointerup", 1, 150, 120);
  touch("pointerup", 2, 350, 120);
  while (!location.hash.includes("difference=1")) await new Promise(done => setTimeout(done, 20));
  return {
    address: location.hash.slice(1),
    fits: document.documentElement.scrollWidth <= innerWidth,
    hidden: document.getElementById("controls").hidden,
    message: document.getElementById("message").textContent,
    captions: [...document.querySelectorAll("#captions b")].map(caption => caption.textContent),
    weights: [...document.getElementById("weights").options].map(option => option.value),
  };
})()
"""

    # Looks for a joint where it is, drags it, once with Shift, and says the address.
    ROTATE = """
(async () => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "p", bubbles: true}));
  const canvas = document.getElementById("canvas"), joint = document.getElementById("joint");
  canvas.setPointerCapture = () => {};
  const mouse = (type, clientX, clientY, shiftKey) => canvas.dispatchEvent(
      new PointerEvent(type, {pointerId: 1, clientX, clientY, shiftKey, button: 0, buttons: type === "pointerup" ? 0 : 1, bubbles: true}));
  const found = () => {
    for (let y = 4; y < innerHeight / 2; y += 4)
      for (let x = 4; x < innerWidth; x += 4) {
        mouse("pointerdown", x, y);
        mouse("pointerup", x, y);
        if (joint.selectedOptions[0].textContent === "LeftLowerArm") return [x, y];
      }
  };
  joint.value = 0;
  const [x, y] = found();
  for (const [dx, dy, shift] of [[25, -35, false], [30, 0, true]]) {
    mouse("pointerdown", x, y, shift);
    mouse("pointermove", x + dx, y + dy, shift);
    mouse("pointerup", x + dx, y + dy, shift);
  }
  while (!location.hash.includes("rotate=")) await new Promise(done => setTimeout(done, 20));
  return {address: location.hash.slice(1), names: [...joint.options].map(option => option.textContent),
          captions: [...document.querySelectorAll("#captions span")].map(caption => caption.textContent),
          playing: document.getElementById("play").textContent === "Pause",
          fits: document.documentElement.scrollWidth <= innerWidth};
})()
"""

    # How far the rows that a page's program packs are from those in the tables of the same page without it:
    # by method the share of the largest number.
    PACKED = """
const fs = require("fs"), vm = require("vm");
const [page, tables, folder] = process.argv.slice(1);
const findDataText = file => fs.readFileSync(file, "utf8").match(/<script id="data"[^>]*>([^<]*)</)[1];
globalThis.texts = [page, tables].map(findDataText);
for (const file of ["data.js", "camera.js", "posing.js"])
  vm.runInThisContext(fs.readFileSync(`${folder}/${file}`, "utf8"));
vm.runInThisContext(`(async () => {
  const data = await readData(texts[0]), posing = await loadPosing(data), out = {};
  const {bytes, clips: [clip]} = await readData(texts[1]);
  const [{transforms, displacements, poses}] = data.clips, first = table => new Channels(data.bytes, table, poses).read(0, []);
  posing.begin(first(transforms), "", displacements ? first(displacements) : []);
  clip.methods.forEach((table, m) => {
    const rows = new Channels(bytes, table, clip.poses).read(0, []), packed = posing.methods[m];
    const largest = Math.max(...rows.map(Math.abs)), off = Math.max(...rows.map((x, i) => Math.abs(x - packed.rows[i])));
    const same = rows.length === packed.rows.length && table.nonUniformScale === Boolean(packed.nonUniformScale);
    out[data.methods[m].name] = same ? off / largest : 1;
  });
  return out;
})()`).then(out => console.log(JSON.stringify(out)), error => {
  console.error(error.message);
  process.exit(1);
});
"""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser() if shutil.which("chromium") else None

    @classmethod
    def tearDownClass(cls):
        if cls.browser:
            cls.browser.close()

    def setUp(self):
        self.dir = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)

    def fails(self, code, *words, says=()):
        run = sinew(*words)
        self.assertEqual(run.returncode, code, run.stderr)
        for word in says:
            self.assertIn(word, run.stderr.splitlines()[-1])

    def page(self, *words):
        path = self.dir / "page.html"
        run = sinew("page", *words, "-o", path, "--json", "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        return path, json.loads(run.stdout)

    def shots(self, *pictures):
        """(name, url, (width, height)) each; nothing may be written to the console."""
        for name, url, size in pictures:
            _, messages = self.browser.show(url, *size, picture=self.dir / name)
            self.assertEqual(messages, [], name)
        return [self.dir / name for name, *_ in pictures]

    def render(self, name, *words):
        # Pages have no shadows, and the background of their theme.
        path = self.dir / name
        run = sinew("render", "--no-shadows", "--no-contact-shadow", "--background", "0.52,0.53,0.55", *words,
                    "--samples", 4, "--quiet", "-o", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        return path

    def test_a_page_says_what_it_is(self):
        path, said = self.page("demo:humanoid", "--method", "lbs,dqs,arc-spline", "--clip", "walk", "--clip", "wave")
        self.assertLess(said["bytes"], 2_000_000)
        self.assertEqual(said["bytes"], path.stat().st_size)
        self.assertEqual([said["clips"], said["poses"]], [2, 142])
        self.assertTrue(said["rounded"])
        self.assertLess(said["error_percent"], 0.01)
        text = path.read_text()
        # One file that asks no other for anything.
        self.assertIsNone(re.search(r'(src|href)\s*=\s*["\'](?!data:|#)|https?://|@import|url\(', text))
        data, _ = data_of(text)
        self.assertEqual([m["name"] for m in data["methods"]], ["lbs", "dqs", "arc-spline"])
        self.assertEqual([c["name"] for c in data["clips"]], ["walk", "wave"])
        self.assertEqual(re.findall("<summary>Numbers: (.*)</summary>", text),
                         [f"clip {clip}, 10 moments of {seconds} s" for clip, seconds in [("walk", "1.10"), ("wave", "4.00")]])
        # What two methods have in common is there once.
        joints = [m["attributes"][0]["at"] for m in data["mesh"]["methods"]]
        self.assertEqual(joints[0], joints[1])
        _, exact = self.page("demo:humanoid", "--exact", "--no-numbers")
        self.assertFalse(exact["rounded"])
        self.assertEqual(exact["error_percent"], 0)

    def test_bad_input(self):
        out = self.dir / "a.html"
        self.fails(2, "page", "demo:arm", "-o", self.dir / "a.pdf", says=["a.pdf", ".html"])
        self.fails(2, "page", "demo:arm")
        self.fails(2, "page", "demo:arm", "-o", out, "--clip", "nothing", says=["nothing"])
        self.fails(2, "page", "demo:arm", "-o", out, "--fps", "0", says=["fps"])
        self.fails(2, "page", "demo:arm", "-o", out, "--weights", "Tail", says=["Tail"])
        self.fails(2, "page", "demo:arm", "-o", self.dir / "no" / "a.html", says=["no"])
        self.fails(3, "page", self.dir / "none.fbx", "-o", out, says=["none.fbx"])
        skeleton = self.dir / "bones.bvh"
        skeleton.write_text("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                            "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n")
        self.fails(3, "page", skeleton, "-o", out, says=["bones.bvh", "triangles"])
        self.assertFalse(out.exists())

    @needs("chromium")
    def test_every_method_is_the_picture_that_render_draws(self):
        # Under a picture's light: blue from above, orange from below.
        sky = self.dir / "sky.hdr"
        sky.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 32 +X 64\n"
                        + bytes([40, 80, 200, 130]) * 1024 + bytes([200, 60, 20, 124]) * 1024)
        view = ["demo:humanoid", "--clip", "stretch", "--camera", "20,5,0.8", "--light-from", sky]
        for joint, method in [("LeftLowerArm", "bones-blending"), ("RightLowerArm", "arc-spline"), ("Head", "dqs")]:
            view += ["--zone", f"{joint}:method={method}"]
        methods = [*METHODS, "arc-spline:directions=texture:normals=cheap"]
        path, _ = self.page(*view, "--method", ",".join(methods), "--no-numbers", "--fps", "2")
        # Attributes for which there are no locations, floats and bytes.
        data, _ = data_of(path.read_text())
        textures = {texture["name"] for method in data["mesh"]["methods"] for texture in method["further"]}
        self.assertEqual(textures, {"furtherAttributes", "furtherDirections"})
        # A row of cells with two pixels between them.
        width, height = 160, 180
        shot, = self.shots(("all.png", f"file://{path}#ui=0&frame=pose&theme=dark&time=2",
                            (len(methods) * (width + 2) - 2, height)))
        for i, method in enumerate(methods):
            drawn = self.render(f"{method}.png", *view, "--time", "2", "--method", method, "--size", f"{width}x{height}")
            self.assertLess(off(pixels(shot, i * (width + 2), width), pixels(drawn)), self.THRESHOLD, method)

    @needs("chromium")
    def test_differences_weights_and_what_a_phone_shows(self):
        view = ["demo:humanoid", "--clip", "stretch", "--camera", "20,5,0.8"]
        scale = ["--difference-scale", "5"]
        path, _ = self.page(*view, *scale, "--method", "lbs,arc-spline", "--no-numbers", "--fps", "2")
        address = f"file://{path}#frame=pose&theme=dark&time=2"
        shots = self.shots(
            ("difference.png", address + "&ui=0&method=arc-spline&difference=1", (300, 300)),
            ("weights.png", address + "&ui=0&method=lbs&weights=LeftLowerArm&skeleton=1&grid=0", (300, 300)),
            ("phone.png", address.replace("dark", "light"), (390, 844)))
        drawn = self.render("d.png", *view, *scale, "--time", "2", "--method", "arc-spline", "--difference", "lbs",
                            "--size", "300x300")
        # Between caption and legend.
        self.assertLess(off(pixels(shots[0]), pixels(drawn), slice(60, 200)), self.THRESHOLD)
        drawn = self.render("w.png", *view, "--time", "2", "--show", "skeleton,weights:LeftLowerArm,no-grid",
                            "--size", "300x300")
        # The page shows which joint it is.
        self.assertLess(off(pixels(shots[1]), pixels(drawn)), 2 * self.THRESHOLD)
        self.assertGreater(window_driver.colors(shots[2]), 50)
        # A reader who presses keys, turns the view with one finger and zooms with two.
        said, messages = self.browser.show(address, 390, 844, self.HAND)
        self.assertEqual(messages, [])
        self.assertFalse(said["hidden"])
        self.assertEqual(said["message"], "")
        self.assertEqual(said["captions"], ["Arc-spline"])
        self.assertIn("LeftLowerArm", said["weights"])
        self.assertTrue(said["fits"])
        words = dict(word.split("=") for word in said["address"].split("&"))
        self.assertEqual((words["method"], words["difference"], words["skeleton"], words["grid"]), ("2", "1", "1", "0"))
        self.assertAlmostEqual(float(words["time"]), 1.0) # paused at the beginning, and two poses on
        yaw, pitch, zoom = map(float, words["camera"].split(","))
        self.assertAlmostEqual(yaw, 20 - 0.008 * 50 * 180 / 3.14159265, delta=0.01)
        self.assertAlmostEqual(pitch, 5 + 0.008 * 20 * 180 / 3.14159265, delta=0.01)
        self.assertAlmostEqual(zoom, 0.8 * 100 / 200, delta=0.001)
        self.assertIn("shift", words)

    @needs("chromium")
    def test_a_moment_between_two_poses_is_the_one_that_was_asked_for(self):
        view = ["demo:humanoid", "--clip", "walk", "--camera", "20,5,1"]
        path, said = self.page(*view, "--method", "lbs,dqs,arc-spline", "--no-numbers", "--fps", "30")
        self.assertTrue(said["posing"])
        for method in ("dqs", "arc-spline"):
            address = f"file://{path}#frame=pose&theme=dark&ui=0&time=0.15&method={method}"
            shot, = self.shots((f"{method}.png", address, (300, 300)))
            drawn = self.render(f"{method}.r.png", *view, "--time", "0.15", "--method", method, "--size", "300x300")
            self.assertLess(off(pixels(shot), pixels(drawn)), self.THRESHOLD)
        read = "[document.getElementById('clock').textContent, ...[...document.querySelectorAll('#captions span')].map(s => s.textContent)]"
        texts, messages = self.browser.show(f"file://{path}#time=0.15&difference=1", 900, 400, read)
        self.assertEqual(messages, [])
        self.assertEqual(texts[0], "0.15 of 1.10 s")
        # Distances of the same moment: those of poses 0.05 s apart are five times as large in the mean.
        for text in texts[2:]:
            self.assertLess(float(re.search(r"mean ([0-9.e-]+) %", text)[1]), 0.1, text)
        # Without its program the page shows the nearest pose of these methods, and says which.
        path, _ = self.page(*view, "--method", "arc-spline", "--no-numbers", "--fps", "10", "--no-posing")
        texts, _ = self.browser.show(f"file://{path}#time=0.16", 900, 400, read)
        self.assertEqual(texts[0], "0.20 of 1.10 s")

    @needs("chromium")
    def test_a_phone_has_controls_for_fingers_and_captions_above_the_views(self):
        path, _ = self.page("demo:humanoid", "--clip", "walk", "--method", "lbs,dqs,arc-spline", "--no-numbers", "--fps", "5")
        read = """({
          small: [...document.querySelectorAll("#controls button, #controls select, #controls input, summary")]
              .filter(each => each.offsetParent && each.getBoundingClientRect().height < 44).map(each => each.id),
          captions: [...document.querySelectorAll("#captions div")].map(each => each.getBoundingClientRect())
              .map(({left, top, bottom}) => ({left, top, bottom})), fits: document.documentElement.scrollWidth <= innerWidth})"""
        for address in ("#time=0", "#time=0&difference=1", "#time=0&pose=1"):
            shot = self.dir / "phone.png"
            said, messages = self.browser.show(f"file://{path}{address}", 390, 844, read, shot, touch=True)
            self.assertEqual(messages, [])
            self.assertEqual(said["small"], [])
            self.assertTrue(said["fits"])
            # Behind a caption lies one colour, to its lower edge, and no view.
            rows = pixels(shot)
            for box in said["captions"]:
                left, top, bottom = int(box["left"]) + 2, int(box["top"]) + 1, int(box["bottom"])
                self.assertEqual(rows[top][left], rows[bottom - 2][left])
                self.assertNotEqual(rows[top][left], rows[bottom + 30][left])
        # Also for a long model.
        path, _ = self.page(SHARED / "fox/Fox.glb" if (SHARED / "fox").exists() else "demo:tentacle",
                            "--method", "lbs,dqs,arc-spline", "--no-numbers", "--fps", "5")
        said, _ = self.browser.show(f"file://{path}#time=0", 1600, 800, read)
        self.assertEqual(len({box["top"] for box in said["captions"]}), 1)

    @needs("chromium")
    def test_a_page_has_a_policy_and_says_where_another_forbids_its_script(self):
        path, _ = self.page("demo:arm", "--method", "lbs", "--no-numbers", "--fps", "2")
        text = path.read_text(encoding="utf-8")
        allowed = html.unescape(re.search(r"<code>([^<]*)</code>", text)[1])
        self.assertIn("'sha256-", allowed)
        self.assertNotIn("'unsafe-inline'", allowed.split("style-src")[0])
        policies = {"/none": None, "/self": "default-src 'self'", "/script": "script-src 'self'",
                    "/allowed": f"default-src 'none'; {allowed}"}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                if policies.get(self.path):
                    self.send_header("Content-Security-Policy", policies[self.path])
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *words):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        read = "(b => b && getComputedStyle(b).visibility)(document.getElementById('blocked'))"
        for name in policies:
            show = functools.partial(self.browser.show, f"http://127.0.0.1:{server.server_port}{name}", 600, 400, read)
            if name in ("/none", "/allowed"):
                found, messages = show()
                self.assertEqual((found, messages), (None, []), name)
            else:
                found, _ = show(drawn="new Promise(done => setTimeout(done, 4500))")
                self.assertEqual(found, "visible", name)

    @needs("node")
    def test_its_program_packs_what_the_tables_say(self):
        random.seed(7)
        assets = Path(__file__).resolve().parents[2] / "assets" / "page"
        models = {"demo:humanoid": [], "demo:flexing-arm": [], "demo:body-arm-splines": [],
                  "demo:body-arm": ["--zone", "Elbow:method=arc-spline"]}
        for number, (model, words) in enumerate(models.items()):
            poses = self.dir / "pose.json"
            self.assertEqual(sinew("export", model, "-o", poses).returncode, 0)
            pose = json.loads(poses.read_text())
            for node in pose["nodes"].values():
                # Rotations that are none are rounding, and so would be their axes.
                axis = [random.gauss(0, 1) for _ in range(3)]
                half = random.uniform(0.2, 1.2)
                length = math.hypot(*axis)
                node["rotation"] = [*(math.sin(half) * x / length for x in axis), math.cos(half)]
                if number % 2:
                    node["scale"] = [random.uniform(0.8, 1.2) for _ in range(3)]
                    node["twist"] = random.uniform(-10, 10)
            poses.write_text(json.dumps(pose))
            path, said = self.page(model, *words, "--method", "all", "--pose", poses, "--exact", "--no-numbers")
            self.assertEqual((said["posing"], said["fixed_because"]), (True, ""))
            tables = self.dir / "tables.html"
            path.rename(self.dir / "program.html")
            self.page(model, *words, "--method", "all", "--pose", poses, "--exact", "--no-numbers",
                      "--no-posing")[0].rename(tables)
            run = subprocess.run(["node", "-e", self.PACKED, self.dir / "program.html", tables, assets], capture_output=True, text=True, timeout=900)
            stale = "assets/page/pose.wasm is out of date: run scripts/pose_module"
            self.assertEqual(run.returncode, 0, f"{stale}\n{run.stderr}")
            for method, off_by in json.loads(run.stdout).items():
                with self.subTest(model=model, method=method):
                    self.assertLess(off_by, 1e-5, stale)

    @needs("node")
    def test_its_program_packs_what_velocities_do(self):
        assets = Path(__file__).resolve().parents[2] / "assets" / "page"
        words = ["demo:humanoid", "--clip", "walk", "--drag", "0.4", "--squash", "0.1", "--method", "all", "--range-start",
                 "0.3", "--range-end", "0.4", "--exact", "--no-numbers"]
        tables = self.page(*words, "--no-posing")[0].rename(self.dir / "tables.html")
        path, _ = self.page(*words)
        run = subprocess.run(["node", "-e", self.PACKED, path, tables, assets], capture_output=True, text=True, timeout=900)
        self.assertEqual(run.returncode, 0, run.stderr)
        for method, off_by in json.loads(run.stdout).items():
            with self.subTest(method=method):
                self.assertLess(off_by, 1e-5)

    @needs("chromium")
    def test_skin_follows_velocities(self):
        view = ["demo:humanoid", "--clip", "walk", "--camera", "20,5,1"]
        moves = ["--drag", "0.4", "--squash", "0.1"]
        path, _ = self.page(*view, *moves, "--method", "dqs,arc-spline", "--no-numbers", "--fps", "30")
        for method, time in (("dqs", 0.3), ("arc-spline", 0.35)):  # a pose of the page, and one between two
            address = f"file://{path}#frame=pose&theme=dark&ui=0&time={time}&method={method}"
            shot, = self.shots((f"{method}.png", address, (300, 300)))
            view_then = [*view, "--time", time, "--method", method, "--size", "300x300"]
            drawn, still = (pixels(self.render(f"{method}{len(more)}.png", *view_then, *more)) for more in (moves, []))
            self.assertLess(off(pixels(shot), drawn), self.THRESHOLD, method)
            self.assertGreater(off(still, drawn), 2 * self.THRESHOLD, method)

    def test_a_page_without_its_program(self):
        path, said = self.page("demo:arm", "--no-posing", "--no-numbers")
        self.assertEqual((said["posing"], said["fixed_because"]), (False, "it was left out"))
        data, _ = data_of(path.read_text())
        self.assertNotIn("posing", data)
        self.assertNotIn("transforms", data["clips"][0])

    @needs("chromium")
    def test_joints_are_rotated_by_the_mouse(self):
        view = ["demo:humanoid", "--camera", "20,5,0.8"]
        for joint, method in [("LeftUpperArm", "bones-blending"), ("Head", "dqs")]:
            view += ["--zone", f"{joint}:method={method}"]
        path, _ = self.page(*view, "--clip", "stretch", "--method", ",".join(METHODS), "--no-numbers", "--fps", "2")
        address = f"file://{path}#frame=pose&theme=dark&time=2"
        said, messages = self.browser.show(address + "&difference=1&method=lbs,arc-spline", 390, 844, self.ROTATE)
        self.assertEqual(messages, [])
        self.assertFalse(said["playing"])
        self.assertTrue(said["fits"])
        self.assertTrue(any(caption.startswith("largest") for caption in said["captions"]), said["captions"])
        words = dict(word.split("=") for word in said["address"].split("&"))
        self.assertEqual(float(words["time"]), 2)
        turns = {}
        for word in words["rotate"].split(";"):
            joint, *vector = word.split(",")
            turns[said["names"][int(joint)]] = [math.radians(float(x)) for x in vector]
        self.assertGreater(math.hypot(*turns["LeftLowerArm"]), 0.3)

        poses = self.dir / "pose.json"
        self.assertEqual(sinew("export", "demo:humanoid", "--clip", "stretch", "--time", "2", "-o", poses).returncode, 0)
        pose = json.loads(poses.read_text())
        for name, vector in turns.items():
            node, angle = pose["nodes"][name], math.hypot(*vector)
            (ax, ay, az, aw), (bx, by, bz) = node["rotation"], [math.sin(angle / 2) * x / angle for x in vector]
            bw = math.cos(angle / 2)
            node["rotation"] = [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
                                aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]
        poses.write_text(json.dumps(pose))
        width, height = 160, 180
        size = (len(METHODS) * (width + 2) - 2, height)
        shot, still = self.shots(("turned.png", f"{address}&ui=0&rotate={words['rotate']}", size),
                                 ("still.png", f"{address}&ui=0", size))
        self.assertGreater(off(pixels(shot), pixels(still)), self.THRESHOLD)
        for i, method in enumerate(METHODS):
            drawn = self.render("a.png", *view, "--pose", poses, "--method", method, "--size", f"{width}x{height}")
            with self.subTest(method=method):
                self.assertLess(off(pixels(shot, i * (width + 2), width), pixels(drawn)), self.THRESHOLD)

    @needs("chromium")
    def test_morph_targets_move(self):
        view = ["demo:flexing-arm", "--camera", "20,5,0.8"]
        view += ["--method", "lbs,bones-blending,arc-spline"]
        path, said = self.page(*view, "--no-numbers", "--fps", "2")
        self.assertEqual(said["still_morphs"], 0)
        clip, = data_of(path.read_text())[0]["clips"]
        bent = 0.5 * (clip["poses"] - 1) / clip["framesPerSecond"]
        times = [0, bent]
        shots = self.shots(*[(f"{time}.png", f"file://{path}#ui=0&frame=pose&theme=dark&time={time}", (240, 400))
                             for time in times])
        for shot, time in zip(shots, times):
            drawn = self.render(f"drawn{time}.png", *view, "--time", time, "--size", "240x400")
            for top in (0, 134, 268):  # tops of the views, whose captions are above in the page, below in the picture
                self.assertLess(off(pixels(shot), pixels(drawn), slice(top + 40, top + 100)), self.THRESHOLD, (time, top))
        self.assertGreater(off(*[pixels(shot) for shot in shots]), 0.1)

    @needs("chromium")
    def test_a_shape_is_set_by_hand(self):
        view = ["demo:flexing-arm", "--clip", "none", "--camera", "20,5,0.8", "--method", "lbs"]
        path, _ = self.page(*view, "--no-numbers", "--shapes")
        names = [morph["name"] for morph in data_of(path.read_text())[0]["mesh"]["morphs"]]
        self.assertEqual(names, ["biceps", "triceps", "forearm", "reach"])
        shots = self.shots(*[(f"{end}.png", f"file://{path}#ui=0&frame=pose&theme=dark{shape}", (240, 240))
                             for end, shape in enumerate(["", "&shape=0,0.8;3,0.5"])])
        drawn = self.render("drawn.png", *view, "--morph", "biceps=0.8,reach=0.5", "--size", "240x240")
        self.assertGreater(off(*[pixels(shot) for shot in shots]), self.THRESHOLD)
        self.assertLess(off(pixels(shots[1]), pixels(drawn), slice(40, 238)), self.THRESHOLD)

    @needs("chromium")
    def test_a_model_of_others(self):
        fox = SHARED / "fox" / "Fox.glb"
        if not fox.exists():
            self.skipTest("needs fox/Fox.glb")
        def shown(method, *poses, words=()):
            path, _ = self.page(fox, "--clip", "Run", "--method", method, "--no-numbers", *words)
            clip, = data_of(path.read_text())[0]["clips"]
            times = clip["times"]  # one of its keys is between even poses
            def find_time(pose):
                before = int(pose)
                return times[before] + (pose - before) * (times[before + 1] - times[before])
            shots = self.shots(*[(f"{pose}.png", f"file://{path}#ui=0&frame=pose&theme=dark&time={find_time(pose)}", (300, 300))
                                 for pose in poses])
            return find_time(poses[0]), clip["methods"][0].get("smooth"), *[pixels(shot) for shot in shots]

        time, _, ours = shown("arc-spline", 15)
        drawn = self.render("b.png", fox, "--clip", "Run", "--time", time, "--method", "arc-spline", "--size", "300x300")
        self.assertLess(off(ours, pixels(drawn)), self.THRESHOLD)
        # Between two poses the page interpolates, also without its program.
        for words in ((), ("--no-posing",)):
            _, smooth, before, between, after = shown("lbs", 15, 15.5, 16, words=words)
            self.assertEqual(smooth, True if words else None)
            self.assertLess(off(before, between), off(before, after))
            self.assertLess(off(between, after), off(before, after))

    @needs("chromium")
    def test_a_report_has_its_worst_moments_to_turn(self):
        report = self.dir / "report.html"
        words = ["compare", "demo:arm", "--sweep", "twist", "--joint", "LowerArm", "--steps", "3", "--method", "lbs,dqs",
                 "--no-time", "-o", report]
        self.assertEqual(sinew(*words).returncode, 0)
        text = report.read_text()
        page = html.unescape(re.search(r'<iframe class="live"[^>]*srcdoc="([^"]*)"', text)[1])
        data, _ = data_of(page)
        self.assertEqual([m["name"] for m in data["methods"]], ["lbs", "dqs"])
        self.assertTrue(any("LowerArm" in label for label in data["clips"][0]["labels"]))
        self.assertEqual(len(data["clips"][0]["cameras"]), data["clips"][0]["poses"])
        (self.dir / "live.html").write_text(page)
        for shot in self.shots(("report.png", f"file://{self.dir / 'report.html'}", (900, 700)),
                               ("live.png", f"file://{self.dir / 'live.html'}", (600, 500))):
            self.assertGreater(window_driver.colors(shot), 50)
        self.assertEqual(sinew(*words, "--no-live").returncode, 0)
        self.assertNotIn("iframe class", report.read_text())

    @needs("chromium")
    def test_a_report_of_a_bake_has_them_too(self):
        report = self.dir / "report.html"
        run = sinew("bake", "demo:arm", "--method", "arc-spline", "--clip", "elbow-twist", "--helpers", "2", "--poses", "24",
                    "--drivers-file", "none", "--report", report, "-o", self.dir / "arm.glb")
        self.assertEqual(run.returncode, 0, run.stderr)
        page = html.unescape(re.search(r'<iframe class="live"[^>]*srcdoc="([^"]*)"', report.read_text())[1])
        data, _ = data_of(page)
        # The target, from which distances are measured, first.
        self.assertEqual([m["name"] for m in data["methods"]], ["arc-spline", "lbs", "baked"])
        self.assertEqual(len(data["clips"][0]["cameras"]), data["clips"][0]["poses"])
        (self.dir / "live.html").write_text(page)
        shot, = self.shots(("live.png", f"file://{self.dir / 'live.html'}#difference=1", (600, 500)))
        self.assertGreater(window_driver.colors(shot), 50)


class Shaders(unittest.TestCase):
    def choices(self, method, *stretch):
        exact = method in ("bones-blending", "arc-spline", "bezier-spline", "per-joint")
        return [[], list(stretch), *([["--set", "normals=exact"]] if exact else [])]

    def text(self, method, target, *words):
        run = sinew("shader", method, "--target", target, *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def compiles(self, text, *words):
        with tempfile.NamedTemporaryFile("w", suffix=".vert") as file:
            file.write(text)
            file.flush()
            run = subprocess.run(["glslangValidator", *words, file.name], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + text)

    @needs("glslangValidator")
    def test_webgl_takes_every_method(self):
        for method in METHODS:
            for words in self.choices(method, "--stretch", "--palette", "texture"):
                with self.subTest(method=method, words=words):
                    text = self.text(method, "es300", *words)
                    self.assertTrue(text.startswith("#version 300 es\n"))
                    self.compiles(text)

    @needs("glslangValidator")
    def test_vulkan_takes_every_method(self):
        for method in METHODS:
            for words in self.choices(method, "--stretch"):
                with self.subTest(method=method, words=words):
                    self.compiles(self.text(method, "glsl330", *words), "-V", "--aml", "--amb", "-Dgl_VertexID=gl_VertexIndex",
                                  "-o", os.devnull)

    @needs("glslangValidator", "spirv-cross")
    def test_translations(self):
        for method in ["dqs", "arc-spline"]:
            text = self.text(method, "hlsl")
            self.assertIn("cbuffer PaletteBlock", text)
            self.assertIn("unit quaternion" if method == "dqs" else "spline0", text)
            self.compiles(text, "-D", "-V", "-S", "vert", "-e", "main", "-o", os.devnull)
        self.assertIn("vertex main0_out main0", self.text("lbs", "msl"))

    def test_what_is_not_translated_says_so(self):
        for target, word in [("wgsl", "scripts/wgsl"), ("godot", "docs/shaders.md"), ("glsl", "es300")]:
            run = sinew("shader", "lbs", "--target", target)
            self.assertEqual(run.returncode, 2)
            self.assertEqual(len(run.stderr.splitlines()), 1)
            self.assertIn(word, run.stderr)
        run = subprocess.run([SINEW, "shader", "lbs", "--target", "msl"], capture_output=True, text=True,
                             env={**os.environ, "PATH": "/nowhere"})
        self.assertEqual(run.returncode, 2)
        self.assertIn("apt-get install", run.stderr)


if __name__ == "__main__":
    SINEW = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
