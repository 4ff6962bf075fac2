// Posed vertices of a .glb as three.js (npm package three) has them: GLTFLoader, AnimationMixer and
// SkinnedMesh.applyBoneTransform, without rendering.
// Usage: NODE_PATH=... node three_vertices.mjs FILE CLIP SECONDS [CLIP SECONDS ...]
// Prints a JSON array, per clip and time the positions [x, y, z, ...] of all meshes in model space.
// --check instead of a file ends with 0 if the package is there.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

function moduleOf(name) {
  for (const folder of (process.env.NODE_PATH || "").split(":").filter(Boolean)) {
    const found = path.join(folder, name);
    if (fs.existsSync(found)) return pathToFileURL(found).href;
  }
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
}

const file = process.argv[2];
let THREE, GLTFLoader;
try {
  THREE = await import(moduleOf("three/build/three.module.js"));
  ({ GLTFLoader } = await import(moduleOf("three/examples/jsm/loaders/GLTFLoader.js")));
} catch (error) {
  console.error("three is not installed: npm install three, or set NODE_PATH: " + error.message);
  process.exit(1);
}
if (file === "--check") process.exit(0);

// Pictures are of no use here, and a loader of them is not in node.
globalThis.self = globalThis;
const loader = new GLTFLoader();
loader.register((parser) => {
  parser.loadTextureImage = () => Promise.resolve(null);
  return { name: "no-textures" };
});
const bytes = fs.readFileSync(file);
const gltf = await new Promise((resolve, reject) =>
  loader.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "", resolve, reject));
const mixer = new THREE.AnimationMixer(gltf.scene);
const out = [];
for (let i = 3; i + 1 < process.argv.length; i += 2) {
  mixer.stopAllAction();
  const clip = gltf.animations.find((each) => each.name === process.argv[i]);
  if (!clip) throw new Error("no clip " + process.argv[i]);
  const action = mixer.clipAction(clip);
  action.reset().setLoop(THREE.LoopOnce).play();
  action.clampWhenFinished = true;
  mixer.setTime(Number(process.argv[i + 1]));
  gltf.scene.updateMatrixWorld(true);
  const places = [];
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const at = new THREE.Vector3();
    for (let v = 0; v < object.geometry.attributes.position.count; ++v) {
      object.getVertexPosition(v, at); // morph targets and bones
      at.applyMatrix4(object.matrixWorld);
      places.push(at.x, at.y, at.z);
    }
  });
  out.push(places);
}
console.log(JSON.stringify(out));
