// sinew's skinning methods in PlayCanvas: `use` puts a method in the place of PlayCanvas's linear
// blending on the skinned meshes of an entity, by chunks of their materials. WebGL 2 alone.
import {ADDRESS_CLAMP_TO_EDGE, BUFFER_DYNAMIC, Entity, FILTER_NEAREST, Mat4, MeshInstance, PIXELFORMAT_RGBA32F, PIXELFORMAT_RGBA32U,
        SEMANTIC_BLENDINDICES, SEMANTIC_BLENDWEIGHT, SEMANTIC_NORMAL, SEMANTIC_POSITION, SEMANTIC_TANGENT, SHADERLANGUAGE_GLSL,
        ShaderChunks, Texture, TYPE_UINT16, TYPE_UINT8, VertexBuffer, VertexFormat} from "playcanvas";

import {CharacterBase, SinewBase, copyJoint, gatherNodes} from "../character.js";
import {bindCrowd, checkIndex, chooseMethod, joinInfluences, kFileAttributes, kFileSkinning, parametersText, texelRoom} from "../module.js";

const kInUse = new WeakMap(); // from a mesh instance to its handle
const kOriginals = new WeakMap(); // from a material that makeMaterial() has made to the one before

export class Sinew extends SinewBase {
  inUse = kInUse;
  choose = chooseMeshes;

  makeHandle(chosen) {
    return new Handle(this.module, chosen);
  }

  makeCrowd(chosen, target) {
    return new Crowd(this.module, chosen, target);
  }
}

// target: an entity, a mesh instance, or several of these.
function skinnedMeshes(target) {
  if (Array.isArray(target)) return target.flatMap(skinnedMeshes);
  if (!target) throw new Error("sinew: an entity or a mesh instance is expected");
  const all = target.findComponents ? target.findComponents("render").flatMap(({meshInstances}) => meshInstances) : [target];
  return all.filter(({skinInstance}) => skinInstance);
}

function chooseMeshes(target, method, options) {
  const meshes = [...new Set(skinnedMeshes(target))];
  if (meshes.length === 0) throw new Error("sinew: there is no skinned mesh");
  const names = meshes.flatMap(({skinInstance}) => skinInstance.bones.map(({name}) => [name, name]));
  return {meshes, ...chooseMethod(meshes.map(readStored).find(Boolean), names, method, options)};
}

// What the file says of a mesh and has for a name, _SINEW_*, where it was loaded with keepSkinningData().
function readStored({mesh}) {
  return kFileSkinning.get(mesh) ?? null;
}
function readAttribute({mesh}, name) {
  return kFileAttributes.get(mesh)?.[name] ?? null;
}

// ---- The meshes as arrays --------------------------------------------------------------------------

const kLargest = {[TYPE_UINT8]: 255, [TYPE_UINT16]: 65535};

function gatherValues({mesh}, semantic, Type = Float32Array) {
  const element = mesh.vertexBuffer.format.elements.find(({name}) => name === semantic);
  if (!element) return null;
  const out = new Type(mesh.vertexBuffer.numVertices * element.numComponents);
  mesh.getVertexStream(semantic, out);
  return element.normalize ? out.map(value => value / kLargest[element.dataType]) : out;
}

// An attribute that the file has beside PlayCanvas's own.
function furtherValues(mesh, name, Type) {
  const kept = readAttribute(mesh, name);
  if (!kept) return null;
  const {array, components, count, normalized, stride} = kept, out = new Type(components * count);
  const one = normalized ? 2 ** (8 * array.BYTES_PER_ELEMENT) - 1 : 1;
  for (let v = 0; v < count; ++v) for (let c = 0; c < components; ++c) out[components * v + c] = array[stride * v + c] / one;
  return out;
}

function gatherInfluences(mesh) {
  const joints = [gatherValues(mesh, SEMANTIC_BLENDINDICES, Uint32Array)], weights = [gatherValues(mesh, SEMANTIC_BLENDWEIGHT)];
  for (let set = 1; ; ++set) {
    const further = furtherValues(mesh, `JOINTS_${set}`, Uint32Array), shares = furtherValues(mesh, `WEIGHTS_${set}`, Float32Array);
    if (further?.length !== joints[0].length || shares?.length !== weights[0].length) return joinInfluences(joints, weights);
    joints.push(further);
    weights.push(shares);
  }
}

function gatherTriangles({mesh}) {
  const [{indexed, count}] = mesh.primitive, indices = [];
  if (indexed) mesh.getIndices(indices);
  else for (let v = 0; v < count; ++v) indices.push(v);
  return Uint32Array.from(indices.slice(0, indices.length - indices.length % 3));
}

// What a mesh's morph targets add to its vertices. PlayCanvas keeps it where the asset's options say so.
function gatherMorphs({mesh, morphInstance, node}, normals, arrays, morphs) {
  return (morphInstance?.morph.targets ?? []).map((target, i) => {
    const {deltaPositions, deltaNormals} = target.options ?? {};
    if (!deltaPositions)
      throw new Error(`sinew: '${node.name}' has morph targets, of which PlayCanvas keeps no copy: load it with the option morphPreserveData`);
    arrays.push(Float32Array.from(deltaPositions), ...normals && deltaNormals ? [Float32Array.from(deltaNormals)] : []);
    morphs.push({morphInstance, target: i});
    return {target: morphs.length - 1, normals: Boolean(normals && deltaNormals)};
  });
}

// What Module.bindMeshes() takes. A crowd has no morph targets.
function describe({meshes, method, skinning, options: {influences = 8, parameters, zones}}, {nodes, indexByNode}, morphed = true) {
  const skins = [...new Set(meshes.map(({skinInstance}) => skinInstance))], arrays = [], morphs = [];
  for (const {skin} of skins) arrays.push(Float32Array.from(skin.inverseBindPose.flatMap(({data}) => [...data])));
  const described = meshes.map(mesh => {
    const positions = gatherValues(mesh, SEMANTIC_POSITION), normals = gatherValues(mesh, SEMANTIC_NORMAL);
    const tangents = gatherValues(mesh, SEMANTIC_TANGENT), triangles = gatherTriangles(mesh), {perVertex, joints, weights} = gatherInfluences(mesh);
    arrays.push(...[positions, normals, tangents].filter(Boolean), joints, weights, triangles);
    return {skin: skins.indexOf(mesh.skinInstance), vertices: positions.length / 3, influences: perVertex, normals: Boolean(normals),
            tangents: Boolean(tangents), triangles: triangles.length / 3,
            morphs: morphed ? gatherMorphs(mesh, normals, arrays, morphs) : []};
  });
  return {meshes, skinning, readStored, readAttribute, morphs, arrays, described: {
    method, influences, parameters: parametersText(parameters), ...(zones && {zones: zones.joints ?? zones}),
    nodes: nodes.map(({object: node, parent}) => ({name: node.name, parent})),
    skins: skins.map(({bones}) => bones.map(bone => indexByNode.get(bone))), targets: morphs.length, meshes: described}};
}

// ---- The shaders -----------------------------------------------------------------------------------

// PlayCanvas multiplies a position by a matrix: that of a skinned mesh becomes a move from the palette's space
// to the world, and the position the skinned one. sinewOrigin: the palette's origin in the world, and -1 where it is mirrored in x.
const kPlace = `
uniform vec4 sinewOrigin;
mat4 getModelMatrix() {
  return mat4(vec4(sinewOrigin.w, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0), vec4(sinewOrigin.xyz, 1.0));
}
`;

// The matrix of an instance. Its last row is always 0, 0, 0, 1, so the first number there holds the pose.
const kPlaceInstance = `
mat4 getModelMatrix() {
  return matrix_model * mat4(vec4(instance_line1.xyz, 0.0), instance_line2, instance_line3, instance_line4);
}
`;
const kInstance = `
attribute vec4 instance_line1;
attribute vec4 instance_line2;
attribute vec4 instance_line3;
attribute vec4 instance_line4;
#define sinewPose instance_line1.w
`;

const kSkinPosition = `
vec3 sinewPlace(vec3 position) {
  vec3 skinned, normal;
  sinewRead(gl_VertexID);
  skin(position, vec3(0.0, 1.0, 0.0), skinned, normal);
  return skinned;
}
`;

const kNormal = `
mat3 dNormalMatrix;
vec3 sinewBindNormal() {
  vec3 normal = getLocalNormal(vertex_normal);
  float squared = dot(normal, normal);
  return squared > 0.0 ? normal * inversesqrt(squared) : vec3(0.0, 1.0, 0.0);
}
vec3 getNormal() {
  vec3 position, normal;
  dNormalMatrix = mat3(dModelMatrix);
  skin(getLocalPosition(vertex_position.xyz), sinewBindNormal(), position, normal);
  return dNormalMatrix * normal;
}
`;

function replaceIn(text, pattern, by) {
  if (!(typeof pattern === "string" ? text.includes(pattern) : pattern.test(text)))
    throw new Error("sinew: this version of PlayCanvas has other shaders");
  return text.replace(pattern, () => by);
}

// The chunks that differ, from those that the material has.
function patchChunks(getChunk, glsl, tangents, instances) {
  const [which, place] = instances ? ["INSTANCING", kPlaceInstance] : ["SKIN", kPlace];
  const core = replaceIn(getChunk("transformCoreVS"), new RegExp(`#elif defined\\(${which}\\)[\\s\\S]*?(?=#el)`), `#elif defined(${which})\n${glsl}\n${place}`);
  const transform = replaceIn(getChunk("transformVS"), "getLocalPosition(vertexPosition)", "sinewPlace(getLocalPosition(vertexPosition))");
  const out = {transformCoreVS: core, transformVS: `${kSkinPosition}${transform}`, normalVS: kNormal};
  if (!tangents) return out;
  let main = replaceIn(getChunk("litMainVS"), "vTangentW = normalize(dNormalMatrix * vertex_tangent.xyz);",
                       `vec4 sinewTangent = skinTangent(getLocalPosition(vertex_position.xyz), sinewBindNormal(), vertex_tangent.xyz);
		vTangentW = normalize(dNormalMatrix * sinewTangent.xyz);`);
  main = replaceIn(main, "* vertex_tangent.w", "* vertex_tangent.w * sinewTangent.w");
  return {...out, litMainVS: main};
}

// A material with the method, and all else of the original. given: what a mesh instance has.
function makeMaterial(given, device, {glsl, skin}, instances = false) {
  const original = kOriginals.get(given) ?? given, material = original.clone(), chunks = material.getShaderChunks(SHADERLANGUAGE_GLSL);
  const getChunk = name => chunks.get(name) ?? ShaderChunks.get(device, SHADERLANGUAGE_GLSL).get(name);
  for (const [name, text] of Object.entries(patchChunks(getChunk, glsl, skin.tangents, instances))) chunks.set(name, text);
  material.update();
  kOriginals.set(material, original);
  return material;
}

// Has a mesh instance show a material that makeMaterial() has made. Others, such as a clone of its entity has, get the original:
// they have no palette, and PlayCanvas blends them linearly.
function giveMaterial(mesh, made) {
  const {addMeshInstanceRef} = made;
  made.addMeshInstanceRef = each => {
    if (each === mesh) addMeshInstanceRef.call(made, each);
    else each.material = kOriginals.get(made);
  };
  mesh.material = made;
}

// ---- A character by a method -----------------------------------------------------------------------

function makeTexture(device, Type, texels, format) {
  const {width, height, data} = texelRoom(Type, texels);
  return new Texture(device, {name: "sinew", width, height, format, mipmaps: false, minFilter: FILTER_NEAREST, magFilter: FILTER_NEAREST,
                              addressU: ADDRESS_CLAMP_TO_EDGE, addressV: ADDRESS_CLAMP_TO_EDGE, levels: [data]});
}

export class Handle extends CharacterBase {
  constructor(module, chosen) {
    const {meshes} = chosen, graph = gatherNodes(meshes.flatMap(({skinInstance}) => skinInstance.bones)), {device} = meshes[0].mesh.vertexBuffer;
    super(module, describe(chosen, graph), graph.nodes.length);
    this.joints = graph.bones.map(bone => ({bone, first: 16 * graph.indexByNode.get(bone)}));
    this.root = graph.nodes[0].object;
    this.origin = [0, 0, 0];
    const {bones, skin} = meshes[0].skinInstance;
    this.first = bones[0];
    this.bindSign = skin.inverseBindPose[0].scaleSign;
    this.palette = makeTexture(device, Float32Array, this.skin.rows, PIXELFORMAT_RGBA32F);
    this.vertices = makeTexture(device, Uint32Array, this.skin.texels * this.skin.vertices, PIXELFORMAT_RGBA32U);
    this.write(this.vertices, this.skin.words());
    this.before = [];
    this.instances = new Set(); // of skins, whose updates this one follows
    try {
      meshes.forEach((mesh, m) => this.attach(mesh, device, this.skin.firstVertices[m]));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  attach(mesh, device, firstVertex) {
    const {material} = mesh, made = makeMaterial(material, device, this);
    this.before.push({mesh, material, made});
    giveMaterial(mesh, made);
    for (const [name, value] of Object.entries({sinewPalette: this.palette, sinewVertices: this.vertices, sinewFirstVertex: firstVertex,
                                                sinewFirstRow: 0, sinewStretches: 0, sinewOrigin: [...this.origin, 1]}))
      mesh.setParameter(name, value);
    kInUse.set(mesh, this);
    this.follow(mesh.skinInstance);
    // A mesh instance of a disabled entity has none, and gets another one where the entity is enabled.
    const {prototype} = MeshInstance;
    Object.defineProperty(mesh, "skinInstance", {
      configurable: true,
      get: () => Reflect.get(prototype, "skinInstance", mesh),
      set: skinInstance => {
        Reflect.set(prototype, "skinInstance", skinInstance, mesh);
        this.follow(skinInstance);
      },
    });
  }

  // PlayCanvas calls updateMatrixPalette() before it draws what it has found to be visible.
  follow(skinInstance) {
    if (!skinInstance || this.instances.has(skinInstance)) return;
    const {updateMatrixPalette} = skinInstance;
    this.instances.add(skinInstance);
    skinInstance.updateMatrixPalette = (...words) => {
      updateMatrixPalette.apply(skinInstance, words);
      this.update();
    };
  }

  // From the world's matrices, relative to the first bone's place: far from the world's origin floats are coarse.
  readJoints(matrices) {
    this.origin = [...this.root.getWorldTransform().data.subarray(12, 15)];
    this.mirror = this.first.getWorldTransform().scaleSign * this.bindSign;
    let changed = false;
    for (const {bone, first} of this.joints)
      changed = copyJoint(bone.getWorldTransform().data, this.origin, this.mirror, matrices, first) || changed;
    return changed;
  }

  getWeight({morphInstance, target}) {
    return morphInstance.getWeight(target);
  }

  write(texture, values) {
    texture.lock().set(values);
    texture.unlock();
  }

  update() {
    super.update();
    for (const {mesh} of this.before) {
      mesh.setParameter("sinewStretches", this.stretches ? 1 : 0);
      mesh.setParameter("sinewOrigin", [...this.origin, this.mirror]);
    }
  }

  // Leaves the meshes as they were. What somebody else has put there since stays.
  dispose() {
    for (const {mesh, material, made} of this.before) {
      if (mesh.material === made) mesh.material = material;
      made.destroy();
      for (const name of ["sinewPalette", "sinewVertices", "sinewFirstVertex", "sinewFirstRow", "sinewStretches", "sinewOrigin"])
        mesh.deleteParameter(name);
      kInUse.delete(mesh);
      delete mesh.skinInstance;
    }
    for (const skinInstance of this.instances) delete skinInstance.updateMatrixPalette;
    this.before = [];
    this.instances.clear();
    this.palette.destroy();
    this.vertices.destroy();
    this.skin.release();
  }
}

// ---- Many characters of one model ------------------------------------------------------------------

// An instanced MeshInstance for each mesh of the model; all poses are in one texture. The bones of the model say what writePose() writes.
export class Crowd {
  constructor(module, chosen, target) {
    const {meshes, options} = chosen, {device} = meshes[0].mesh.vertexBuffer;
    this.graph = gatherNodes(meshes.flatMap(({skinInstance}) => skinInstance.bones));
    const bound = bindCrowd(module, describe(chosen, this.graph, false), options);
    Object.assign(this, bound, {glsl: bound.glsl.replace("attribute float sinewPose;", () => kInstance)});
    this.root = target.getWorldTransform ? target : this.graph.nodes[0].object.parent;
    this.stretches = false;
    this.palette = makeTexture(device, Float32Array, this.poses * this.skin.rows, PIXELFORMAT_RGBA32F);
    this.vertices = makeTexture(device, Uint32Array, this.skin.texels * this.skin.vertices, PIXELFORMAT_RGBA32U);
    this.vertices.lock().set(this.skin.words());
    this.vertices.unlock();
    this.data = new Float32Array(16 * this.count);
    this.buffer = new VertexBuffer(device, VertexFormat.getDefaultInstancingFormat(device), this.count, {usage: BUFFER_DYNAMIC});
    for (let i = 0; i < this.count; ++i) {
      this.setMatrixAt(i, Mat4.IDENTITY);
      this.setPoseAt(i, i % this.poses);
    }
    this.instances = meshes.map((mesh, m) => this.makeInstances(mesh, device, this.skin.firstVertices[m]));
    this.object = new Entity("crowd");
    const {castShadow, receiveShadow} = meshes[0];
    this.object.addComponent("render", {meshInstances: this.instances, castShadows: castShadow, receiveShadows: receiveShadow});
    for (let pose = 0; pose < this.poses; ++pose) this.writePose(pose);
  }

  makeInstances({mesh, material}, device, firstVertex) {
    const instances = new MeshInstance(mesh, makeMaterial(material, device, this, true)), {setParameters} = instances;
    instances.setInstancing(this.buffer); // never culled: PlayCanvas knows the bounds of the bind pose alone
    for (const [name, value] of Object.entries({sinewPalette: this.palette, sinewVertices: this.vertices, sinewFirstVertex: firstVertex,
                                                sinewPoseRows: this.skin.rows, sinewStretches: 0}))
      instances.setParameter(name, value);
    // PlayCanvas calls it before each draw.
    instances.setParameters = (...words) => {
      this.update();
      setParameters.apply(instances, words);
    };
    return instances;
  }

  // Where a character is, relative to `object`.
  setMatrixAt(i, {data}) {
    checkIndex("character", i, this.count);
    const pose = this.data[16 * i + 3];
    this.data.set(data, 16 * i);
    this.data[16 * i + 3] = pose;
    this.moved = true;
  }

  // Which pose a character shows.
  setPoseAt(i, pose) {
    checkIndex("character", i, this.count);
    checkIndex("pose", pose, this.poses);
    this.data[16 * i + 3] = pose;
    this.moved = true;
  }

  // The pose that the model's bones have now.
  writePose(pose) {
    checkIndex("pose", pose, this.poses);
    const {nodes} = this.graph, matrices = new Float32Array(16 * nodes.length), own = new Mat4();
    const inverse = new Mat4().copy(this.root.getWorldTransform()).invert();
    nodes.forEach(({object}, i) => matrices.set(own.mul2(inverse, object.getWorldTransform()).data, 16 * i));
    this.skin.matrices(nodes.length).set(matrices);
    const {stretches, rows} = this.skin.pack();
    this.stretches ||= stretches;
    this.palette.lock().set(rows, pose * rows.length);
    this.posed = true;
  }

  // What the GPU does not have yet.
  update() {
    if (this.posed) {
      this.palette.unlock();
      this.instances.forEach(instances => instances.setParameter("sinewStretches", this.stretches ? 1 : 0));
    }
    if (this.moved) this.buffer.setData(this.data.buffer);
    this.posed = this.moved = false;
  }

  dispose() {
    const materials = this.instances.map(({material}) => material);
    this.object.destroy();
    materials.forEach(material => material.destroy());
    this.buffer.destroy();
    this.palette.destroy();
    this.vertices.destroy();
    this.skin.release();
  }
}
