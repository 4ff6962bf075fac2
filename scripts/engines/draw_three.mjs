// A moment of a .glb as three.js (npm package three) draws it in headless Chromium.
// Usage: NODE_PATH=... node draw_three.mjs FILE.glb CLIP SECONDS EYE TARGET FOV WxH OUT.png
//   EYE, TARGET: "x,y,z" in model space; FOV: vertical, degrees
// --check instead of a file ends with 0 if the package and Chromium are there.
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";

const three = (process.env.NODE_PATH || "").split(":").filter(Boolean)
  .map((folder) => path.join(folder, "three")).find((folder) => fs.existsSync(folder));
if (!three) {
  console.error("three is not installed: npm install three, and set NODE_PATH");
  process.exit(1);
}
const [file, clip, seconds, eye, target, fov, size, out] = process.argv.slice(2);
if (file === "--check") process.exit(0);

const page = `<!doctype html><body><script type="importmap">
{"imports": {"three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"}}</script>
<script>
const failed = (reason) => fetch("/failed", { method: "POST", body: String(reason) });
addEventListener("error", (event) => failed(event.message));
addEventListener("unhandledrejection", (event) => failed(event.reason));
</script><script type="module">
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
const [width, height] = ${JSON.stringify(size.split("x").map(Number))};
const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(width, height);
const scene = new THREE.Scene();
scene.background = new THREE.Color("#1d2025");
const eye = new THREE.Vector3(${eye}), target = new THREE.Vector3(${target});
const far = 100 * eye.distanceTo(target); // a depth buffer has 24 bits: the nearer the near plane, the coarser they are
const camera = new THREE.PerspectiveCamera(${fov}, width / height, 1e-4 * far, far);
camera.position.copy(eye);
camera.lookAt(target);
scene.add(new THREE.HemisphereLight(0xffffff, 0x777777, 2.2));
const key = new THREE.DirectionalLight(0xffffff, 2);
key.position.copy(camera.position).add(new THREE.Vector3(0, camera.position.length(), 0));
scene.add(key);
const gltf = await new GLTFLoader().loadAsync("/model.glb");
scene.add(gltf.scene);
gltf.scene.traverse((node) => { node.frustumCulled = false; });
const mixer = new THREE.AnimationMixer(gltf.scene);
mixer.clipAction(THREE.AnimationClip.findByName(gltf.animations, ${JSON.stringify(clip)})).play();
mixer.setTime(${seconds});
renderer.render(scene, camera);
renderer.domElement.toBlob((png) => fetch("/drawn", { method: "POST", body: png }));
</script>`;

const types = { ".js": "text/javascript", ".glb": "model/gltf-binary", ".html": "text/html" };
const server = http.createServer(async (request, response) => {
  if (request.method === "POST") return end(request.url === "/drawn", await readBody(request));
  const inThree = () => path.join(three, path.normalize(request.url.replace(/^\/three\//, "/")));
  const name = request.url === "/" ? null : request.url === "/model.glb" ? file : inThree();
  try {
    const body = name ? fs.readFileSync(name) : page;
    response.writeHead(200, { "Content-Type": types[name ? path.extname(name) : ".html"] ?? "application/octet-stream" });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});

async function readBody(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

// The page sends its picture, or why there is none; then the browser and all that it started end.
let chromium, limit;
const profile = fs.mkdtempSync(path.join(os.tmpdir(), "draw-three-"));
function end(drawn, body) {
  if (drawn) fs.writeFileSync(out, body);
  else console.error(`three.js drew nothing: ${body}`);
  clearTimeout(limit);
  chromium.removeAllListeners();
  chromium.on("close", () => {
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    process.exit(drawn ? 0 : 1);
  });
  if (chromium.exitCode === null && chromium.signalCode === null) process.kill(-chromium.pid, "SIGKILL");
}

server.listen(0, "127.0.0.1", () => {
  chromium = spawn("chromium", ["--headless", "--no-sandbox", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", `--user-data-dir=${profile}`,
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    `http://127.0.0.1:${server.address().port}/`], { detached: true, stdio: "ignore" });
  chromium.on("error", (error) => { console.error(error.message); process.exit(1); });
  chromium.on("exit", (code) => end(false, `chromium ended with ${code}`));
  limit = setTimeout(() => end(false, "no picture within 5 minutes"), 300000);
});
