// Posed vertices of an .fbx, a .glb or a .dae as three.js (FBXLoader, GLTFLoader, ColladaLoader) or Babylon.js (no .dae)
// has them, without rendering. ColladaLoader needs npm's @xmldom/xmldom.
// Usage: NODE_PATH=... node engine_vertices.mjs three|babylon FILE CLIP SECONDS [CLIP SECONDS ...]
// Prints a JSON array, per clip and time the positions [x, y, z, ...] of all meshes in the scene. CLIP none: at rest.
// --check instead of a file ends with 0 if the package is there.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

function findModule(name) {
  for (const folder of (process.env.NODE_PATH || "").split(":").filter(Boolean)) {
    const found = path.join(folder, name);
    if (fs.existsSync(found)) return pathToFileURL(found).href;
  }
  throw new Error(name + " is not installed: set NODE_PATH");
}

const [, , engine, file, ...moments] = process.argv;
const isFbx = path.extname(file).toLowerCase() === ".fbx";
const isCollada = path.extname(file).toLowerCase() === ".dae";
const bytes = () => {
  const data = fs.readFileSync(file);
  return data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
};
console.log = console.warn = console.info = () => {}; // engines greet on stdout

function find(clips, name) {
  const unnamed = /^clip (\d+)$/.exec(name); // sinew's word for one without a name
  const found = clips.find((each) => each.name === name) || (unnamed && clips[Number(unnamed[1])]);
  if (!found && name !== "none" && !isCollada) throw new Error("no clip " + name);
  return found || (name !== "none" && clips[0]); // a Collada file without clips is one without a name
}

async function threeScene(THREE) {
  // Pictures are of no use here, and a loader of them is not in node.
  globalThis.self = globalThis.window = globalThis;
  if (isFbx) {
    const { FBXLoader } = await import(findModule("three/examples/jsm/loaders/FBXLoader.js"));
    URL.createObjectURL = () => "none";
    THREE.TextureLoader.prototype.load = () => new THREE.Texture();
    const scene = new FBXLoader().parse(bytes(), "");
    return { scene, animations: scene.animations };
  }
  if (isCollada) {
    const { ColladaLoader } = await import(findModule("three/examples/jsm/loaders/ColladaLoader.js"));
    const { DOMParser } = await import(findModule("@xmldom/xmldom/lib/index.js"));
    globalThis.DOMParser = DOMParser;
    for (const kind of [THREE.TextureLoader, THREE.DataTextureLoader]) kind.prototype.load = () => new THREE.Texture();
    const { scene } = new ColladaLoader().parse(fs.readFileSync(file, "utf8").replace(/^\uFEFF/, ""), "");
    return { scene, animations: scene.animations };
  }
  const { GLTFLoader } = await import(findModule("three/examples/jsm/loaders/GLTFLoader.js"));
  const { MeshoptDecoder } = await import(findModule("three/examples/jsm/libs/meshopt_decoder.module.js"));
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register((parser) => {
    parser.loadTextureImage = () => Promise.resolve(null);
    return { name: "no-textures" };
  });
  return await loader.parseAsync(bytes(), "");
}

async function three() {
  const THREE = await import(findModule("three/build/three.module.js"));
  if (file === "--check") return null;
  const { scene, animations } = await threeScene(THREE);
  const mixer = new THREE.AnimationMixer(scene);
  const out = [];
  for (let i = 0; i + 1 < moments.length; i += 2) {
    mixer.stopAllAction();
    const clip = find(animations, moments[i]);
    if (clip) {
      const action = mixer.clipAction(clip);
      action.reset().setLoop(THREE.LoopOnce).play();
      action.clampWhenFinished = true;
      mixer.setTime(Number(moments[i + 1]));
    }
    scene.updateMatrixWorld(true);
    const places = [];
    scene.traverse((object) => {
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
  return out;
}

// Babylon's loader fetches meshoptimizer's decoder; three has the same one.
async function giveMeshoptDecoder(core) {
  const { MeshoptDecoder } = await import(findModule("three/examples/jsm/libs/meshopt_decoder.module.js"));
  MeshoptDecoder.useWorkers = () => {};
  globalThis.MeshoptDecoder = MeshoptDecoder;
  core.Tools.LoadBabylonScriptAsync = async () => {};
}

async function babylon() {
  const core = await import(findModule("@babylonjs/core/index.js"));
  await import(findModule(`@babylonjs/loaders/${isFbx ? "FBX" : "glTF"}/index.js`));
  if (file === "--check") return null;
  if (!isFbx) await giveMeshoptDecoder(core);
  const engine = new core.NullEngine();
  const scene = new core.Scene(engine);
  scene.useRightHandedSystem = true;
  await core.ImportMeshAsync("data:;base64," + fs.readFileSync(file).toString("base64"), scene,
    { pluginExtension: isFbx ? ".fbx" : ".glb" });
  const out = [];
  for (let i = 0; i + 1 < moments.length; i += 2) {
    for (const group of scene.animationGroups) group.stop();
    const group = find(scene.animationGroups, moments[i]);
    if (group) {
      group.start(false);
      const animation = group.targetedAnimations[0].animation;
      group.goToFrame(Number(moments[i + 1]) * animation.framePerSecond);
      group.pause();
    }
    for (const node of [...scene.transformNodes, ...scene.meshes]) node.computeWorldMatrix(true);
    for (const skeleton of scene.skeletons) skeleton.prepare(true);
    const places = [];
    for (const mesh of scene.meshes) {
      if (!mesh.getTotalVertices()) continue;
      const data = mesh.getPositionData(true, true);
      const at = new core.Vector3();
      for (let v = 0; v < data.length; v += 3) {
        core.Vector3.TransformCoordinatesFromFloatsToRef(data[v], data[v + 1], data[v + 2], mesh.getWorldMatrix(), at);
        places.push(at.x, at.y, at.z);
      }
    }
    out.push(places);
  }
  return out;
}

try {
  const out = await (engine === "three" ? three() : babylon());
  process.stdout.write(out ? JSON.stringify(out) : "", () => process.exit(0));
} catch (error) {
  console.error(error.stack || error.message);
  process.exit(1);
}
