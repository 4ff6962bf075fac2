// The page of web_package_test.py for Babylon.js: skins by the package, reads the vertices back, draws,
// casts rays and shadows. `job` (window.job) has a model and sinew's own vertices (`sinew reference`).
import {ArcRotateCamera} from "@babylonjs/core/Cameras/arcRotateCamera.js";
import {Ray} from "@babylonjs/core/Culling/ray.js";
import {Engine} from "@babylonjs/core/Engines/engine.js";
import {DirectionalLight} from "@babylonjs/core/Lights/directionalLight.js";
import {PointLight} from "@babylonjs/core/Lights/pointLight.js";
import {HemisphericLight} from "@babylonjs/core/Lights/hemisphericLight.js";
import {ShadowGenerator} from "@babylonjs/core/Lights/Shadows/shadowGenerator.js";
import "@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js";
import {ImportMeshAsync} from "@babylonjs/core/Loading/sceneLoader.js";
import {MaterialPluginBase} from "@babylonjs/core/Materials/materialPluginBase.js";
import {StandardMaterial} from "@babylonjs/core/Materials/standardMaterial.js";
import {Color3, Color4} from "@babylonjs/core/Maths/math.color.js";
import {Matrix, Quaternion, Vector3} from "@babylonjs/core/Maths/math.vector.js";
import {CreateGround} from "@babylonjs/core/Meshes/Builders/groundBuilder.js";
import {Mesh} from "@babylonjs/core/Meshes/mesh.js";
import {VertexData} from "@babylonjs/core/Meshes/mesh.vertexData.js";
import {Scene} from "@babylonjs/core/scene.js";
import "@babylonjs/loaders/glTF/2.0/index.js";
import {Sinew} from "sinew-skinning/babylon";
import {registerSkinningData} from "sinew-skinning/babylon/loader";
import {Sinew as SinewOfFew} from "sinew-skinning/few/babylon";
import {decodeBase64, captureDraws, finder, kSize, largest, readPixels, share, takeFrames} from "./web_package_page.js";

registerSkinningData();
const canvas = document.body.appendChild(document.createElement("canvas"));
canvas.width = canvas.height = kSize;
const engine = new Engine(canvas, true, {preserveDrawingBuffer: true, useHighPrecisionMatrix: true});
engine.getCaps().parallelShaderCompile = undefined; // programs are ready when asked for
const gl = engine._gl;

async function load(glb, rightHanded) {
  const scene = new Scene(engine);
  scene.useRightHandedSystem = rightHanded;
  new ArcRotateCamera("camera", 1, 1, 1, Vector3.Zero(), scene);
  const {meshes, animationGroups} = await ImportMeshAsync(decodeBase64(glb), scene, {pluginExtension: ".glb"});
  animationGroups.forEach(group => group.stop());
  return {scene, root: meshes[0], meshes: meshes.filter(mesh => mesh.skeleton)};
}

// Puts the joints where sinew has them, by the nodes that Babylon's loader has linked to the bones.
function setPose({root, meshes}, vectors, pose) {
  const wanted = new Map(vectors.joints.map(({name}, j) => [name, Matrix.FromArray(pose.matrices, 16 * j)]));
  const base = root.computeWorldMatrix(true), done = new Set();
  for (const skeleton of new Set(meshes.map(mesh => mesh.skeleton)))
    for (const bone of skeleton.bones) {
      const node = bone.getTransformNode(), matrix = wanted.get(bone.name);
      if (!matrix || done.has(node)) continue;
      done.add(node);
      const above = node.parent?.computeWorldMatrix(true) ?? Matrix.Identity();
      node.rotationQuaternion ??= Quaternion.Identity();
      matrix.multiply(base).multiply(Matrix.Invert(above)).decompose(node.scaling, node.rotationQuaternion, node.position);
      node.computeWorldMatrix(true);
    }
  let target = 0;
  for (const {morphTargetManager: manager} of meshes)
    for (let i = 0; i < (manager?.numTargets ?? 0); ++i) manager.getTarget(i).influence = pose.morph_weights[target++] ?? 0;
}

// Babylon goes on without a shader that does not compile.
const failed = new Promise((_, reject) => engine.onEffectErrorObservable.add(({errors}) => reject(new Error(errors))));
failed.catch(() => {});
const ready = scene => Promise.race([scene.whenReadyAsync(true), failed]);

// ---- Vertices as the vertex shader has them, by transform feedback in Babylon's own draw ------------

const capture = captureDraws(gl);

// Says where a material's vertices are. Somebody else's plugin, and first in the material.
class CapturePlugin extends MaterialPluginBase {
  constructor(material) {
    super(material, "Capture", 100, {}, true, true);
  }

  getClassName() {
    return "CapturePlugin";
  }

  getCustomCode(type) {
    return type === "vertex" ? {CUSTOM_VERTEX_DEFINITIONS: "varying vec3 capturedPosition;\nvarying vec3 capturedNormal;",
                                CUSTOM_VERTEX_MAIN_END: `capturedPosition = vPositionW;
#ifdef NORMAL
capturedNormal = vNormalW;
#else
capturedNormal = vec3(0.0);
#endif`} : null;
  }
}

// Position and normal of every vertex of every mesh, and of each instance one after another.
async function readVertices({scene, meshes}) {
  const positions = [], normals = [];
  for (const mesh of meshes) {
    scene.meshes.forEach(each => each.isVisible = each === mesh); // those without a skin too
    mesh.alwaysSelectAsActiveMesh = true;
    await ready(scene);
    const found = capture(mesh.getTotalVertices(), () => scene.render());
    if (found.length !== 1) throw new Error(`${found.length} draws of '${mesh.name}'`);
    positions.push(...found[0][0]);
    normals.push(...found[0][1]);
  }
  scene.meshes.forEach(mesh => mesh.isVisible = true);
  return {positions, normals};
}

// sinew's bind pose from the mesh's own space.
function modelFromMesh(mesh, vectors) {
  const bone = mesh.skeleton.bones.find(each => each.getIndex() >= 0);
  const joint = vectors.joints.find(({name}) => name === bone.name);
  return bone.getAbsoluteInverseBindMatrix().multiply(Matrix.Invert(Matrix.FromArray(joint.inverse_bind)));
}

// For every vertex of Babylon's meshes those of the vectors at its place of the bind pose: sinew keeps
// a place once where Babylon may have it several times, with several normals.
function matchVertices(meshes, vectors) {
  const find = finder(vectors);
  return meshes.flatMap(mesh => {
    const positions = mesh.getVerticesData("position"), model = modelFromMesh(mesh, vectors);
    return Array.from({length: positions.length / 3}, (_, v) =>
      find(Vector3.TransformCoordinates(Vector3.FromArray(positions, 3 * v), model).asArray()));
  });
}

// sinew's normals of the bind pose: a file may lack some, and sinew repairs others. Pictures of vertices are compared, not of repairs.
function giveNormals(meshes, vectors, order) {
  let first = 0;
  for (const mesh of meshes) {
    const count = mesh.getTotalVertices(), fromModel = Matrix.Invert(modelFromMesh(mesh, vectors)), values = [];
    for (let v = 0; v < count; ++v)
      values.push(...Vector3.TransformNormal(Vector3.FromArray(vectors.normals, 3 * order[first + v][0]), fromModel).normalize().asArray());
    mesh.setVerticesData("normal", values);
    first += count;
  }
}

// As if the file stated a method and its options: extras of a node.
function state(model, skinning) {
  if (skinning) model.root.metadata = {gltf: {extras: {sinew: {skinning}}}};
}

// Largest distances of any vertex from sinew's own, of the size, and angles of normals, by method and pose. unnamed: by
// the method that the file states. stated: by method what a file states of it.
// few: by the program with three methods.
window.compareVertices = async ({glb, vectors, stated = {}, unnamed, few}) => {
  const sinew = await (few ? SinewOfFew : Sinew).load(), model = await load(glb, true);
  const order = matchVertices(model.meshes, vectors);
  new Set(model.meshes.map(mesh => mesh.material)).forEach(material => new CapturePlugin(material));
  const out = {};
  for (const {name} of vectors.methods) {
    state(model, stated[name]);
    const began = performance.now();
    const handle = sinew.use(model.meshes, unnamed ? undefined : name);
    const milliseconds = performance.now() - began;
    const vertices = [], normals = [], cpu = [];
    for (const pose of vectors.poses) {
      setPose(model, vectors, pose);
      const read = await readVertices(model), wanted = pose.methods[name];
      vertices.push(largest(read.positions, wanted.positions, order) / vectors.size);
      normals.push(largest(read.normals, wanted.normals, order));
      const places = model.meshes.flatMap(mesh => [...mesh.getPositionData(true, true)].map((_, i, all) => i % 3 ? [] :
        Vector3.TransformCoordinates(Vector3.FromArray(all, i), mesh.getWorldMatrix()).asArray()).flat());
      cpu.push(largest(places, wanted.positions, order) / vectors.size);
    }
    handle.dispose();
    out[name] = {method: handle.method, vertices, normals, cpu, milliseconds, stored: "bindAll" in handle.skin};
  }
  return out;
};

// A crowd that shows every pose, the last one first, each character beside the other, in one draw a mesh.
window.compareCrowd = async ({glb, vectors}) => {
  const sinew = await Sinew.load(), model = await load(glb, true), order = matchVertices(model.meshes, vectors), out = {};
  const count = vectors.poses.length;
  new Set(model.meshes.map(mesh => mesh.material)).forEach(material => new CapturePlugin(material));
  for (const {name} of vectors.methods) {
    const crowd = sinew.crowd(model.root, name, {count});
    vectors.poses.forEach((pose, p) => {
      setPose(model, vectors, pose);
      crowd.writePose(p);
      crowd.setPoseAt(p, count - 1 - p);
      crowd.setMatrixAt(p, Matrix.Translation(p * vectors.size, 0, 0));
    });
    model.meshes.forEach(mesh => mesh.setEnabled(false));
    const places = vectors.poses.map(() => []), meshes = crowd.object.getChildMeshes();
    for (const mesh of meshes) { // one draw of each mesh, or readVertices() throws
      meshes.forEach(each => each.setEnabled(each === mesh));
      const {positions} = await readVertices({scene: model.scene, meshes: [mesh]}), each = positions.length / count;
      places.forEach((place, p) => positions.slice(each * p, each * (p + 1)).forEach((value, i) =>
        place.push(i % 3 === 0 ? value - p * vectors.size : value)));
    }
    out[name] = {draws: meshes.length, meshes: model.meshes.length, vertices: places.map((place, p) =>
      largest(place, vectors.poses[count - 1 - p].methods[name].positions, order) / vectors.size)};
    crowd.dispose();
    model.meshes.forEach(mesh => mesh.setEnabled(true));
  }
  return out;
};

// ---- Pictures, shadows, rays -----------------------------------------------------------------------

function findBox(values) {
  const least = [Infinity, Infinity, Infinity], most = least.map(value => -value);
  values.forEach((value, i) => {
    least[i % 3] = Math.min(least[i % 3], value);
    most[i % 3] = Math.max(most[i % 3], value);
  });
  const center = new Vector3(...least.map((value, c) => (value + most[c]) / 2));
  return {center, floor: least[1], size: Math.hypot(...least.map((value, c) => value - most[c]))};
}

// point: whether the light is a point's, whose shadows are drawn into a cube.
function light(scene, {center, floor, size}, meshes, point = false) {
  scene.clearColor = new Color4(0.87, 0.89, 0.93, 1);
  const camera = scene.activeCamera;
  camera.setTarget(center);
  camera.setPosition(center.add(new Vector3(0.9, 0.5, -1.1).scale(1.1 * size)));
  [camera.minZ, camera.maxZ, camera.fov] = [0.01 * size, 20 * size, 0.6];
  new HemisphericLight("sky", Vector3.Up(), scene).intensity = 0.5;
  const place = center.add(new Vector3(0.6, 1, -0.8).scale(size));
  const sun = point ? new PointLight("sun", place, scene) : new DirectionalLight("sun", new Vector3(-0.6, -1, 0.8), scene);
  Object.assign(sun, {position: place, intensity: 0.8, shadowMinZ: 0.01 * size, shadowMaxZ: 4 * size});
  if (!point) Object.assign(sun, {autoUpdateExtends: false, orthoLeft: -size, orthoRight: size, orthoTop: size, orthoBottom: -size});
  const shadow = new ShadowGenerator(1024, sun);
  shadow.bias = 0.005;
  meshes.forEach(mesh => shadow.addShadowCaster(mesh));
  const ground = CreateGround("ground", {width: 4 * size, height: 4 * size}, scene);
  ground.position.set(center.x, floor, center.z);
  ground.receiveShadows = true;
  ground.material = new StandardMaterial("ground", scene);
  ground.material.diffuseColor = new Color3(0.7, 0.7, 0.7);
  ground.material.specularColor = Color3.Black();
  return {shadow, ground, sun};
}

const pixels = () => readPixels(gl);

// sinew's vertices in rigid meshes of the same materials, in the place of the meshes.
function makeStill({scene, root, meshes}, wanted, order, shadow) {
  let first = 0;
  for (const mesh of meshes) {
    const count = mesh.getTotalVertices(), data = new VertexData(), still = new Mesh("still", scene, root);
    const values = name => Float32Array.from({length: 3 * count}, (_, i) => wanted[name][3 * order[first + Math.floor(i / 3)][0] + i % 3]);
    Object.assign(data, {indices: mesh.isUnIndexed ? Array.from({length: count}, (_, i) => i) : mesh.getIndices(), positions: values("positions"), normals: values("normals"),
                         uvs: mesh.getVerticesData("uv"), colors: mesh.getVerticesData("color")});
    data.applyToMesh(still);
    first += count;
    Object.assign(still, {material: mesh.material, receiveShadows: true, alwaysSelectAsActiveMesh: true,
                          overrideMaterialSideOrientation: mesh.overrideMaterialSideOrientation,
                          sideOrientation: mesh.sideOrientation});
    shadow.removeShadowCaster(mesh);
    shadow.addShadowCaster(still);
    mesh.isVisible = mesh.isPickable = false;
  }
}

// The character by a method, lit and with its shadow; and with sinew's vertices in rigid meshes of
// the same materials. Returns how many pixels differ, and of how many the method changes anything.
// The scene is left-handed, as Babylon's are.
window.comparePictures = async ({glb, vectors, method, pose: at, stated, point}) => {
  const sinew = await Sinew.load(), model = await load(glb, false), pose = vectors.poses[at];
  const {scene, root, meshes} = model;
  const order = matchVertices(meshes, vectors), wanted = pose.methods[method];
  giveNormals(meshes, vectors, order);
  const mirrored = order.flatMap(([from]) => [-wanted.positions[3 * from], wanted.positions[3 * from + 1], wanted.positions[3 * from + 2]]);
  const {shadow, ground, sun} = light(scene, findBox(mirrored), meshes, point);
  setPose(model, vectors, pose);
  meshes.forEach(mesh => Object.assign(mesh, {receiveShadows: true, alwaysSelectAsActiveMesh: true}));
  const picture = async () => (await ready(scene), scene.render(), pixels());
  const rays = () => Array.from({length: 144}, (_, i) => {
    const hit = scene.pick((i % 12 + 0.5) * kSize / 12, (Math.floor(i / 12) + 0.5) * kSize / 12, mesh => mesh.isVisible && mesh !== ground);
    return hit.hit ? hit.distance : null;
  });
  const linear = await picture();
  const bounds = meshes.map(mesh => mesh.getBoundingInfo());
  state(model, stated);
  const handle = sinew.use(root, method);
  const ours = await picture();
  const shown = canvas.toDataURL();
  sun.shadowEnabled = false;
  const shaded = share(ours, await picture());
  sun.shadowEnabled = true;
  meshes.forEach(mesh => mesh.refreshBoundingInfo({applySkeleton: true}));
  const corners = findBox(meshes.flatMap(mesh => mesh.getBoundingInfo().boundingBox.vectorsWorld.flatMap(each => each.asArray())));
  const wantedBox = findBox(mirrored);
  const met = rays();
  handle.dispose();
  const kept = meshes.every((mesh, m) => mesh.getBoundingInfo() === bounds[m] && mesh.material.shadowDepthWrapper === null);
  const after = await picture();
  makeStill(model, wanted, order, shadow);
  const theirs = await picture();
  const expected = rays();
  const distances = expected.map((hit, i) => (hit === null) !== (met[i] === null) ? Infinity : Math.abs((hit ?? 0) - (met[i] ?? 0)));
  return {picture: shown, expected: canvas.toDataURL(), differs: share(ours, theirs), changed: share(ours, linear), shadow: shaded,
          bounds: Math.max(Vector3.Distance(corners.center, wantedBox.center), Math.abs(corners.size - wantedBox.size)) / vectors.size,
          restored: kept ? share(after, linear) : Infinity, rays: Math.max(...distances) / vectors.size,
          met: expected.filter(hit => hit !== null).length};
};

// Linear blending by Babylon and by the package: how many pixels differ; and how many the normal map changes.
window.compareLinear = async ({glb, vectors, pose: at}) => {
  const sinew = await Sinew.load(), {scene, root, meshes} = await load(glb, false), pose = vectors.poses[at];
  const mirrored = pose.methods.lbs.positions.map((value, i) => i % 3 ? value : -value);
  light(scene, findBox(mirrored), meshes);
  setPose({root, meshes}, vectors, pose);
  meshes.forEach(mesh => Object.assign(mesh, {receiveShadows: true, alwaysSelectAsActiveMesh: true}));
  const draw = async () => (await ready(scene), scene.render(), pixels());
  const theirs = await draw(), handle = sinew.use(root, "lbs"), ours = await draw(), picture = canvas.toDataURL();
  handle.dispose();
  meshes.forEach(({material}) => material.bumpTexture = null);
  return {picture, differs: share(ours, theirs), mapped: share(theirs, await draw())};
};

// One character with its shadow by use(), and the same by a crowd of one: how many pixels differ, and how many
// the shadow changes.
window.compareCrowdPicture = async ({glb, vectors, method, pose: at}) => {
  const sinew = await Sinew.load(), model = await load(glb, false), pose = vectors.poses[at], {scene, root, meshes} = model;
  const mirrored = pose.methods[method].positions.map((value, i) => i % 3 ? value : -value);
  const {shadow, sun} = light(scene, findBox(mirrored), meshes);
  setPose(model, vectors, pose);
  meshes.forEach(mesh => Object.assign(mesh, {receiveShadows: true, alwaysSelectAsActiveMesh: true}));
  const draw = async () => (await ready(scene), scene.render(), pixels());
  const handle = sinew.use(root, method), single = await draw();
  handle.dispose();
  const crowd = sinew.crowd(root, method, {count: 1});
  root.setEnabled(false);
  crowd.object.setEnabled(false);
  const nothing = await draw();
  crowd.object.setEnabled(true);
  crowd.object.getChildMeshes().forEach(mesh => shadow.addShadowCaster(mesh));
  const crowded = await draw(), picture = canvas.toDataURL();
  sun.shadowEnabled = false;
  const lit = await draw();
  crowd.dispose();
  return {picture, differs: share(single, crowded), shadow: share(lit, crowded), shown: share(nothing, crowded)};
};

// ---- Frame costs -----------------------------------------------------------------------------------

// As in web_package_three.js, of one character.
window.measureFrames = async ({glb, methods, rounds}) => {
  const sinew = await Sinew.load(), ways = [];
  for (const method of [null, ...methods]) {
    const model = await load(glb, true), {scene} = model, group = scene.animationGroups.at(-1);
    const {min, max} = model.root.getHierarchyBoundingVectors(), size = max.subtract(min).length();
    new HemisphericLight("light", new Vector3(0, 1, 0), scene);
    Object.assign(scene.activeCamera, {target: min.add(max).scale(0.5), alpha: 1.2, beta: 1.2, radius: 1.5 * size, minZ: 0.01 * size, maxZ: 10 * size});
    model.meshes.forEach(mesh => mesh.alwaysSelectAsActiveMesh = true);
    if (method) sinew.use(model.meshes, method);
    group.start(true);
    await ready(scene);
    const {framePerSecond} = group.targetedAnimations[0].animation, frames = group.to - group.from;
    ways.push({name: method ?? "linear blending", gl, pose: seconds => group.goToFrame(group.from + seconds * framePerSecond % frames),
               draw: () => scene.render()});
  }
  return takeFrames(ways, rounds);
};
