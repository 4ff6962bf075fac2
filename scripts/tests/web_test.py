#!/usr/bin/env python3
"""The module for browsers, which scripts/web builds: in node, against the program, and the workbench in a
headless Chromium.

Usage: web_test.py SINEW. Skipped where the module, node or chromium is missing. Models of
../shared/models are read where they are; gltf-transform (npm's @gltf-transform/cli in NODE_PATH) compresses one by Draco.
"""
import base64
import functools
import gzip
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from browser import Browser
from hostile_files import write_faults_of_assimp

SINEW = ""
ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "build/web/sinew.wasm"
SHARED = ROOT.parent / "shared/models"
METHODS = ["rigid", "lbs", "dqs", "bones-blending", "arc-spline", "bezier-spline", "cor", "stbs", "ddm", "per-joint"]


def shared(name):
    return next(iter(sorted(SHARED.rglob(name))), None) if SHARED.is_dir() else None


def with_draco(model, folder):
    """The model compressed, or None where nothing does it."""
    tools = [Path(each) / ".bin/gltf-transform" for each in os.environ.get("NODE_PATH", "").split(os.pathsep) if each]
    tool = next(filter(Path.exists, tools), None)
    if model is None or tool is None:
        return None
    out = Path(folder) / f"{model.stem}Draco.glb"
    subprocess.run([tool, "draco", model, out], check=True, capture_output=True, timeout=120)
    return out


def sinew(*words):
    return subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, timeout=600)


def module(*words, of=MODULE):
    run = subprocess.run(["node", Path(__file__).with_name("web_module.mjs"), of, *map(str, words)],
                         capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return run.stdout


@unittest.skipUnless(MODULE.is_file() and shutil.which("node"), "needs build/web (scripts/web) and node")
class Module(unittest.TestCase):
    def test_exceptions_are_caught_by_their_types(self):
        of = MODULE.with_name("exceptions_test.wasm")
        self.assertEqual(json.loads(module("exceptions", of=of)), [ord("z"), 20, 5, 7, 200, 0, 0, 0])

    def test_a_model_is_as_the_program_has_it(self):
        for name, numbers in (("Fox.glb", 100000), ("tiny.x", 100000), ("by Draco", 100000), ("character.b3d", 30000),
                              ("hud_hands.md5mesh", 100000)):
            with self.subTest(model=name), tempfile.TemporaryDirectory() as folder:
                model = with_draco(shared("Fox.glb"), folder) if name == "by Draco" else shared(name)
                if model is None:
                    continue
                ours, theirs = json.loads(module("info", model)), json.loads(sinew("info", model, "--json").stdout)
                for each in (ours, theirs):
                    del each["model"]
                    for texture in each["textures"]:
                        texture["source"] = Path(texture["source"]).name
                self.assertEqual(ours, theirs)
                page = Path(folder) / "pages" / "page.html"
                page.parent.mkdir()
                methods = ",".join(METHODS)
                run = sinew("page", model, "--method", methods, "--exact", "--no-numbers", "-o", page)
                self.assertEqual(run.returncode, 0, run.stderr)
                same = json.loads(module("same", model, methods, page))
                self.assertEqual(same["unlike"], [])
                self.assertGreater(same["numbers"], numbers)
                self.assertLess(same["largest"], 1e-6, same["where"])

    def test_damage_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, bytes_, cause in (("a.glb", b"glTF" + bytes(range(200)), "input"), ("b.fbx", b"nothing", "input"),
                                        ("c.dae", b"<COLLADA/>", "input"), ("d.x", b"xof 0303txt 0032 Mesh {", "input"),
                                        ("e.b3d", b"BB3D" + bytes(range(200)), "input"), ("f.md5mesh", b"MD5Version 10\nmesh {", "input"),
                                        ("g.bvh", b"HIERARCHY\nROOT a {", "input"), ("h.ply", b"ply\nformat", "input"),
                                        ("i.blend", b"BLENDER-v300", "input"), ("j.dxf", b"0\nSECTION", "input")):
                path = Path(folder) / name
                path.write_bytes(bytes_)
                said = module("open", path)
                self.assertEqual(said.split()[0], cause, said)
                self.assertEqual(len(said.splitlines()), 1)
                self.assertIn(name, said)

    def test_formats_of_the_table_are_read(self):
        formats = json.loads(module("ask", '{"do": "choices"}'))["formats"]
        self.assertGreater(len(formats), 25)
        listed = {word for line in (ROOT / "docs/browser.md").read_text().splitlines() if line.startswith(("| open", "| by Assimp", "| motion"))
                  for word in re.findall(r"`(\.[a-z0-9.]+)`", line)}
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"a{each['ending']}" for each in formats]
            for path in paths:
                path.write_bytes(b"nothing")
            for path, said in zip(paths, module("each", *paths).splitlines(), strict=True):
                with self.subTest(name=path.name):
                    self.assertIn(path.name, said)
                    self.assertNotRegex(said, "not read in a browser|not a kind of model file")
        self.assertEqual({each["ending"] for each in formats} - listed, set())
        self.assertEqual(listed - {each["ending"] for each in formats}, set())

    def test_faults_of_readers_are_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            [crash] = [path for path in write_faults_of_assimp(Path(folder)) if path.suffix == ".cob"]
            self.assertRegex(module("each", crash), r"\Acrash .+\n\Z")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@unittest.skipUnless(MODULE.is_file() and shutil.which("chromium"), "needs build/web (scripts/web) and chromium")
class Workbench(unittest.TestCase):
    DROP = """
(async () => {
  while (!window.workbench || workbench.choices.methods.length === 0) await new Promise(done => setTimeout(done, 20));
  const bytes = Uint8Array.from(atob("%s"), letter => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], "%s"));
  const start = performance.now();
  window.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true, cancelable: true}));
  const failed = () => document.getElementById("message").textContent.replace(/^Loading.*/, "");
  while (document.title !== "%s" && !failed()) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const canvas = document.getElementById("canvas");
  workbench.page.drawNow();
  const gl = workbench.page.gl, pixel = new Uint8Array(4), seen = new Set();
  for (let i = 0; i < 400; ++i) {
    gl.readPixels(canvas.width * (i %% 20 + 0.5) / 20, canvas.height * (Math.floor(i / 20) + 0.5) / 20, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    seen.add(pixel.join());
  }
  const captions = () => [...document.querySelectorAll("#captions b")].map(each => each.textContent), before = captions();
  if (!failed()) { // while it stands, and the address says what is shown
    workbench.page.play(false);
    while (!/method=1,2&/.test(location.hash)) await new Promise(done => setTimeout(done, 20));
    const list = document.getElementById("add-method");
    list.value = "dqs";
    list.dispatchEvent(new Event("change"));
    while (captions().length !== 3) await new Promise(requestAnimationFrame);
  }
  return {seconds: (performance.now() - start) / 1000, title: document.title, said: failed(), colors: seen.size,
          captions: before, added: captions(),
          clips: [...document.getElementById("clip").options].map(each => each.textContent),
          fetched: performance.getEntriesByType("resource").map(({name}) => name)};
})()"""

    def drop(self, browser, page, path, title, picture=None):
        script = self.DROP % (base64.b64encode(path.read_bytes()).decode(), path.name, title)
        return browser.show(page.as_uri(), 1280, 720, script, picture)

    def test_a_dropped_character_is_shown(self):
        fox = shared("Fox.glb")
        if fox is None:
            self.skipTest("needs ../shared/models")
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "workbench.html"
            run = sinew("page", "--workbench", "--module", MODULE, "-o", page)
            self.assertEqual(run.returncode, 0, run.stderr)
            damaged = Path(folder) / "damaged.glb"
            damaged.write_bytes(fox.read_bytes()[:5000])
            browser = Browser()
            try:
                shown, messages = self.drop(browser, page, fox, "Fox")
                self.assertEqual(messages, [])
                self.assertEqual(shown["said"], "")
                self.assertEqual(shown["captions"], ["Linear blend", "Arc-spline"])
                self.assertEqual(shown["added"], ["Linear blend", "Arc-spline", "Dual quaternions"])
                self.assertEqual(shown["clips"][1:], ["Walk", "Run"])
                self.assertGreater(shown["colors"], 20)
                self.assertEqual([name for name in shown["fetched"] if not name.startswith("blob:")], [])
                by_assimp, messages = self.drop(browser, page, shared("character.b3d"), "character")
                self.assertEqual((messages, by_assimp["said"]), ([], ""))
                self.assertEqual(by_assimp["captions"], ["Linear blend", "Arc-spline"])
                self.assertGreater(by_assimp["colors"], 20)
                refused, _ = self.drop(browser, page, damaged, "damaged")
                self.assertIn("damaged.glb", refused["said"])
            finally:
                browser.close()

    # Files that hang or crash their readers are dropped on a character; then a second character is.
    FAULTS = """
(async () => {
  const files = %s, wait = () => new Promise(done => setTimeout(done, 20)), out = [];
  while (!window.workbench || workbench.choices.methods.length === 0) await wait();
  const toFile = ([name, text]) => ({name, bytes: Uint8Array.from(atob(text), letter => letter.charCodeAt(0))});
  await workbench.open([toFile(files[0])]);
  for (const file of files.slice(1)) {
    const began = performance.now();
    await workbench.open([toFile(file)]);
    await workbench.page.drawn();
    out.push({said: document.getElementById("message").textContent, title: document.title, seconds: (performance.now() - began) / 1000,
              busy: !document.getElementById("busy").hidden, bytes: (await workbench.ask({do: "glb"})).length});
  }
  return out;
})()"""

    def write_page_and_models(self, folder):
        page, arm, curl = (folder / name for name in ("workbench.html", "arm.glb", "curl.glb"))
        for words in (("page", "--workbench", "--module", MODULE, "-o", page), ("export", "demo:arm", "-o", arm),
                      ("export", "demo:tentacle", "-o", curl)):
            run = sinew(*words)
            self.assertEqual(run.returncode, 0, run.stderr)
        return page, arm, curl

    def test_faults_of_readers_leave_the_character(self):
        with tempfile.TemporaryDirectory() as folder:
            page, arm, curl = self.write_page_and_models(Path(folder))
            faults = list(write_faults_of_assimp(Path(folder)))
            files = [(path.name, base64.b64encode(path.read_bytes()).decode()) for path in (arm, *faults, curl)]
            browser = Browser()
            try:
                shown, messages = browser.show(page.as_uri(), 1280, 720, self.FAULTS % json.dumps(files))
            finally:
                browser.close()
            self.assertEqual(messages, [])
            self.assertEqual(len(shown), 4)
            for path, each in zip(faults, shown):
                with self.subTest(file=path.name):
                    self.assertRegex(each["said"], rf"\A{path.name}: [^\n]+: export it again or convert it to glTF\Z")
                    self.assertEqual((each["title"], each["busy"]), ("arm", False))
                    self.assertGreater(each["bytes"], 1000)
                    self.assertLess(each["seconds"], 30)
            self.assertEqual((shown[3]["title"], shown[3]["said"]), ("curl", ""))

    # What is asked for before a character is open; fields of one character when the next is opened; one that opens, but is not shown.
    STATE = """
(async () => {
  const files = %s.map(([name, text]) => ({name, bytes: Uint8Array.from(atob(text), letter => letter.charCodeAt(0))})), [arm, curl] = files;
  while (!window.workbench || workbench.choices.methods.length === 0) await new Promise(done => setTimeout(done, 20));
  const find = id => document.getElementById(id), message = () => find("message").textContent, out = {early: []};
  const set = async (id, value) => {
    find(id).value = value;
    find(id).dispatchEvent(new Event("change"));
    await workbench.queue;
    return message();
  };
  for (const [id, value] of [["add-method", "dqs"], ["parameters", "attachments=2"], ["zones", "a:min=-0.1"]]) {
    out.early.push(await set(id, value));
    workbench.say("");
    if (id !== "add-method") find(id).value = "";
  }
  for (const kind of ["page", "glb"]) {
    await workbench.save(kind);
    out.early.push(message());
    workbench.say("");
  }
  out.methods = [...workbench.methods];
  await workbench.open([arm]);
  const place = id => ({title: document.title, described: workbench.described.name, files: workbench.files.map(({name}) => name),
                        said: message(), zones: find("zones").value, name: find("bench-name").textContent.split(" ")[0]});
  const {name} = workbench.page.data.joints[1];
  out.syntax = await set("zones", `${name}=0.3,0.3`);
  workbench.say("");
  out.valid = await set("zones", `${name}:max=0.3`);
  const button = find("open"), transfer = new DataTransfer();
  transfer.items.add(new File([curl.bytes], curl.name));
  button.files = transfer.files;
  button.dispatchEvent(new Event("change"));
  await workbench.queue;
  out.second = place();
  out.chosen = button.files.length;
  await set("zones", `${workbench.page.data.joints[1].name}:max=0.2`);
  out.kept = place();
  const size = async () => (await workbench.ask({do: "glb"})).length, before = await size(), {ask} = workbench;
  workbench.ask = (request, more) => request.do === "page" ? Promise.reject(new Error("not shown")) : ask.call(workbench, request, more);
  await workbench.open([arm]);
  out.failed = place();
  await workbench.addMethod("dqs");
  delete workbench.ask;
  const prepare = preparePage;
  preparePage = async () => {
    preparePage = prepare;
    throw new Error("not shown");
  };
  await workbench.open([arm]);
  out.undrawn = place();
  await workbench.page.drawn();
  out.shown = workbench.page.data.name;
  out.after = [...workbench.methods];
  out.held = await size() - before;
  return out;
})()"""

    def test_state_of_a_character(self):
        with tempfile.TemporaryDirectory() as folder:
            page, arm, curl = self.write_page_and_models(Path(folder))
            files = [(path.name, base64.b64encode(path.read_bytes()).decode()) for path in (arm, curl)]
            browser = Browser()
            try:
                shown, messages = browser.show(page.as_uri(), 1280, 720, self.STATE % json.dumps(files))
            finally:
                browser.close()
            self.assertEqual([message for message in messages if "not shown" not in message], [])
            self.assertEqual(shown["early"], ["Open a character first."] * 5)
            self.assertEqual((shown["methods"], shown["after"]), (["lbs", "arc-spline"],) * 2)
            self.assertRegex(shown["syntax"], r"\ABend ranges: [^-]+=0.3,0.3: expected ")
            self.assertEqual((shown["valid"], shown["chosen"]), ("", 0))
            self.assertEqual(shown["second"], {"title": "curl", "described": "curl", "files": ["curl.glb"], "said": "", "zones": "",
                                               "name": "curl"})
            self.assertNotEqual(shown["kept"]["zones"], "")
            self.assertEqual((shown["failed"], shown["undrawn"]), ({**shown["kept"], "said": "not shown"},) * 2)
            self.assertEqual(shown["shown"], "curl")
            self.assertEqual(shown["held"], 0)

    # What is set stays when a method is added while a clip plays, and after a word that is refused; then the saved pose.
    KEPT = """
(async () => {
  while (!window.workbench || workbench.choices.methods.length === 0) await new Promise(done => setTimeout(done, 20));
  const find = id => document.getElementById(id), text = "%s", out = {own: find("numbers").hidden};
  await workbench.open([{name: "arm.glb", bytes: Uint8Array.from(atob(text), letter => letter.charCodeAt(0))}]);
  const change = async (id, value) => {
    find(id).value = value;
    find(id).dispatchEvent(new Event("change"));
    await workbench.queue;
  };
  const view = () => {
    const {state, camera} = workbench.page;
    return [workbench.page.clip.name, state.playing, state.speed, state.shown, state.skeleton, camera.yaw.toFixed(4), find("speed").value];
  };
  const {page} = workbench;
  page.chooseClip(page.clips.length - 1);
  await change("speed", "0.25");
  page.orbit(80, 10);
  page.toggle("skeleton");
  page.show([1]);
  out.before = view();
  await change("parameters", "attachments=abc");
  out.refused = [find("message").textContent, find("parameters").value, find("parameters").getAttribute("aria-invalid")];
  await change("add-method", "dqs");
  out.after = view();
  out.said = find("message").textContent;
  out.dropped = find("numbers").hidden;
  workbench.page.turnJoint(1, [40, 0, 0]);
  out.places = [...workbench.page.measures.first];
  const {download} = workbench;
  workbench.download = (name, bytes) => { out.saved = [name, new TextDecoder().decode(bytes)]; };
  await workbench.savePose();
  return out;
})()"""

    def test_what_is_set_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            page, arm, _ = self.write_page_and_models(Path(folder))
            browser = Browser()
            try:
                shown, messages = browser.show(page.as_uri(), 1280, 720, self.KEPT % base64.b64encode(arm.read_bytes()).decode())
            finally:
                browser.close()
            self.assertEqual(messages, [])
            self.assertEqual((shown["own"], shown["dropped"]), (False, True))
            self.assertEqual(shown["before"][1:4], [True, 0.25, [1]])
            self.assertEqual(shown["after"], [*shown["before"][:3], [1, 2], *shown["before"][4:]])
            self.assertEqual(shown["refused"][1:], ["attachments=abc", "true"])
            self.assertRegex(shown["refused"][0], r"\AParameters: attachments: a whole number ")
            self.assertEqual(shown["said"], "")
            name, text = shown["saved"]
            self.assertEqual(name, "arm.pose.json")
            pose, posed = Path(folder) / name, Path(folder) / "posed.obj"
            pose.write_text(text)
            run = sinew("export", arm, "--pose", pose, "--method", "lbs", "-o", posed)
            self.assertEqual(run.returncode, 0, run.stderr)
            places = [float(word) for line in posed.read_text().splitlines() if line.startswith("v ") for word in line.split()[1:4]]
            self.assertEqual(len(places), len(shown["places"]))
            self.assertLess(max(abs(a - b) for a, b in zip(places, shown["places"])), 1e-4)

    # Which of a model, a motion and a larger text is opened, for every ending of the table.
    CHOSEN = """
(async () => {
  while (!window.workbench || workbench.choices.methods.length === 0) await new Promise(done => setTimeout(done, 20));
  const file = (name, length) => ({name, bytes: {length}}), {formats} = workbench.choices;
  const chosen = ({ending, motion}) =>
    workbench.mainFile([file("notes.txt", 99), file(`A${ending.toUpperCase()}`, 5), ...motion ? [] : [file("b.bvh", 50)], file("a.skeleton.xml", 70)]).name;
  return [formats.map(({ending}) => `A${ending.toUpperCase()}`), formats.map(chosen)];
})()"""

    def test_a_model_is_found_by_the_table_of_formats(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "workbench.html"
            self.assertEqual(sinew("page", "--workbench", "--module", MODULE, "-o", page).returncode, 0)
            browser = Browser()
            try:
                (wanted, chosen), messages = browser.show(page.as_uri(), 1280, 720, self.CHOSEN)
            finally:
                browser.close()
            self.assertEqual(messages, [])
            self.assertGreater(len(wanted), 25)
            self.assertEqual(chosen, wanted)

    # A model that the address names; then what the smaller module leaves to the whole one.
    SERVED = """
(async () => {
  const wait = () => new Promise(done => setTimeout(done, 20));
  while (document.title !== "Fox" || !document.getElementById("busy").hidden || workbench.page.state.clip !== 2) await wait();
  const modules = () => performance.getEntriesByType("resource").map(({name}) => name.split("/").pop()).filter(name => name.endsWith(".wasm"));
  const before = modules(), glb = await workbench.ask({do: "glb"});
  const {clips} = await workbench.askJson({do: "open", file: "Fox.glb"});
  const {state} = workbench.page;
  return {before, after: modules(), view: [state.clip, state.time, state.playing, state.shown], bytes: glb.length, begin: String.fromCharCode(...glb.slice(0, 4)), clips: clips.length};
})()"""

    def show_served(self, folder, model, script):
        (Path(folder) / "favicon.ico").touch()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietHandler, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = Browser()
        try:
            shown, messages = browser.show(f"http://127.0.0.1:{server.server_port}/index.html{model and '#model='}{model}", 1280, 720, script)
        finally:
            browser.close()
            server.shutdown()
            server.server_close()
        self.assertEqual(messages, [])
        return shown

    def test_a_served_workbench_begins_with_a_small_module(self):
        fox = shared("Fox.glb")
        if fox is None:
            self.skipTest("needs ../shared/models")
        with tempfile.TemporaryDirectory() as folder:
            run = sinew("page", "--workbench", "--module", MODULE, "-o", folder)
            self.assertEqual(run.returncode, 0, run.stderr)
            first = [Path(folder) / name for name in ("index.html", "view.wasm")]
            self.assertLess(sum(len(gzip.compress(path.read_bytes())) for path in first), 1_000_000)
            shutil.copy(fox, folder)
            shown = self.show_served(folder, f"{fox.name}&clip=2&time=0.5&method=2", self.SERVED)
            self.assertEqual(shown["view"], [2, 0.5, False, [1]])
            self.assertEqual(shown["before"], ["view.wasm"])
            self.assertEqual(shown["after"], ["view.wasm", "sinew.wasm"])
            self.assertEqual((shown["begin"], shown["clips"]), ("glTF", 3))
            self.assertGreater(shown["bytes"], 50000)

    # What the smaller module finds in the file, and leaves to the whole one.
    LEFT = """
(async () => {
  const message = () => document.getElementById("message").textContent.replace(/^Loading.*/, "");
  while (document.title !== "%s" && !message()) await new Promise(done => setTimeout(done, 20));
  return {said: message(), clips: document.getElementById("clip").options.length,
          modules: performance.getEntriesByType("resource").map(({name}) => name.split("/").pop()).filter(name => name.endsWith(".wasm"))};
})()"""

    def test_draco_and_assimp_have_the_whole_module_fetched(self):
        for name, clips in (("by Draco", 3), ("character.b3d", 1)):
            with self.subTest(model=name), tempfile.TemporaryDirectory() as folder:
                model = with_draco(shared("Fox.glb"), folder) if name == "by Draco" else shared(name)
                if model is None:
                    continue
                run = sinew("page", "--workbench", "--module", MODULE, "-o", folder)
                self.assertEqual(run.returncode, 0, run.stderr)
                if model.parent != Path(folder):
                    shutil.copy(model, folder)
                shown = self.show_served(folder, model.name, self.LEFT % model.stem)
                self.assertEqual(shown, {"said": "", "clips": clips, "modules": ["view.wasm", "sinew.wasm"]})

    # The worker that has compiled what a first file needs has ended, and the page's own holds nothing.
    WARMED = """
(async () => {
  while (!workbench.warmed) await new Promise(done => setTimeout(done, 20));
  const warmed = await workbench.warmed;
  let said = "";
  try { await workbench.ask({do: "info"}); } catch (error) { said = error.message; }
  return {warmed, worker: workbench.warming.worker, said, failed: document.getElementById("message").textContent};
})()"""

    def test_the_module_is_warmed_up(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "workbench.html"
            run = sinew("page", "--workbench", "--module", MODULE, "-o", page)
            self.assertEqual(run.returncode, 0, run.stderr)
            browser = Browser()
            try:
                shown, messages = browser.show(page.as_uri(), 1280, 720, self.WARMED)
            finally:
                browser.close()
            self.assertEqual(messages, [])
            self.assertEqual(shown, {"warmed": True, "worker": None, "said": "no model is open", "failed": ""})

    # Programs of the graphics driver, once the character to warm up with has been drawn, and once another has.
    COMPILED = """
(async () => {
  while (!window.workbench?.warmed) await new Promise(done => setTimeout(done, 20));
  await workbench.warmed;
  const count = () => kPrograms.get(workbench.page.gl).size, before = count(), transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob("%s"), letter => letter.charCodeAt(0))], "Fox.glb"));
  dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true, cancelable: true}));
  while (document.title !== "Fox") await new Promise(done => setTimeout(done, 20));
  return [before, count()];
})()"""

    def test_shaders_are_compiled_before_a_drop(self):
        fox = shared("Fox.glb")
        if fox is None:
            self.skipTest("needs ../shared/models")
        with tempfile.TemporaryDirectory() as folder:
            run = sinew("page", "--workbench", "--module", MODULE, "-o", folder)
            self.assertEqual(run.returncode, 0, run.stderr)
            before, after = self.show_served(folder, "", self.COMPILED % base64.b64encode(fox.read_bytes()).decode())
            self.assertGreater(before, 3)
            self.assertEqual(after, before)


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
