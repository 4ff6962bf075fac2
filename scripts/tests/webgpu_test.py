#!/usr/bin/env python3
"""scripts/wgsl, and examples/webgpu.html by what it writes, in WebGPU in a headless Chromium.

Usage: webgpu_test.py SINEW. Skipped where chromium, node, glslangValidator, or npm's @babylonjs/core (NODE_PATH) are missing. The
vertices of Chromium's own draw are compared with sinew's CPU references. naga, of npm's naga-wasm, reads the WGSL too where it is installed.
"""
import functools
import http.server
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import web_package_test as package
from browser import Browser

ROOT = Path(__file__).resolve().parents[2]

# Before the page's own script. A second pipeline with its vertex shader writes where a vertex is: each is a point, drawn alone into a
# pixel of its own, for a viewport may be one pixel. window.captured: of each draw of the first frame the bind pose and the posed places.
CAPTURE = """<script>
const kWidth = 256, written = new WeakMap(), taken = [];
const wrap = (type, name, by) => {
  const {[name]: own} = type.prototype;
  type.prototype[name] = function(...words) { return by.call(this, own.bind(this), ...words); };
};
wrap(GPUQueue, "writeBuffer", (own, buffer, at, values, ...rest) => {
  if (values instanceof Float32Array) written.set(buffer, values.slice());
  own(buffer, at, values, ...rest);
});
let device, points, layout;
wrap(GPUDevice, "createRenderPipeline", function(own, words) {
  device = this;
  [layout] = words.vertex.buffers;
  const location = /@location\\((\\d)\\)\\s+worldPosition_1/.exec(window.wgsl)[1], code = `@fragment
fn main(@location(${location}) place : vec3<f32>) -> @location(0) vec4<f32> { return vec4<f32>(place, 1.0); }`;
  points = own({layout: words.layout, vertex: words.vertex, primitive: {topology: "point-list"},
                fragment: {module: this.createShaderModule({code}), targets: [{format: "rgba32float"}]}});
  return own(words);
});
wrap(GPUDevice, "createShaderModule", (own, words) => {
  if (words.code.includes("@vertex")) window.wgsl = words.code;
  return own(words);
});
const state = {groups: [], buffers: []};
wrap(GPURenderPassEncoder, "setBindGroup", (own, i, group) => own(i, state.groups[i] = group));
wrap(GPURenderPassEncoder, "setVertexBuffer", (own, i, buffer) => own(i, state.buffers[i] = buffer));
let first = true;
wrap(GPURenderPassEncoder, "drawIndexed", (own, count) => {
  if (first) taken.push({groups: [...state.groups], buffers: [...state.buffers]});
  own(count);
});
async function capture({groups, buffers}) {
  const vertices = written.get(buffers[0]), stride = layout.arrayStride / 4, count = vertices.length / stride, height = Math.ceil(count / kWidth);
  const first = layout.attributes.find(({shaderLocation}) => shaderLocation === 0).offset / 4;
  const texture = device.createTexture({size: [kWidth, height], format: "rgba32float", usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC});
  const buffer = device.createBuffer({size: 16 * kWidth * height, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ});
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginRenderPass({colorAttachments: [{view: texture.createView(), loadOp: "clear", storeOp: "store"}]});
  pass.setPipeline(points);
  groups.forEach((group, i) => pass.setBindGroup(i, group));
  buffers.forEach((each, slot) => pass.setVertexBuffer(slot, each));
  for (let v = 0; v < count; ++v) {
    pass.setViewport(v % kWidth, Math.floor(v / kWidth), 1, 1, 0, 1);
    pass.draw(1, 1, v);
  }
  pass.end();
  encoder.copyTextureToBuffer({texture}, {buffer, bytesPerRow: 16 * kWidth}, [kWidth, height]);
  device.queue.submit([encoder.finish()]);
  await buffer.mapAsync(GPUMapMode.READ);
  const texels = new Float32Array(buffer.getMappedRange());
  const gather = (values, at, step) => Array.from({length: 3 * count}, (_, i) => values[at + step * Math.floor(i / 3) + i % 3]);
  return [gather(vertices, first, stride), gather(texels, 0, 4)];
}
window.captured = new Promise((done, fail) => {
  addEventListener("error", ({message}) => fail(new Error(message)));
  addEventListener("unhandledrejection", ({reason}) => fail(reason));
  wrap(GPUQueue, "submit", (own, commands) => {
    own(commands);
    if (!first) return;
    first = false;
    const small = new OffscreenCanvas(64, 64).getContext("2d");
    small.drawImage(document.querySelector("canvas"), 0, 0, 64, 64);
    const {data} = small.getImageData(0, 0, 64, 64);
    let drawn = 0;
    for (let i = 0; i < data.length; i += 4) if ([0, 1, 2].some(c => Math.abs(data[i + c] - data[c]) > 16)) ++drawn;
    (async () => {
      const meshes = [];
      for (const each of taken) meshes.push(await capture(each));
      done({drawn, meshes});
    })().catch(fail);
  });
});
</script>
"""


def translated(sinew, *words):
    return subprocess.run([ROOT / "scripts/wgsl", sinew, *map(str, words)], capture_output=True, text=True, timeout=120)


@unittest.skipUnless(package.installed("@babylonjs/core/assets/twgsl") and all(map(shutil.which, ("chromium", "node", "glslangValidator"))),
                     "needs chromium, node, glslangValidator, and npm's @babylonjs/core in NODE_PATH")
class WebGpu(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp())
        handler = functools.partial(package.QuietHandler, directory=self.dir)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        (self.dir / "favicon.ico").touch()

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        shutil.rmtree(self.dir)

    def test_page_draws_every_method(self):
        page = (ROOT / "examples/webgpu.html").read_text()
        (self.dir / "page.html").write_text(page.replace('<script type="module">', CAPTURE + '<script type="module">'))
        for method in package.METHODS:
            with self.subTest(method=method):
                self.write_files(method)
                self.compare(method)

    def write_files(self, method):
        model = self.dir / "character.glb"
        package.sinew("export", "demo:humanoid", "--method", method, "-o", model)
        run = translated(package.SINEW, method, "--model", model, "-o", self.dir / "character.wgsl")
        self.assertEqual(run.returncode, 0, run.stderr)
        # Forty frames, so that the references' two moments, a quarter and three quarters into the clip, are frames.
        package.sinew("palette", model, "--method", method, "--clip", "1", "--fps", 40 / 1.1, "-o", self.dir / "palette.bin")
        package.sinew("reference", model, "--method", method, "--clip", "1", "--poses", "2", "-o", self.dir / "wanted.json")

    def shown(self, frame):
        browser = Browser("--enable-unsafe-webgpu", "--use-angle=vulkan", "--enable-features=Vulkan", "--use-vulkan=swiftshader")
        script = "window.captured.catch(error => ({error: String(error.stack)}))"
        try:
            value, messages = browser.show(f"http://127.0.0.1:{self.server.server_port}/page.html#{frame}", 400, 300, script)
        finally:
            browser.close()
        self.assertEqual(messages, [])
        self.assertNotIn("error", value)
        return value

    def compare(self, method):
        wanted = json.loads((self.dir / "wanted.json").read_text())
        clip = json.loads((self.dir / "palette.json").read_text())["clips"][0]
        pose = wanted["poses"][1]
        found = self.shown(round(pose["seconds"] / clip["seconds"] * clip["frames"]))
        self.assertGreater(found["drawn"], 40)
        single = lambda values: struct.pack(f"<{len(values)}f", *values)
        at = {single(wanted["positions"][v:v + 3]): v for v in range(0, len(wanted["positions"]), 3)}
        most = moved = 0
        for bind, posed in found["meshes"]:
            for v in range(0, len(bind), 3):
                place = pose["methods"][method]["positions"][at[single(bind[v:v + 3])]:][:3]
                most = max(most, math.dist(posed[v:v + 3], place))
                moved = max(moved, math.dist(posed[v:v + 3], bind[v:v + 3]))
        self.assertLess(most, 1e-5 * wanted["size"])
        self.assertGreater(moved, 0.01 * wanted["size"])

    @unittest.skipUnless(package.installed("naga-wasm/dist"), "needs npm's naga-wasm in NODE_PATH")
    def test_naga_reads_every_method(self):
        naga = (package.installed("naga-wasm/dist") / "node.js").as_uri()
        for method in package.METHODS:
            for words in ([], ["--stretch"], ["--set", "normals=exact"] if "spline" in method or method == "bones-blending" else []):
                with self.subTest(method=method, words=words):
                    run = translated(package.SINEW, method, *words, "-o", self.dir / "shader.wgsl")
                    self.assertEqual(run.returncode, 0, run.stderr)
                    script = f"""import {{parseWgsl, validate}} from "{naga}"; import {{readFileSync}} from "node:fs";
validate(parseWgsl(readFileSync("{self.dir}/shader.wgsl", "utf8")));"""
                    run = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, timeout=60)
                    self.assertEqual(run.returncode, 0, run.stderr)

    def test_what_is_bound_is_said(self):
        wgsl = translated(package.SINEW, "ddm").stdout
        self.assertRegex(wgsl, r"//    @group\(0\) @binding\(\d\)  storage  FurtherAttributes\n")
        self.assertRegex(wgsl, r"//    @group\(0\) @binding\(\d\)  uniform  PaletteBlock\n")
        self.assertEqual(len(re.findall(r"^@vertex$", wgsl, re.M)), 1)

    def test_faults_are_one_line(self):
        for words, env in ((["none"], {}), (["lbs"], {"NODE_PATH": ""})):
            run = subprocess.run([ROOT / "scripts/wgsl", package.SINEW, *words], capture_output=True, text=True, env={**os.environ, **env})
            self.assertNotEqual(run.returncode, 0)
            self.assertEqual(run.stdout, "")
            self.assertRegex(run.stderr, r"\A.{10,}\n\Z")


if __name__ == "__main__":
    package.SINEW = os.path.abspath(sys.argv.pop(1))
    unittest.main()
