// Where the nodes of a VRM file are while its springs swing, as three-vrm (npm package
// @pixiv/three-vrm) has them: steps of 1/60 s from the start of a clip.
// Usage: NODE_PATH=... node vrm_springs.mjs FILE CLIP SECONDS [SECONDS ...]
// Prints a JSON array, for each time an object of [x, y, z] by the node's name.
// --exact-lengths as the last word: a bone's length is measured to where its tail is now. three-vrm 3.5
// measures to where the tail was before the joints above it swung, so its bones change their length
// with the speed of a swing.
// --check instead of a file ends with 0 if the packages are there.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

function findModule(name) {
  for (const folder of (process.env.NODE_PATH || "").split(":").filter(Boolean)) {
    const found = path.join(folder, name);
    if (fs.existsSync(found)) return pathToFileURL(found).href;
  }
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
}

const file = process.argv[2];
const exact = process.argv.at(-1) === "--exact-lengths";
let THREE, GLTFLoader, VRMSpringBoneLoaderPlugin;
try {
  THREE = await import(findModule("three/build/three.module.js"));
  ({ GLTFLoader } = await import(findModule("three/examples/jsm/loaders/GLTFLoader.js")));
  ({ VRMSpringBoneLoaderPlugin } = await import(
    findModule("@pixiv/three-vrm-springbone/lib/three-vrm-springbone.module.js")));
} catch (error) {
  console.error("three-vrm is not installed: npm install three @pixiv/three-vrm, or set NODE_PATH: " + error.message);
  process.exit(1);
}
if (file === "--check") process.exit(0);

globalThis.self = globalThis;
const loader = new GLTFLoader();
loader.register((parser) => new VRMSpringBoneLoaderPlugin(parser));
const bytes = fs.readFileSync(file);
const gltf = await new Promise((resolve, reject) =>
  loader.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "", resolve, reject));
const springs = gltf.userData.vrmSpringBoneManager;
if (exact) {
  for (const joint of springs.joints) {
    const measure = joint._calcWorldSpaceBoneLength;
    joint._calcWorldSpaceBoneLength = function () {
      if (this.child) this.child.updateWorldMatrix(false, false, true);
      measure.call(this);
    };
  }
}
const mixer = new THREE.AnimationMixer(gltf.scene);
const clip = gltf.animations.find((each) => each.name === process.argv[3]);
if (!clip) throw new Error("no clip " + process.argv[3]);
mixer.clipAction(clip).play();

const times = process.argv.slice(4).filter((word) => word !== "--exact-lengths").map(Number);
const steps = times.map((time) => Math.round(time * 60));
const found = new Map();
for (let step = 0; step <= Math.max(...steps); ++step) {
  mixer.setTime(step / 60);
  gltf.scene.updateMatrixWorld(true);
  if (step === 0) springs.reset();
  else springs.update(1 / 60);
  if (!steps.includes(step)) continue;
  gltf.scene.updateMatrixWorld(true);
  const places = {};
  gltf.scene.traverse((object) => {
    if (object.name) places[object.name] = new THREE.Vector3().setFromMatrixPosition(object.matrixWorld).toArray();
  });
  found.set(step, places);
}
console.log(JSON.stringify(steps.map((step) => found.get(step))));
