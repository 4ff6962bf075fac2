// The page of web_package_test.py for three.js: skins by the package, reads the vertices back, draws,
// casts rays and shadows. `job` (window.job) has a model and sinew's own vertices (`sinew reference`).
import * as THREE from "three";
import {GLTFLoader} from "three/addons/loaders/GLTFLoader.js";
import {clone} from "three/addons/utils/SkeletonUtils.js";
import {Sinew} from "sinew-skinning";
import {Sinew as SinewOfFew} from "sinew-skinning/few/three";
import {decodeBase64, captureDraws, finder, kSize, largest, readPixels, share, takeFrames} from "./web_package_page.js";

const toNodeName = name => THREE.PropertyBinding.sanitizeNodeName(name);

const canvas = document.body.appendChild(document.createElement("canvas"));
const renderer = new THREE.WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
renderer.setSize(kSize, kSize);
renderer.shadowMap.enabled = true;
renderer.debug.checkShaderErrors = true;
renderer.debug.onShaderError = (gl, program, vertex, fragment) => {
  throw new Error(gl.getShaderInfoLog(vertex) + gl.getShaderInfoLog(fragment) + gl.getProgramInfoLog(program));
};
const gl = renderer.getContext();

async function load(glb) {
  const gltf = await new GLTFLoader().parseAsync(decodeBase64(glb).buffer, "");
  const scene = new THREE.Scene();
  scene.add(gltf.scene);
  scene.updateMatrixWorld(true);
  const meshes = [];
  gltf.scene.traverse(object => object.isSkinnedMesh && meshes.push(object));
  return {gltf, scene, meshes};
}

// Puts the joints where sinew has them.
function setPose({scene, meshes}, vectors, pose) {
  scene.matrixWorldAutoUpdate = false;
  const matrices = new Map(vectors.joints.map(({name}, j) => [toNodeName(name), pose.matrices.slice(16 * j, 16 * j + 16)]));
  let target = 0;
  for (const mesh of meshes) {
    for (const bone of mesh.skeleton.bones) bone.matrixWorld.fromArray(matrices.get(toNodeName(bone.userData.name ?? bone.name)));
    mesh.skeleton.update();
    mesh.morphTargetInfluences?.forEach((_, i) => mesh.morphTargetInfluences[i] = pose.morph_weights[target++] ?? 0);
  }
}

// ---- Vertices as the vertex shader has them, by transform feedback in three's own draw --------------

const capture = captureDraws(gl);

// A material that says where its vertices are, before `use` patches it.
function captureMaterial() {
  const material = new THREE.MeshStandardMaterial({side: THREE.DoubleSide});
  material.onBeforeCompile = shader => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 capturedPosition;\nvarying vec3 capturedNormal;")
      .replace("#include <project_vertex>", `#include <project_vertex>
mat4 place = modelMatrix;
#ifdef USE_INSTANCING
place *= instanceMatrix;
#endif
capturedPosition = (place * vec4(transformed, 1.0)).xyz;
capturedNormal = normalize(transpose(inverse(mat3(modelMatrix))) * objectNormal);`);
  };
  return material;
}

// Position and normal of every vertex of every mesh in traversal order.
function readVertices({scene, meshes}) {
  const camera = new THREE.PerspectiveCamera();
  const culled = meshes.map(mesh => mesh.frustumCulled);
  meshes.forEach(mesh => mesh.frustumCulled = false);
  const positions = [], normals = [];
  for (const mesh of meshes) {
    meshes.forEach(each => each.visible = each === mesh);
    const [[places, directions]] = capture(mesh.geometry.attributes.position.count, () => renderer.render(scene, camera));
    positions.push(...places);
    normals.push(...directions);
  }
  meshes.forEach((mesh, m) => [mesh.visible, mesh.frustumCulled] = [true, culled[m]]);
  return {positions, normals};
}

// sinew's bind pose from the mesh's own space.
function modelFromMesh({skeleton: {bones, boneInverses}, bindMatrix}, vectors) {
  const joint = vectors.joints.find(({name}) => toNodeName(name) === toNodeName(bones[0].userData.name ?? bones[0].name));
  return new THREE.Matrix4().fromArray(joint.inverse_bind).invert().multiply(boneInverses[0]).multiply(bindMatrix);
}

// For every vertex of three's meshes those of the vectors at its place of the bind pose: sinew keeps
// a place once where three may have it several times, with several normals.
function matchVertices(meshes, vectors) {
  const find = finder(vectors), point = new THREE.Vector3();
  return meshes.flatMap(mesh => {
    const model = modelFromMesh(mesh, vectors), {position} = mesh.geometry.attributes;
    return Array.from({length: position.count}, (_, v) => find(point.fromBufferAttribute(position, v).applyMatrix4(model).toArray()));
  });
}

// sinew's normals of the bind pose: a file may lack some, and sinew repairs others. Pictures of vertices are compared, not of repairs.
function giveNormals(meshes, vectors, order) {
  let first = 0;
  for (const mesh of meshes) {
    const {geometry} = mesh, {count} = geometry.attributes.position, normal = new THREE.Vector3();
    const fromModel = new THREE.Matrix3().getNormalMatrix(modelFromMesh(mesh, vectors).invert());
    const values = new Float32Array(3 * count);
    for (let v = 0; v < count; ++v)
      normal.fromArray(vectors.normals, 3 * order[first + v][0]).applyMatrix3(fromModel).normalize().toArray(values, 3 * v);
    geometry.setAttribute("normal", new THREE.BufferAttribute(values, 3));
    first += count;
  }
}

// As if the file stated a method and its options: extras of a node.
function state(model, skinning) {
  if (skinning) model.gltf.scene.userData.sinew = {skinning};
}

// Largest distances of any vertex from sinew's own, of the size, and angles of normals, by method and pose. unnamed: by
// the method that the file states. stated: by method what a file states of it.
// few: by the program with three methods.
window.compareVertices = async ({glb, vectors, stated = {}, unnamed, few}) => {
  const sinew = await (few ? SinewOfFew : Sinew).load(), model = await load(glb);
  const order = matchVertices(model.meshes, vectors);
  const out = {};
  for (const {name} of vectors.methods) {
    const before = model.meshes.map(mesh => mesh.material);
    model.meshes.forEach(mesh => mesh.material = captureMaterial());
    state(model, stated[name]);
    const began = performance.now();
    const handle = sinew.use(model.scene, unnamed ? undefined : name);
    const milliseconds = performance.now() - began;
    const vertices = [], normals = [], cpu = [];
    for (const pose of vectors.poses) {
      setPose(model, vectors, pose);
      const read = readVertices(model), wanted = pose.methods[name];
      vertices.push(largest(read.positions, wanted.positions, order) / vectors.size);
      normals.push(largest(read.normals, wanted.normals, order));
      const at = new THREE.Vector3(), places = [];
      for (const mesh of model.meshes)
        for (let v = 0; v < mesh.geometry.attributes.position.count; ++v)
          places.push(...mesh.getVertexPosition(v, at).applyMatrix4(mesh.matrixWorld));
      cpu.push(largest(places, wanted.positions, order) / vectors.size);
    }
    handle.dispose();
    model.meshes.forEach((mesh, m) => {
      mesh.material.dispose();
      mesh.material = before[m];
    });
    out[name] = {method: handle.method, vertices, normals, cpu, milliseconds, stored: "bindAll" in handle.skin};
  }
  return out;
};

// Poses the joints by their own places, as an animation does.
function setLocalPose({gltf, meshes}, vectors, pose) {
  const matrices = new Map(vectors.joints.map(({name}, j) => [toNodeName(name), pose.matrices.slice(16 * j, 16 * j + 16)]));
  const bones = new Set(meshes.flatMap(mesh => mesh.skeleton.bones));
  gltf.scene.traverse(object => {
    if (!bones.has(object)) return;
    object.matrixAutoUpdate = false;
    object.matrix.fromArray(matrices.get(toNodeName(object.userData.name ?? object.name)));
    object.matrix.premultiply(object.parent.matrixWorld.clone().invert());
    object.updateWorldMatrix(false, false, true);
  });
}

// A crowd that shows every pose, the last one first, each character beside the other, in one draw a mesh.
window.compareCrowd = async ({glb, vectors}) => {
  const sinew = await Sinew.load(), model = await load(glb), order = matchVertices(model.meshes, vectors), out = {};
  const count = vectors.poses.length, camera = new THREE.PerspectiveCamera();
  model.meshes.forEach(mesh => mesh.material = captureMaterial());
  for (const {name} of vectors.methods) {
    const crowd = sinew.crowd(model.gltf.scene, name, {count});
    vectors.poses.forEach((pose, p) => {
      setLocalPose(model, vectors, pose);
      crowd.writePose(p);
      crowd.setPoseAt(p, count - 1 - p);
      crowd.setMatrixAt(p, new THREE.Matrix4().setPosition(p * vectors.size, 0, 0));
    });
    const scene = new THREE.Scene(), places = vectors.poses.map(() => []);
    scene.add(crowd.object);
    let draws = 0;
    for (const mesh of crowd.parts) {
      crowd.object.children.forEach(each => each.visible = each === mesh);
      const drawn = capture(mesh.geometry.attributes.position.count, () => renderer.render(scene, camera));
      const [[found]] = drawn, each = found.length / count;
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
  const sinew = await Sinew.load(), model = await load(glb), order = matchVertices(model.meshes, vectors), out = {}, above = new THREE.Group();
  model.scene.add(above);
  above.add(model.gltf.scene);
  model.meshes.forEach(mesh => mesh.material = captureMaterial());
  const mirrored = values => Array.from(values, (value, i) => i % 3 ? value : -value), at = new THREE.Vector3();
  for (const {name} of vectors.methods) {
    const handle = sinew.use(model.gltf.scene, name), vertices = [], normals = [], cpu = [];
    for (const pose of vectors.poses) {
      above.scale.x = 1;
      model.scene.updateMatrixWorld(true);
      setLocalPose(model, vectors, pose);
      above.scale.x = -1;
      model.scene.updateMatrixWorld(true);
      const read = readVertices(model), wanted = pose.methods[name], places = [];
      vertices.push(largest(mirrored(read.positions), wanted.positions, order) / vectors.size);
      normals.push(largest(mirrored(read.normals), wanted.normals, order));
      for (const mesh of model.meshes)
        for (let v = 0; v < mesh.geometry.attributes.position.count; ++v)
          places.push(...mesh.getVertexPosition(v, at).applyMatrix4(mesh.matrixWorld));
      const own = handle.positions().map((value, i) => value + handle.origin.getComponent(i % 3));
      cpu.push(...[places, own].map(each => largest(mirrored(each), wanted.positions, order) / vectors.size));
    }
    handle.dispose();
    out[name] = {vertices, normals, cpu};
  }
  return out;
};

// ---- Pictures, shadows, rays -----------------------------------------------------------------------

// point: whether the light is a point's, whose shadows are drawn by the distance material.
function light(scene, box, point = false) {
  const size = box.getSize(new THREE.Vector3()).length(), center = box.getCenter(new THREE.Vector3());
  const sun = point ? new THREE.PointLight(0xffffff, 3, 0, 0) : new THREE.DirectionalLight(0xffffff, 3);
  sun.position.copy(center).add(new THREE.Vector3(0.6, 1, 0.8).multiplyScalar(size));
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, {near: 0.01 * size, far: 4 * size});
  if (!point) {
    sun.target.position.copy(center);
    scene.add(sun.target);
    Object.assign(sun.shadow.camera, {left: -size, right: size, top: size, bottom: -size});
  }
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(4 * size, 4 * size), new THREE.MeshStandardMaterial({color: 0xbbbbbb}));
  floor.rotation.x = -Math.PI / 2;
  floor.position.y = box.min.y;
  floor.receiveShadow = true;
  scene.background = new THREE.Color(0xdde4ee);
  scene.add(sun, new THREE.AmbientLight(0xffffff, 1), floor);
  const camera = new THREE.PerspectiveCamera(35, 1, 0.01 * size, 20 * size);
  camera.position.copy(center).add(new THREE.Vector3(0.9, 0.5, 1.1).multiplyScalar(1.1 * size));
  camera.lookAt(center);
  scene.updateMatrixWorld(true);
  camera.updateMatrixWorld();
  return {camera, floor, sun, size};
}

const pixels = () => readPixels(gl);

// The character by a method, lit and with its shadow; and with sinew's vertices in rigid meshes of
// the same materials. Returns how many pixels differ, and of how many the method changes anything.
window.comparePictures = async ({glb, vectors, method, pose: at, stated, point}) => {
  const sinew = await Sinew.load(), model = await load(glb), pose = vectors.poses[at];
  const order = matchVertices(model.meshes, vectors), wanted = pose.methods[method];
  giveNormals(model.meshes, vectors, order);
  const box = new THREE.Box3().setFromArray(order.flatMap(([from]) => wanted.positions.slice(3 * from, 3 * from + 3)));
  const {camera, sun} = light(model.scene, box, point);
  setPose(model, vectors, pose);
  model.meshes.forEach(mesh => Object.assign(mesh, {castShadow: true, receiveShadow: true, frustumCulled: false}));
  const draw = () => (renderer.render(model.scene, camera), pixels());
  const linear = draw();
  state(model, stated);
  const handle = sinew.use(model.scene, method);
  const ours = draw();
  const picture = canvas.toDataURL();
  sun.castShadow = false;
  const shadow = share(ours, draw());
  sun.castShadow = true;
  const own = new THREE.Box3();
  for (const mesh of model.meshes) {
    mesh.computeBoundingBox();
    own.union(mesh.boundingBox.clone().applyMatrix4(mesh.matrixWorld));
  }
  const bounds = Math.max(own.min.distanceTo(box.min), own.max.distanceTo(box.max)) / vectors.size;
  // Rays through the picture: what they meet is a vertex's triangle at its posed place.
  const caster = new THREE.Raycaster(), hits = [];
  model.meshes.forEach(mesh => (mesh.boundingSphere = null));
  for (let y = 0; y < 12; ++y)
    for (let x = 0; x < 12; ++x) {
      caster.setFromCamera(new THREE.Vector2((x + 0.5) / 6 - 1, (y + 0.5) / 6 - 1), camera);
      hits.push(caster.intersectObjects(model.meshes)[0]?.distance ?? null);
    }
  handle.dispose();
  const after = draw();
  let first = 0;
  const still = model.meshes.map(mesh => {
    const geometry = mesh.geometry.clone(), {count} = mesh.geometry.attributes.position;
    for (const name of ["skinIndex", "skinWeight"]) geometry.deleteAttribute(name);
    geometry.morphAttributes = {};
    for (const [name, values] of [["position", wanted.positions], ["normal", wanted.normals]]) {
      const array = new Float32Array(3 * count);
      for (let v = 0; v < count; ++v) array.set(values.slice(3 * order[first + v][0], 3 * order[first + v][0] + 3), 3 * v);
      geometry.setAttribute(name, new THREE.BufferAttribute(array, 3));
    }
    first += count;
    geometry.deleteAttribute("tangent");
    geometry.boundingSphere = geometry.boundingBox = null; // they are the bind pose's
    const out = new THREE.Mesh(geometry, mesh.material);
    out.castShadow = out.receiveShadow = true;
    out.frustumCulled = false;
    mesh.visible = false;
    model.scene.add(out);
    return out;
  });
  model.scene.updateMatrixWorld(true);
  const theirs = draw();
  let i = 0, rays = 0, met = 0;
  for (let y = 0; y < 12; ++y)
    for (let x = 0; x < 12; ++x, ++i) {
      caster.setFromCamera(new THREE.Vector2((x + 0.5) / 6 - 1, (y + 0.5) / 6 - 1), camera);
      const hit = caster.intersectObjects(still)[0]?.distance ?? null;
      if (hit !== null) ++met;
      if ((hit === null) !== (hits[i] === null)) rays = Infinity;
      else if (hit !== null) rays = Math.max(rays, Math.abs(hit - hits[i]) / vectors.size);
    }
  return {picture, differs: share(ours, theirs), changed: share(ours, linear), restored: share(after, linear), shadow, bounds,
          rays, met};
};

// Linear blending by three and by the package: how many pixels differ; and how many the normal map changes.
window.compareLinear = async ({glb, vectors, pose: at}) => {
  const sinew = await Sinew.load(), model = await load(glb), pose = vectors.poses[at];
  const {camera} = light(model.scene, new THREE.Box3().setFromArray(pose.methods.lbs.positions));
  setPose(model, vectors, pose);
  model.meshes.forEach(mesh => Object.assign(mesh, {castShadow: true, receiveShadow: true, frustumCulled: false}));
  const draw = () => (renderer.render(model.scene, camera), pixels());
  const theirs = draw(), handle = sinew.use(model.scene, "lbs"), ours = draw(), picture = canvas.toDataURL();
  handle.dispose();
  for (const {material} of model.meshes) Object.assign(material, {normalMap: null, needsUpdate: true});
  return {picture, differs: share(ours, theirs), mapped: share(theirs, draw())};
};

// One character with its shadow by use(), and the same by a crowd of one: how many pixels differ, and how many
// the shadow changes.
// mirror: the scale in x of what is above both. rigid: whether a rigid mesh hangs on a bone.
window.compareCrowdPicture = async ({glb, vectors, method, pose: at, mirror = 1, rigid}) => {
  const sinew = await Sinew.load(), model = await load(glb), {scene, gltf, meshes} = model, pose = vectors.poses[at];
  const {camera, sun} = light(scene, new THREE.Box3().setFromArray(pose.methods[method].positions));
  setLocalPose(model, vectors, pose);
  if (rigid) {
    const box = new THREE.Mesh(new THREE.BoxGeometry(...[0.1, 0.3, 0.2].map(side => side * vectors.size)), new THREE.MeshStandardMaterial());
    box.position.set(0.1 * vectors.size, 0, 0);
    const holder = new THREE.Group();
    holder.rotation.z = 1;
    meshes[0].skeleton.bones.at(-1).add(holder.add(box));
    meshes.push(box);
  }
  meshes.forEach(mesh => Object.assign(mesh, {castShadow: true, receiveShadow: true, frustumCulled: false}));
  const draw = () => (renderer.render(scene, camera), pixels()), above = new THREE.Group();
  scene.add(above);
  above.add(gltf.scene);
  above.scale.x = mirror;
  const handle = sinew.use(gltf.scene, method), single = draw();
  handle.dispose();
  const crowd = sinew.crowd(gltf.scene, method, {count: 1});
  gltf.scene.visible = false;
  const nothing = draw();
  above.add(crowd.object);
  const crowded = draw();
  sun.castShadow = false;
  const lit = draw();
  crowd.dispose();
  return {differs: share(single, crowded), shadow: share(lit, crowded), shown: share(nothing, crowded)};
};

// Vertices by the method and options of the file, by the same options given, and by the method without them.
window.compareStored = async ({glb, stated, vectors, method, options}) => {
  const sinew = await Sinew.load(), model = await load(stated), plain = await load(glb);
  const positions = ({gltf}, ...words) => {
    setLocalPose(gltf === model.gltf ? model : plain, vectors, vectors.poses[0]);
    const handle = sinew.use(gltf.scene, ...words), out = [...handle.positions()], {method} = handle;
    handle.dispose();
    return {method, out};
  };
  const stored = positions(model), given = positions(plain, method, options), without = positions(plain, method);
  const most = (a, b) => a.reduce((sum, value, i) => Math.max(sum, Math.abs(value - b[i])), 0);
  let refused = "";
  try { sinew.use(plain.gltf.scene); } catch (error) { refused = error.message; }
  return {method: stored.method, apart: most(stored.out, given.out), moved: most(given.out, without.out), refused,
          other: most(positions(model, "dqs").out, positions(plain, "dqs").out)};
};

// A copy of a character that has a method, beside a fresh character in the same pose: the share of pixels that differ while the copy has
// no method, with one of its own, and after all handles are gone.
window.compareClone = async ({glb, vectors}) => {
  const sinew = await Sinew.load(), model = await load(glb), fresh = await load(glb), [pose] = vectors.poses;
  const {camera} = light(fresh.scene, new THREE.Box3().setFromArray(vectors.positions));
  const handle = sinew.use(model.gltf.scene, "arc-spline"), copied = clone(model.gltf.scene), meshes = [];
  copied.traverse(object => object.isSkinnedMesh && meshes.push(object));
  fresh.scene.add(copied);
  for (const each of [fresh, {gltf: {scene: copied}, meshes}]) setLocalPose(each, vectors, pose);
  for (const mesh of [...fresh.meshes, ...meshes]) Object.assign(mesh, {castShadow: true, receiveShadow: true, frustumCulled: false});
  const draw = object => {
    fresh.gltf.scene.visible = copied.visible = false;
    object.visible = true;
    renderer.render(fresh.scene, camera);
    return pixels();
  };
  const differ = () => share(draw(fresh.gltf.scene), draw(copied));
  const linear = draw(fresh.gltf.scene), without = differ(), handles = [fresh.gltf.scene, copied].map(object => sinew.use(object, "dqs"));
  const own = differ(), changed = share(linear, draw(copied));
  // One of the copy's that shares the made materials, as of a page's own way to copy.
  const other = clone(fresh.gltf.scene);
  fresh.meshes.forEach(mesh => other.getObjectByName(mesh.name).material = mesh.material);
  sinew.use(other, "dqs").dispose();
  handles.forEach(each => each.dispose());
  handle.dispose();
  return {without, own, changed, after: differ()};
};

// What is left of handles that are disposed of twice, of a mesh that is named twice, of a hidden one in a crowd, and of what is refused.
window.tryFaults = async ({glb}) => {
  const sinew = await Sinew.load(), {gltf, meshes: [mesh]} = await load(glb), {material} = mesh;
  const first = sinew.use(gltf.scene, "dqs");
  first.dispose();
  const second = sinew.use(gltf.scene, "arc-spline"), made = mesh.material;
  first.dispose();
  const copied = [mesh.clone(), new THREE.SkinnedMesh().copy(mesh)].map(copy => copy.material === material);
  const kept = mesh.material === made && Object.hasOwn(mesh, "getVertexPosition");
  second.dispose();
  const twice = sinew.use([gltf.scene, mesh], "dqs"), repeated = twice.meshes.length - new Set(twice.meshes).size;
  twice.dispose();
  mesh.visible = false;
  const crowd = sinew.crowd([gltf.scene], "dqs", {count: 1}), visible = crowd.object.children.map(each => each.visible);
  crowd.dispose();
  mesh.customDepthMaterial = new THREE.ShaderMaterial({name: "own", vertexShader: "void main() {}"});
  const say = target => {
    try { sinew.use(target, "dqs"); } catch ({message}) { return message; }
  };
  return {kept, repeated, visible, copied, refused: say(gltf.scene), notObject: say(gltf), restored: mesh.material === material && !Object.hasOwn(mesh, "getVertexPosition")};
};

// How often a frame with a shadow asks the joints whether they have moved, with a method and after dispose(), and whether a skeleton has
// a function of ours then. The first frame computes bounds besides.
window.countReads = async ({glb, vectors, method}) => {
  const sinew = await Sinew.load(), {gltf, scene, meshes} = await load(glb);
  const {camera} = light(scene, new THREE.Box3().setFromArray(vectors.positions)), handle = sinew.use(gltf.scene, method);
  meshes.forEach(mesh => Object.assign(mesh, {castShadow: true, receiveShadow: true, frustumCulled: false}));
  const {readJoints} = handle, skeletons = new Set(meshes.map(({skeleton}) => skeleton));
  let reads = 0;
  handle.readJoints = matrices => (++reads, readJoints.call(handle, matrices));
  const frame = () => (reads = 0, renderer.render(scene, camera), reads);
  frame();
  const used = frame();
  handle.dispose();
  return {meshes: meshes.length, skeletons: skeletons.size, used, disposed: frame(),
          own: [...skeletons].some(skeleton => Object.hasOwn(skeleton, "update"))};
};

// ---- Frame costs -----------------------------------------------------------------------------------

// A model played by its last clip, as many times as asked for: linear blending by three itself, and each method by the package.
window.measureFrames = async ({glb, methods, count, rounds}) => {
  const sinew = await Sinew.load(), camera = new THREE.PerspectiveCamera(40, 1, 0.1, 1e5), ways = [];
  const gltfs = async () => (await new GLTFLoader().parseAsync(decodeBase64(glb).buffer, ""));
  const addWay = (name, object, pose) => {
    const scene = new THREE.Scene();
    scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 3), object);
    ways.push({name, pose, draw: () => renderer.render(scene, camera), gl});
  };
  const play = ({scene, animations}) => {
    const mixer = new THREE.AnimationMixer(scene);
    mixer.clipAction(animations.at(-1)).play();
    return mixer;
  };
  const box = new THREE.Box3().setFromObject((await gltfs()).scene), size = box.getSize(new THREE.Vector3()).length();
  const columns = Math.ceil(Math.sqrt(count)), positionAt = i =>
    new THREE.Vector3(size * (i % columns - (columns - 1) / 2), 0, -size * Math.floor(i / columns));
  camera.position.set(0, 0.6 * columns, 1.2 * columns).multiplyScalar(size);
  camera.far = 10 * columns * size;
  camera.near = 0.01 * size;
  camera.lookAt(positionAt(count - 1).multiplyScalar(0.5).setX(0));
  camera.updateProjectionMatrix();
  for (const method of [null, ...methods]) {
    const gltf = await gltfs(), group = new THREE.Group(), mixers = [];
    for (let i = 0; i < count; ++i) {
      const scene = clone(gltf.scene);
      scene.position.copy(positionAt(i));
      scene.traverse(object => object.frustumCulled = false);
      if (method) sinew.use(scene, method);
      mixers.push(play({...gltf, scene}));
      group.add(scene);
    }
    addWay(method ?? "SkinnedMesh", group, time => mixers.forEach((mixer, i) => mixer.setTime(time + 0.1 * i)));
  }
  for (const method of count > 1 ? methods : []) {
    const own = await gltfs(), mixer = play(own), crowd = sinew.crowd(own.scene, method, {count});
    const baked = await gltfs(), frames = 30, bakedMixer = play(baked);
    const shared = sinew.crowd(baked.scene, method, {count, poses: frames}), {duration} = baked.animations.at(-1);
    for (let frame = 0; frame < frames; ++frame) {
      bakedMixer.setTime(frame / frames * duration);
      shared.writePose(frame);
    }
    for (let i = 0; i < count; ++i) for (const each of [crowd, shared]) each.setMatrixAt(i, new THREE.Matrix4().setPosition(positionAt(i)));
    addWay(`${method}, crowd, own poses`, crowd.object, time => {
      for (let i = 0; i < count; ++i) {
        mixer.setTime(time + 0.1 * i);
        crowd.writePose(i);
      }
    });
    addWay(`${method}, crowd, clip written once`, shared.object, time => {
      for (let i = 0; i < count; ++i) shared.setPoseAt(i, Math.floor((time + 0.1 * i) / duration * frames) % frames);
    });
  }
  return takeFrames(ways, rounds);
};
