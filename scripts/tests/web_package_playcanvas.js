// The page of web_package_test.py for PlayCanvas: skins by the package, reads the vertices back, draws and casts shadows.
// `job` (window.job) has a model and sinew's own vertices (`sinew reference`).
import * as pc from "playcanvas";
import {Sinew} from "sinew-skinning/playcanvas";

const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

const kSize = 320;
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
  const url = URL.createObjectURL(new Blob([bytesOf(glb)]));
  const asset = new pc.Asset("model", "container", {url, filename: "model.glb"});
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
}

function render() {
  app.render();
  if (failed) throw new Error(failed);
}

// ---- Vertices as the vertex shader has them, by transform feedback in PlayCanvas's own draw ---------

let capturing = null;
const link = gl.linkProgram.bind(gl);
gl.linkProgram = program => {
  const vertex = gl.getAttachedShaders(program).find(shader => gl.getShaderSource(shader).includes("capturedPosition"));
  if (vertex) gl.transformFeedbackVaryings(program, ["capturedPosition", "capturedNormal"], gl.SEPARATE_ATTRIBS);
  link(program);
};

// Every vertex once, as a point: OpenGL ES 3.0 captures no draw by indices.
const drawElements = gl.drawElements.bind(gl), drawArrays = gl.drawArrays.bind(gl);
function captureDraw({count, found}) {
  const program = gl.getParameter(gl.CURRENT_PROGRAM);
  if (!gl.getProgramParameter(program, gl.TRANSFORM_FEEDBACK_VARYINGS)) return;
  const buffers = [0, 1].map(i => {
    const buffer = gl.createBuffer();
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 12 * count, gl.STATIC_READ);
    return buffer;
  });
  gl.beginTransformFeedback(gl.POINTS);
  drawArrays(gl.POINTS, 0, count);
  gl.endTransformFeedback();
  found.push(buffers.map((buffer, i) => {
    const values = new Float32Array(3 * count);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, null);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, values);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
    gl.deleteBuffer(buffer);
    return values;
  }));
}
gl.drawElements = (...words) => capturing ? captureDraw(capturing) : drawElements(...words);
gl.drawArrays = (...words) => capturing ? captureDraw(capturing) : drawArrays(...words);

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
  for (const mesh of meshes) {
    meshes.forEach(each => each.visible = each === mesh);
    capturing = {count: mesh.mesh.vertexBuffer.numVertices, found: []};
    render();
    const {found} = capturing;
    capturing = null;
    if (found.length !== 1) throw new Error(`${found.length} draws of '${mesh.node.name}'`);
    positions.push(...found[0][0]);
    normals.push(...found[0][1]);
  }
  meshes.forEach(mesh => mesh.visible = true);
  return {positions, normals};
}

// Finds vertices of the vectors by their place of the bind pose, within rounding.
function finder({vertices, positions, size}) {
  const at = new Map(), cell = 4e-6 * size, key = place => place.map(value => Math.round(value / cell)).join();
  const add = (where, v) => at.has(where) ? at.get(where).push(v) : at.set(where, [v]);
  for (let v = 0; v < vertices.length; ++v) add(key(positions.slice(3 * v, 3 * v + 3)), v);
  const steps = [-1, 0, 1].flatMap(x => [-1, 0, 1].flatMap(y => [-1, 0, 1].map(z => [x, y, z].map(step => step * cell))));
  return place => steps.flatMap(step => at.get(key(place.map((value, c) => value + step[c]))) ?? [])
    .filter(v => Math.hypot(...place.map((value, c) => value - positions[3 * v + c])) < cell);
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
      const found = find([point.x, point.y, point.z]);
      if (!found.length) throw new Error("a vertex of PlayCanvas is not among the vectors");
      return found;
    });
  });
}

function largest(got, wanted, order) {
  let most = 0;
  order.forEach((candidates, v) => {
    const apart = Math.min(...candidates.map(from => Math.hypot(...[0, 1, 2].map(c => got[3 * v + c] - wanted[3 * from + c]))));
    if (!(apart <= most)) most = apart;
  });
  return most;
}

// Largest distances of any vertex from sinew's own, of the size, and angles of normals, by method and pose. stated: by
// method what a file states of it, of which PlayCanvas's loader keeps nothing.
window.compareVertices = async ({glb, vectors, stated = {}}) => {
  const sinew = await Sinew.load(), model = await load(glb), order = matchVertices(model.meshes, vectors), out = {};
  model.meshes.forEach(mesh => mesh.material = captureMaterial(mesh.material));
  for (const {name} of vectors.methods) {
    const handle = sinew.use(model.entity, name, stated[name] ?? {});
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
    out[name] = {method: handle.method, vertices, normals, cpu};
  }
  return out;
};

// ---- Pictures and shadows --------------------------------------------------------------------------

function pixels() {
  render();
  render(); // what the first draw has made ready is in the second
  const out = new Uint8Array(4 * kSize * kSize);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.readPixels(0, 0, kSize, kSize, gl.RGBA, gl.UNSIGNED_BYTE, out);
  return out;
}
const share = (a, b) => {
  let apart = 0;
  for (let i = 0; i < a.length; i += 4)
    if (Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2])) > 8) ++apart;
  return 4 * apart / a.length;
};

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
