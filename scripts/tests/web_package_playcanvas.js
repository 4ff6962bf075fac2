// The page of web_package_test.py for PlayCanvas: skins by the package, reads the vertices back, draws and casts shadows.
// `job` (window.job) has a model and sinew's own vertices (`sinew reference`).
import * as pc from "playcanvas";
import {Sinew as SinewOfFew} from "sinew-skinning/few/playcanvas";
import {Sinew} from "sinew-skinning/playcanvas";
import {keepSkinningData} from "sinew-skinning/playcanvas/loader";
import {decodeBase64, captureDraws, finder, kSize, largest, readPixels, share} from "./web_package_page.js";

const canvas = document.body.appendChild(document.createElement("canvas"));
canvas.width = canvas.height = kSize;
const app = new pc.Application(canvas, {graphicsDeviceOptions: {preserveDrawingBuffer: true, antialias: true}});
app.setCanvasFillMode(pc.FILLMODE_NONE, kSize, kSize);
app.graphicsDevice.maxPixelRatio = 1;
app.autoRender = false;
app.start();
const {gl} = app.graphicsDevice;

// PlayCanvas goes on without a shader that does not compile.
let failed = "";
const complain = console.error.bind(console);
console.error = (...words) => {
  failed ||= words.join(" ");
  complain(...words);
};

async function load(glb) {
  const url = URL.createObjectURL(new Blob([decodeBase64(glb)]));
  const asset = new pc.Asset("model", "container", {url, filename: "model.glb"}, {},
                             keepSkinningData({morphPreserveData: true, morphPreferHighPrecision: true}));
  app.assets.add(asset);
  app.assets.load(asset);
  await new Promise((done, fail) => (asset.once("load", done), asset.once("error", error => fail(new Error(error)))));
  const entity = asset.resource.instantiateRenderEntity({castShadows: true, receiveShadows: true});
  app.root.addChild(entity);
  const meshes = entity.findComponents("render").flatMap(({meshInstances}) => meshInstances).filter(({skinInstance}) => skinInstance);
  const camera = new pc.Entity("camera");
  camera.addComponent("camera", {clearColor: new pc.Color(0.87, 0.89, 0.93), fov: 34});
  app.root.addChild(camera);
  meshes.forEach(mesh => mesh.cull = false);
  return {entity, camera, meshes};
}

// Puts the joints where sinew has them.
function setPose({entity, meshes}, vectors, pose) {
  const wanted = new Map(vectors.joints.map(({name}, j) => [name, new pc.Mat4().set(pose.matrices.slice(16 * j, 16 * j + 16))]));
  const bones = new Set(meshes.flatMap(({skinInstance}) => skinInstance.bones)), matrix = new pc.Mat4(), done = new Set();
  const place = node => {
    if (bones.has(node) && wanted.has(node.name) && !done.has(node)) {
      done.add(node);
      matrix.copy(node.parent.getWorldTransform()).invert().mul(wanted.get(node.name));
      node.setLocalPosition(matrix.getTranslation());
      node.setLocalRotation(new pc.Quat().setFromMat4(matrix));
      node.setLocalScale(matrix.getScale());
    }
    node.children.forEach(place);
  };
  place(entity);
  let target = 0;
  for (const {morphInstance} of meshes)
    for (let i = 0; i < (morphInstance?.morph.targets.length ?? 0); ++i) morphInstance.setWeight(i, pose.morph_weights[target++] ?? 0);
}

function render() {
  app.render();
  if (failed) throw new Error(failed);
}

// ---- Vertices as the vertex shader has them, by transform feedback in PlayCanvas's own draw ---------

const capture = captureDraws(gl);

// A material that says where its vertices are, before `use` patches it.
function captureMaterial(original) {
  const material = original.clone(), chunks = material.getShaderChunks(pc.SHADERLANGUAGE_GLSL);
  chunks.set("litUserDeclarationVS", "varying vec3 capturedPosition;\nvarying vec3 capturedNormal;");
  chunks.set("litUserMainEndVS", `capturedPosition = vPositionW;
#ifdef NORMALS
capturedNormal = vNormalW;
#else
capturedNormal = vec3(0.0);
#endif`);
  material.update();
  return material;
}

function readVertices({meshes}) {
  const positions = [], normals = [];
  render(); // draws the morph targets' textures, which is no draw to capture
  for (const mesh of meshes) {
    meshes.forEach(each => each.visible = each === mesh);
    const found = capture(mesh.mesh.vertexBuffer.numVertices, render);
    if (found.length !== 1) throw new Error(`${found.length} draws of '${mesh.node.name}'`);
    positions.push(...found[0][0]);
    normals.push(...found[0][1]);
  }
  meshes.forEach(mesh => mesh.visible = true);
  return {positions, normals};
}

// For every vertex of the meshes those of the vectors at its place of the bind pose.
function matchVertices(meshes, vectors) {
  const find = finder(vectors), point = new pc.Vec3();
  return meshes.flatMap(({mesh, skinInstance: {bones, skin}}) => {
    const joint = vectors.joints.find(({name}) => name === bones[0].name), positions = [];
    const model = new pc.Mat4().set(joint.inverse_bind).invert().mul(skin.inverseBindPose[0]);
    mesh.getPositions(positions);
    return Array.from({length: positions.length / 3}, (_, v) => {
      model.transformPoint(point.set(...positions.slice(3 * v, 3 * v + 3)), point);
      return find([point.x, point.y, point.z]);
    });
  });
}

// Largest distances of any vertex from sinew's own, of the size, and angles of normals, by method and pose. stated: by
// method what a file states of it. unnamed: the method is the file's.
// draco: PlayCanvas's decoder, its script and its module.
window.compareVertices = async ({glb, vectors, stated = {}, unnamed, few, draco}) => {
  if (draco) {
    const [jsUrl, wasmUrl] = draco.map(bytes => URL.createObjectURL(new Blob([decodeBase64(bytes)])));
    pc.dracoInitialize({jsUrl, wasmUrl});
  }
  const sinew = await (few ? SinewOfFew : Sinew).load(), model = await load(glb), order = matchVertices(model.meshes, vectors), out = {};
  model.meshes.forEach(mesh => mesh.material = captureMaterial(mesh.material));
  for (const {name} of vectors.methods) {
    const handle = sinew.use(model.entity, unnamed ? undefined : name, stated[name] ?? {});
    const vertices = [], normals = [], cpu = [];
    for (const pose of vectors.poses) {
      setPose(model, vectors, pose);
      const read = readVertices(model), wanted = pose.methods[name];
      vertices.push(largest(read.positions, wanted.positions, order) / vectors.size);
      normals.push(largest(read.normals, wanted.normals, order));
      const places = handle.positions().map((value, i) => value + handle.origin[i % 3]);
      cpu.push(largest(places, wanted.positions, order) / vectors.size);
    }
    handle.dispose();
    out[name] = {method: handle.method, vertices, normals, cpu, stored: "bindAll" in handle.skin};
  }
  return out;
};

// A crowd that shows every pose, the last one first, each character beside the other, in one draw a mesh.
window.compareCrowd = async ({glb, vectors}) => {
  const sinew = await Sinew.load(), model = await load(glb), order = matchVertices(model.meshes, vectors), out = {};
  const count = vectors.poses.length;
  model.meshes.forEach(mesh => mesh.material = captureMaterial(mesh.material));
  model.meshes.forEach(mesh => mesh.visible = false);
  for (const {name} of vectors.methods) {
    const crowd = sinew.crowd(model.entity, name, {count});
    vectors.poses.forEach((pose, p) => {
      setPose(model, vectors, pose);
      crowd.writePose(p);
      crowd.setPoseAt(p, count - 1 - p);
      crowd.setMatrixAt(p, new pc.Mat4().setTranslate(p * vectors.size, 0, 0));
    });
    app.root.addChild(crowd.object);
    const places = vectors.poses.map(() => []);
    let draws = 0;
    for (const mesh of crowd.instances) {
      crowd.instances.forEach(each => each.visible = each === mesh);
      const drawn = capture(mesh.mesh.vertexBuffer.numVertices, render), [[found]] = drawn, each = found.length / count;
      draws += drawn.length;
      places.forEach((place, p) => found.subarray(each * p, each * (p + 1)).forEach((value, i) =>
        place.push(i % 3 === 0 ? value - p * vectors.size : value)));
    }
    out[name] = {draws, meshes: model.meshes.length, vertices: places.map((place, p) =>
      largest(place, vectors.poses[count - 1 - p].methods[name].positions, order) / vectors.size)};
    crowd.dispose();
  }
  return out;
};

// Largest distances of vertices, drawn and on the CPU, from the mirror images of sinew's own, below a negative scale.
window.compareMirrored = async ({glb, vectors}) => {
  const sinew = await Sinew.load(), model = await load(glb), order = matchVertices(model.meshes, vectors), out = {}, above = new pc.Entity();
  app.root.addChild(above);
  above.addChild(model.entity);
  model.meshes.forEach(mesh => mesh.material = captureMaterial(mesh.material));
  const mirrored = values => Array.from(values, (value, i) => i % 3 ? value : -value);
  for (const {name} of vectors.methods) {
    const handle = sinew.use(model.entity, name), vertices = [], normals = [], cpu = [];
    for (const pose of vectors.poses) {
      above.setLocalScale(1, 1, 1);
      setPose(model, vectors, pose);
      above.setLocalScale(-1, 1, 1);
      const read = readVertices(model), wanted = pose.methods[name];
      vertices.push(largest(mirrored(read.positions), wanted.positions, order) / vectors.size);
      normals.push(largest(mirrored(read.normals), wanted.normals, order));
      const own = handle.positions().map((value, i) => value + handle.origin[i % 3]);
      cpu.push(largest(mirrored(own), wanted.positions, order) / vectors.size);
    }
    handle.dispose();
    out[name] = {vertices, normals, cpu};
  }
  return out;
};

// A copy of a character that has a method, beside a fresh character in the same pose: the share of pixels that differ while the copy has
// no method, with one of its own, and after all handles are gone.
window.compareClone = async ({glb, vectors}) => {
  const sinew = await Sinew.load(), model = await load(glb), fresh = await load(glb), [pose] = vectors.poses;
  light(fresh, vectors.positions);
  const handle = sinew.use(model.entity, "arc-spline"), entity = model.entity.clone();
  app.root.addChild(entity);
  const meshes = entity.findComponents("render").flatMap(({meshInstances}) => meshInstances).filter(({skinInstance}) => skinInstance);
  meshes.forEach(mesh => mesh.cull = false);
  for (const each of [fresh, {entity, meshes}]) setPose(each, vectors, pose);
  const draw = shown => {
    for (const each of [model.entity, fresh.entity, entity]) each.enabled = each === shown;
    return pixels();
  };
  const differ = () => share(draw(fresh.entity), draw(entity)), linear = draw(fresh.entity), without = differ();
  const handles = [fresh.entity, entity].map(each => {
    each.enabled = true; // a disabled one has no skin
    return sinew.use(each, "dqs");
  });
  const own = differ(), changed = share(linear, draw(entity));
  handles.forEach(each => each.dispose());
  handle.dispose();
  handle.dispose();
  return {without, own, changed, after: differ()};
};

// The largest distance of a vertex from sinew's own where an entity was disabled between two poses.
window.compareEnabled = async ({glb, vectors}) => {
  const sinew = await Sinew.load(), model = await load(glb), order = matchVertices(model.meshes, vectors), [{name}] = vectors.methods;
  model.meshes.forEach(mesh => mesh.material = captureMaterial(mesh.material));
  const handle = sinew.use(model.entity, name), apart = vectors.poses.map(pose => {
    setPose(model, vectors, pose);
    const {positions} = readVertices(model);
    model.entity.enabled = false;
    render();
    model.entity.enabled = true;
    return largest(positions, pose.methods[name].positions, order) / vectors.size;
  });
  handle.dispose();
  return {apart, own: model.meshes.some(mesh => Object.hasOwn(mesh, "skinInstance"))};
};

// ---- Pictures and shadows --------------------------------------------------------------------------

function pixels() {
  render();
  render(); // what the first draw has made ready is in the second
  return readPixels(gl);
}

function light({camera}, positions) {
  const axes = [0, 1, 2].map(c => positions.filter((_, i) => i % 3 === c));
  const least = axes.map(values => Math.min(...values)), most = axes.map(values => Math.max(...values));
  const size = Math.hypot(...least.map((value, c) => most[c] - value)), center = new pc.Vec3(...least.map((value, c) => (value + most[c]) / 2));
  camera.setPosition(center.clone().add(new pc.Vec3(0.9, 0.5, 1.1).mulScalar(1.1 * size)));
  camera.lookAt(center);
  [camera.camera.nearClip, camera.camera.farClip] = [0.01 * size, 20 * size];
  const sun = new pc.Entity("sun"), floor = new pc.Entity("floor");
  sun.addComponent("light", {type: "directional", castShadows: true, shadowDistance: 6 * size, shadowResolution: 1024, shadowBias: 0.2});
  sun.setEulerAngles(40, 30, 0);
  floor.addComponent("render", {type: "plane"});
  floor.setPosition(center.x, least[1], center.z);
  floor.setLocalScale(4 * size, 1, 4 * size);
  app.root.addChild(sun);
  app.root.addChild(floor);
  return sun;
}

// sinew's vertices in rigid meshes of the same materials, in the place of the meshes.
function makeStill(meshes, wanted, order) {
  let first = 0;
  const instances = meshes.map(({mesh, material}) => {
    const count = mesh.vertexBuffer.numVertices, still = new pc.Mesh(app.graphicsDevice), indices = [], uvs = [];
    const values = name => Float32Array.from({length: 3 * count}, (_, i) => wanted[name][3 * order[first + Math.floor(i / 3)][0] + i % 3]);
    still.setPositions(values("positions"));
    still.setNormals(values("normals"));
    if (mesh.getUvs(0, uvs)) still.setUvs(0, uvs);
    if (mesh.getIndices(indices)) still.setIndices(indices);
    still.update(mesh.primitive[0].type);
    first += count;
    return new pc.MeshInstance(still, material);
  });
  const entity = new pc.Entity("still");
  entity.addComponent("render", {meshInstances: instances, castShadows: true, receiveShadows: true});
  instances.forEach(each => each.cull = false);
  app.root.addChild(entity);
}

// The character by a method, lit and with its shadow; and with sinew's vertices in rigid meshes of the same materials.
window.comparePictures = async ({glb, vectors, method, pose: at, stated}) => {
  const sinew = await Sinew.load(), model = await load(glb), pose = vectors.poses[at], wanted = pose.methods[method];
  const order = matchVertices(model.meshes, vectors), sun = light(model, wanted.positions);
  setPose(model, vectors, pose);
  const linear = pixels(), handle = sinew.use(model.entity, method, stated ?? {}), ours = pixels();
  sun.light.castShadows = false;
  const bright = pixels();
  sun.light.castShadows = true;
  handle.dispose();
  const restored = pixels();
  makeStill(model.meshes, wanted, order);
  model.entity.enabled = false;
  const still = pixels();
  return {differs: share(ours, still), changed: share(ours, linear), shadow: share(ours, bright), restored: share(restored, linear)};
};

// One character with its shadow by use(), and the same by a crowd of one: how many pixels differ, and how many the shadow changes.
window.compareCrowdPicture = async ({glb, vectors, method, pose: at}) => {
  const sinew = await Sinew.load(), model = await load(glb), pose = vectors.poses[at], sun = light(model, pose.methods[method].positions);
  setPose(model, vectors, pose);
  const handle = sinew.use(model.entity, method), single = pixels();
  handle.dispose();
  const crowd = sinew.crowd(model.entity, method, {count: 1});
  model.meshes.forEach(mesh => mesh.visible = false);
  const nothing = pixels();
  app.root.addChild(crowd.object);
  const crowded = pixels();
  sun.light.castShadows = false;
  const lit = pixels();
  crowd.dispose();
  return {differs: share(single, crowded), shadow: share(lit, crowded), shown: share(nothing, crowded)};
};
