#!/usr/bin/env python3
"""three.js draws a glTF file that went through `sinew export` as it draws the file itself.

Usage: gltf_pictures_test.py SINEW. On every glTF of ../shared/models and of Debian's
assimp-testmodels, where they are; needs chromium and npm's three (NODE_PATH). No pixel may differ by
more than 2 of 255.
"""
import functools
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import Browser  # noqa: E402
from gltf_keep_test import models  # noqa: E402

SINEW = ""
HERE = Path(__file__).resolve().parent
PIXELS = 256 * 256
UNDEFINED = {"IndexOutOfRange.gltf"}  # a vertex beyond the buffer is whatever the driver's memory holds


def three():
    """The folder of npm's three, or None."""
    folders = [Path(folder) / "three" for folder in os.environ.get("NODE_PATH", "").split(os.pathsep) if folder]
    return next((folder for folder in folders if folder.exists()), None)


class Files(http.server.BaseHTTPRequestHandler):
    """/three/..., /in/NUMBER/FILE beside a model, /out/NUMBER.glb, and the page."""

    def __init__(self, inputs, outputs, *words):
        self.inputs, self.outputs = inputs, outputs
        super().__init__(*words)

    def do_GET(self):  # noqa: N802
        words = unquote(self.path.split("?")[0]).strip("/").split("/")
        if words[0] == "three":
            path = three().joinpath(*words[1:])
        elif words[0] == "in":
            path = self.inputs[int(words[1])].parent.joinpath(*words[2:])
        elif words[0] == "out":
            path = self.outputs / words[1]
        else:
            path = HERE / "three_pictures.html"
        try:
            body = path.read_bytes()
        except OSError:
            self.send_error(404)
            return
        kinds = {".js": "text/javascript", ".html": "text/html", ".wasm": "application/wasm"}
        self.send_response(200)
        self.send_header("Content-Type", kinds.get(path.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


@unittest.skipUnless(three() and shutil.which("chromium"), "needs chromium and npm's three (NODE_PATH)")
class Pictures(unittest.TestCase):
    def test_the_output_looks_like_the_input(self):
        inputs, pairs = [path for path in models() if path.name not in UNDEFINED], []
        with tempfile.TemporaryDirectory() as folder:
            for number, path in enumerate(inputs):
                out = Path(folder) / f"{number}.glb"
                run = subprocess.run([SINEW, "export", path, "--quiet", "-o", out], capture_output=True, timeout=300)
                if run.returncode == 0:
                    pairs.append(number)
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, inputs, Path(folder)))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            browser = Browser()
            try:
                self.compare(browser, server.server_port, inputs, pairs)
            finally:
                browser.close()
                server.shutdown()
                server.server_close()

    def compare(self, browser, port, inputs, pairs):
        script = ", ".join(f'["/in/{n}/{inputs[n].name}", "/out/{n}.glb"]' for n in pairs)
        found, messages = browser.show(
            f"http://127.0.0.1:{port}/", 300, 300,
            f"(async () => {{ const all = []; for (const pair of [{script}]) all.push(await compare(...pair)); return all; }})()")
        self.assertIsNotNone(found, messages)
        shown = 0
        for number, one in zip(pairs, found):
            with self.subTest(model=inputs[number].name):
                if "SINEW_FIGURES" in os.environ:
                    print(inputs[number].name, one)
                if "errors" in one:
                    # What three.js cannot read, it cannot read of either.
                    self.assertTrue(all(one["errors"]), one)
                    continue
                self.assertEqual(one["different"], 0, one)
                shown += one["shown"] > 0.01 * PIXELS
        # Nearly all are more than an empty picture, and two models differ.
        self.assertGreater(shown, 0.7 * len(pairs))
        if len(pairs) > 1:
            first, second = pairs[0], pairs[-1]
            other, _ = browser.show(f"http://127.0.0.1:{port}/", 300, 300, f'compare("/out/{first}.glb", "/out/{second}.glb")')
            self.assertTrue("errors" in other or other["different"] > 0.01 * PIXELS, other)


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
