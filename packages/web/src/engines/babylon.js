// sinew's skinning methods in Babylon.js: `use` puts a method in the place of Babylon's linear blending
// on meshes with a skeleton, by a plugin of their materials. WebGL 2 and GLSL alone.
import {BoundingInfo} from "@babylonjs/core/Culling/boundingInfo.js";
import {Constants} from "@babylonjs/core/Engines/constants.js";
import {MaterialPluginBase} from "@babylonjs/core/Materials/materialPluginBase.js";
import {ShadowDepthWrapper} from "@babylonjs/core/Materials/shadowDepthWrapper.js";
import {RawTexture} from "@babylonjs/core/Materials/Textures/rawTexture.js";
import {Matrix, Quaternion, Vector3} from "@babylonjs/core/Maths/math.vector.js";
import "@babylonjs/core/Meshes/thinInstanceMesh.js";
import {TransformNode} from "@babylonjs/core/Meshes/transformNode.js";

import {CharacterBase, SinewBase} from "../character.js";
import {bindCrowd, checkIndex, chooseMethod, joinInfluences, kFileAttributes, parametersText, texelRoom} from "../module.js";

const kInUse = new WeakMap(); // from a mesh to its part of a handle

export class Sinew extends SinewBase {
  inUse = kInUse;
  choose = chooseMeshes;

  makeHandle(chosen) {
    return new Handle(this.module, chosen);
  }

  makeCrowd(chosen) {
    return new Crowd(this.module, chosen);
  }
}

function skinnedMeshes(target) {
  if (Array.isArray(target)) return target.flatMap(skinnedMeshes);
  if (!target) throw new Error("sinew: a mesh, or a node with meshes below it, is expected");
  return [target, ...(target.getChildMeshes?.() ?? [])].filter(
    mesh => mesh.skeleton && !mesh.isAnInstance && mesh.getTotalVertices() > 0);
}

// What the file says of a mesh: extras.sinew.skinning of its node, which Babylon's loader puts into metadata.
function readStored(mesh) {
  for (let node = mesh; node; node = node.parent)
    if (node.metadata?.gltf?.extras?.sinew?.skinning) return node.metadata.gltf.extras.sinew.skinning;
  return null;
}

function chooseMeshes(target, method, given) {
  const meshes = [...new Set(skinnedMeshes(target))], bones = meshes.flatMap(({skeleton}) => skeleton.bones);
  if (meshes.length === 0) throw new Error("sinew: there is no mesh with a skeleton");
  return {meshes, ...chooseMethod(meshes.map(readStored).find(Boolean), bones.map(({name}) => [name, name]), method, given)};
}

// ---- The meshes as arrays --------------------------------------------------------------------------

function gatherInfluences(mesh) {
  const read = kind => mesh.getVerticesData(kind), joints = [read("matricesIndices")], weights = [read("matricesWeights")];
  if (!joints[0] || !weights[0]) throw new Error(`sinew: '${mesh.name}' has no weights`);
  if (mesh.numBoneInfluencers > 4 && read("matricesIndicesExtra")) {
    joints.push(read("matricesIndicesExtra"));
    weights.push(read("matricesWeightsExtra"));
  }
  return joinInfluences(joints, weights);
}

// Bones by the index that vertices name, and by the skeleton's own order, in which parents come first.
function gatherSkins(meshes) {
  const nodes = [], skins = [];
  for (const skeleton of new Set(meshes.map(mesh => mesh.skeleton))) {
    const indexByNode = new Map(), bones = [];
    for (const bone of skeleton.bones) {
      indexByNode.set(bone, nodes.length);
      const parent = bone.getParent();
      nodes.push({name: bone.name, parent: parent ? indexByNode.get(parent) : -1});
      if (bone.getIndex() >= 0) bones[bone.getIndex()] = bone;
    }
    const inverses = new Float32Array(16 * bones.length);
    bones.forEach((bone, j) => bone.getAbsoluteInverseBindMatrix().copyToArray(inverses, 16 * j));
    skins.push({skeleton, mesh: meshes.find(mesh => mesh.skeleton === skeleton), inverses,
                nodes: bones.map(bone => indexByNode.get(bone)),
                binds: bones.map(bone => Matrix.Invert(bone.getAbsoluteInverseBindMatrix()))});
  }
  return {nodes, skins};
}

function gatherMorphs(mesh, positions, normals, morphs, arrays) {
  const manager = mesh.morphTargetManager, offsets = (values, base) => Float32Array.from(values, (value, i) => value - base[i]);
  return Array.from({length: manager?.numTargets ?? 0}, (_, i) => {
    const target = manager.getTarget(i), moves = Boolean(normals && target.getNormals());
    arrays.push(offsets(target.getPositions() ?? positions, positions));
    if (moves) arrays.push(offsets(target.getNormals(), normals));
    morphs.push(target);
    return {target: morphs.length - 1, normals: moves};
  });
}

// What the file has for a name, _SINEW_*, where registerSkinningData() was called before it was loaded.
function readAttribute({geometry}, name) {
  return kFileAttributes.get(geometry)?.[name] ?? null;
}

// What Module.bindMeshes() takes.
function describe({meshes, method, options, skinning}, {nodes, skins}) {
  const arrays = [], morphs = [];
  const described = meshes.map(mesh => {
    const read = kind => {
      const values = mesh.getVerticesData(kind);
      if (values) arrays.push(Float32Array.from(values));
      return values;
    };
    const positions = read("position"), normals = read("normal"), tangents = read("tangent");
    const influences = gatherInfluences(mesh), count = mesh.getTotalVertices();
    const indices = mesh.isUnIndexed ? Array.from({length: count}, (_, i) => i) : mesh.getIndices();
    const triangles = Uint32Array.from(indices).slice(0, indices.length - indices.length % 3);
    arrays.push(influences.joints, influences.weights, triangles);
    return {skin: skins.findIndex(({skeleton}) => skeleton === mesh.skeleton), vertices: count,
            influences: influences.perVertex, normals: Boolean(normals), tangents: Boolean(tangents),
            triangles: triangles.length / 3, morphs: gatherMorphs(mesh, positions, normals, morphs, arrays)};
  });
  const {influences = 8, parameters, zones} = options;
  return {meshes, skinning, readStored, readAttribute, morphs, arrays: [...skins.map(({inverses}) => inverses), ...arrays], described: {
    method, influences, parameters: parametersText(parameters), ...(zones && {zones: zones.joints ?? zones}),
    nodes, skins: skins.map(skin => skin.nodes), targets: morphs.length, meshes: described}};
}

// ---- The shaders -----------------------------------------------------------------------------------

// Before Babylon places the vertex; morph targets have moved it.
const skinText = tangents => `{
vec3 sinewPosition, sinewNormal, sinewBindNormal = vec3(0.0, 1.0, 0.0);
#ifdef NORMAL
float sinewSquared = dot(normalUpdated, normalUpdated);
if (sinewSquared > 0.0) sinewBindNormal = normalUpdated * inversesqrt(sinewSquared);
#endif
sinewRead(gl_VertexID);
${tangents ? `#ifdef TANGENT
vec4 sinewTangent = skinTangent(positionUpdated, sinewBindNormal, tangentUpdated.xyz);
tangentUpdated = vec4(sinewTangent.xyz, tangentUpdated.w * sinewTangent.w);
#endif
` : ""}skin(positionUpdated, sinewBindNormal, sinewPosition, sinewNormal);
positionUpdated = sinewPosition;
#ifdef NORMAL
normalUpdated = sinewNormal;
#endif
}`;

// All texts in use, each a number from 1. Babylon shares programs of equal defines, so one of them has
// to say which text it is.
const kTexts = [];
function numberText(glsl) {
  const found = kTexts.indexOf(glsl);
  return 1 + (found >= 0 ? found : kTexts.push(glsl) - 1);
}

// The plugin of a material. It does nothing for meshes without a method, so it stays where `use` has put it:
// Babylon removes no plugin.
class SinewPlugin extends MaterialPluginBase {
  constructor(material) {
    super(material, "Sinew", 200, {SINEW: 0});
    this.parts = new Map(); // from a mesh to its part
    this.registerForExtraEvents = true;
    this.doNotSerialize = true;
    this._enable(true);
  }

  getClassName() {
    return "SinewPlugin";
  }

  isCompatible(language) {
    return language === 0; // GLSL
  }

  add(mesh, part) {
    this.parts.set(mesh, part);
    this.markAllDefinesAsDirty();
  }

  remove(mesh) {
    this.parts.delete(mesh);
    this.markAllDefinesAsDirty();
  }

  findPart(mesh) {
    return this.parts.get(mesh.sourceMesh ?? mesh);
  }

  prepareDefines(defines, _scene, mesh) {
    defines.SINEW = this.findPart(mesh)?.handle.text ?? 0;
  }

  // Asked for each program of the material, whichever mesh it is for; and once by super().
  getCustomCode(type) {
    if (type !== "vertex") return null;
    const handles = new Map([...this.parts ?? []].map(([, {handle}]) => [handle.text, handle]));
    const choose = makeText => [...handles].map(([number, handle]) => `#if SINEW == ${number}\n${makeText(handle)}\n#endif\n`).join("");
    // Babylon splits shaders at semicolons, also in comments.
    return {CUSTOM_VERTEX_DEFINITIONS: choose(({glsl}) => glsl.replace(/\/\/.*/g, "")),
            CUSTOM_VERTEX_UPDATE_NORMAL: choose(({skin}) => skinText(skin.tangents)),
            "!finalWorld\\s*=\\s*finalWorld\\s*\\*\\s*influence;":
              "#if SINEW == 0\nfinalWorld = finalWorld * influence;\n#endif\n"};
  }

  getAttributes(attributes, _scene, mesh) {
    if (this.findPart(mesh)?.handle instanceof Crowd) attributes.push("sinewPose");
  }

  getSamplers(samplers) {
    samplers.push("sinewPalette", "sinewVertices");
  }

  getUniforms() {
    return {ubo: ["sinewFirstVertex", "sinewFirstRow", "sinewPoseRows", "sinewStretches"].map(name => ({name}))};
  }

  hardBindForSubMesh(_buffer, _scene, _engine, subMesh) {
    const part = this.findPart(subMesh.getMesh()), {effect} = subMesh;
    if (!effect || !part) return;
    const {handle, firstVertex} = part;
    handle.update();
    effect.setTexture("sinewPalette", handle.palette.texture);
    effect.setTexture("sinewVertices", handle.vertices.texture);
    effect.setInt("sinewFirstVertex", firstVertex);
    effect.setInt("sinewFirstRow", 0);
    effect.setInt("sinewPoseRows", handle.skin.rows);
    effect.setInt("sinewStretches", handle.stretches ? 1 : 0);
  }
}

function usePlugin(material) {
  const found = material.pluginManager?.getPlugin("Sinew");
  if (found) return found;
  if (["ShaderMaterial", "NodeMaterial"].includes(material.getClassName()))
    throw new Error(`sinew: the material '${material.name}' takes no plugins`);
  return new SinewPlugin(material);
}

// ---- A character by a method -----------------------------------------------------------------------

// Draws a mesh by the method: its materials have the plugin, also those that it gets later.
class Drawn {
  constructor(handle, mesh, firstVertex) {
    Object.assign(this, {handle, mesh, firstVertex, attached: new Set(), wrappers: new Map()});
    this.setMaterial();
    this.changed = mesh.onMaterialChangedObservable.add(() => this.setMaterial());
  }

  // Babylon's shadow maps draw by a material's own shader where it has a wrapper.
  setMaterial() {
    const {mesh} = this, scene = mesh.getScene(), material = mesh.material ?? scene.defaultMaterial;
    this.detach();
    const all = (material.subMaterials ?? [material]).filter(Boolean);
    all.forEach(usePlugin); // throws where one takes none
    for (const each of new Set(all)) {
      usePlugin(each).add(mesh, this);
      this.attached.add(each);
      if (each.shadowDepthWrapper) continue;
      each.shadowDepthWrapper = new ShadowDepthWrapper(each, scene, {standalone: true});
      this.wrappers.set(each, each.shadowDepthWrapper);
    }
  }

  detach() {
    for (const material of this.attached) material.pluginManager?.getPlugin("Sinew")?.remove(this.mesh);
    for (const [material, wrapper] of this.wrappers) {
      if (material.shadowDepthWrapper !== wrapper) continue;
      const sharer = [...material.pluginManager?.getPlugin("Sinew")?.parts.values() ?? []][0]; // another mesh with it
      if (sharer) {
        sharer.wrappers.set(material, wrapper);
      } else {
        material.shadowDepthWrapper = null;
        wrapper.dispose();
      }
    }
    this.attached.clear();
    this.wrappers.clear();
  }

  dispose() {
    this.mesh.onMaterialChangedObservable.remove(this.changed);
    this.detach();
  }
}

// One mesh of it: what `use` has changed there, and what was before.
class Part extends Drawn {
  constructor(handle, mesh, firstVertex) {
    super(handle, mesh, firstVertex);
    Object.assign(this, {bounds: null, points: null});
    this.usedShaders = mesh.computeBonesUsingShaders;
    mesh.computeBonesUsingShaders = true;
    const part = this, {getPositionData, refreshBoundingInfo} = mesh;
    mesh.getPositionData = function(skeleton, ...words) {
      return skeleton ? part.positions().slice() : getPositionData.call(this, skeleton, ...words);
    };
    mesh.refreshBoundingInfo = function(options, ...words) {
      if (!(options?.applySkeleton ?? options)) return refreshBoundingInfo.call(this, options, ...words);
      part.refreshBounds();
      return this;
    };
    Object.defineProperty(mesh, "_positions", {configurable: true, get: () => part.posedPoints()}); // what picking meets
  }

  // In the mesh's own space.
  positions() {
    const first = 3 * this.firstVertex;
    return this.handle.positions().subarray(first, first + 3 * this.mesh.getTotalVertices());
  }

  posedPoints() {
    const all = this.handle.positions();
    if (this.points?.of === all) return this.points.list;
    const list = [], positions = this.positions();
    for (let i = 0; i < positions.length; i += 3) list.push(Vector3.FromArray(positions, i));
    this.points = {of: all, list};
    return list;
  }

  refreshBounds() {
    const {mesh} = this, subMeshes = mesh.subMeshes ?? [];
    if (mesh.getBoundingInfo().isLocked) return;
    this.bounds ??= {mesh: mesh.getBoundingInfo(), subMeshes: subMeshes.map(each => each.getBoundingInfo())};
    const least = new Vector3(Infinity, Infinity, Infinity), most = least.negate();
    for (const point of this.posedPoints()) {
      least.minimizeInPlace(point);
      most.maximizeInPlace(point);
    }
    this.ownBounds = new BoundingInfo(least, most, mesh.getWorldMatrix());
    mesh.setBoundingInfo(this.ownBounds);
    const positions = this.positions();
    for (const each of subMeshes) if (!each.IsGlobal) each.refreshBoundingInfo(positions);
  }

  dispose() {
    const {mesh, bounds} = this;
    super.dispose();
    mesh.computeBonesUsingShaders = this.usedShaders;
    for (const name of ["getPositionData", "refreshBoundingInfo", "_positions"]) delete mesh[name];
    if (!bounds || mesh.getBoundingInfo() !== this.ownBounds) return;
    mesh.setBoundingInfo(bounds.mesh);
    mesh.subMeshes?.forEach((each, i) => !each.IsGlobal && bounds.subMeshes[i] && each.setBoundingInfo(bounds.subMeshes[i]));
  }
}

function makeTexture(scene, Type, texels, format, type) {
  const {width, height, data} = texelRoom(Type, texels);
  const texture = new RawTexture(data, width, height, format, scene, false, false, Constants.TEXTURE_NEAREST_SAMPLINGMODE, type);
  return {texture, data};
}

function makeVertexTexture(scene, skin) {
  const {texture, data} = makeTexture(scene, Uint32Array, skin.texels * skin.vertices,
                                      Constants.TEXTUREFORMAT_RGBA_INTEGER, Constants.TEXTURETYPE_UNSIGNED_INTEGER);
  data.set(skin.words());
  texture.update(data);
  return {texture, data};
}

function makePaletteTexture(scene, rows) {
  return makeTexture(scene, Float32Array, rows, Constants.TEXTUREFORMAT_RGBA, Constants.TEXTURETYPE_FLOAT);
}

// From Babylon's own matrices, each the joint's times its inverse bind: whether they have changed, and `matrices`, which are then the
// joints'.
function readJoints(skins, matrices) {
  let changed = false;
  for (const skin of skins) {
    const {skeleton, mesh, binds, nodes} = skin, all = skeleton.getTransformMatrices(mesh);
    if (!copyChanged(all, skin.last ??= new Float32Array(all.length).fill(NaN))) continue;
    changed = true;
    for (let j = 0; j < binds.length; ++j) {
      Matrix.FromArrayToRef(all, 16 * j, kJoint);
      binds[j].multiplyToArray(kJoint, matrices, 16 * nodes[j]);
    }
  }
  return changed;
}
const kJoint = new Matrix();

function copyChanged(from, to) {
  for (let i = 0; i < to.length; ++i) {
    if (to[i] === from[i]) continue;
    to.set(from);
    return true;
  }
  return false;
}

export class Handle extends CharacterBase {
  constructor(module, chosen) {
    const {meshes} = chosen, {nodes, skins} = gatherSkins(meshes), scene = meshes[0].getScene();
    super(module, describe(chosen, {nodes, skins}), nodes.length);
    this.skins = skins;
    this.text = numberText(this.glsl);
    this.palette = makePaletteTexture(scene, this.skin.rows);
    this.vertices = makeVertexTexture(scene, this.skin);
    this.parts = [];
    try {
      meshes.forEach((mesh, m) => {
        this.parts.push(new Part(this, mesh, this.skin.firstVertices[m]));
        kInUse.set(mesh, this.parts.at(-1));
      });
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  readJoints(matrices) {
    return readJoints(this.skins, matrices);
  }

  getWeight({influence}) {
    return influence;
  }

  write({texture, data}, values) {
    data.set(values);
    texture.update(data);
  }

  // Leaves the meshes as they were.
  dispose() {
    this.parts.forEach(part => {
      part.dispose();
      if (kInUse.get(part.mesh) === part) kInUse.delete(part.mesh);
    });
    this.parts = [];
    this.palette.texture.dispose();
    this.vertices.texture.dispose();
    this.skin.release();
  }
}

// ---- Many characters of one model ------------------------------------------------------------------

// A mesh of it: thin instances of a copy of the model's mesh.
class Instances extends Drawn {
  constructor(crowd, source, firstVertex) {
    const mesh = source.clone(source.name, crowd.object, true), place = source.computeWorldMatrix(true).clone();
    mesh.makeGeometryUnique();
    const {receiveShadows, sideOrientation, overrideMaterialSideOrientation} = source;
    Object.assign(mesh, {receiveShadows, sideOrientation, overrideMaterialSideOrientation, skeleton: null,
                         morphTargetManager: null, position: Vector3.Zero(), rotationQuaternion: Quaternion.Identity(),
                         scaling: Vector3.One(), isPickable: false, doNotSyncBoundingInfo: true,
                         alwaysSelectAsActiveMesh: true}); // Babylon knows the bounds of the bind pose alone
    mesh.setPreTransformMatrix(place);
    mesh.setEnabled(true);
    super(crowd, mesh, firstVertex);
    Object.assign(this, {place, inverse: Matrix.Invert(place), data: new Float32Array(16 * crowd.count)});
    for (let i = 0; i < crowd.count; ++i) Matrix.IdentityReadOnly.copyToArray(this.data, 16 * i);
    mesh.thinInstanceSetBuffer("matrix", this.data, 16, false);
    mesh.thinInstanceSetBuffer("sinewPose", crowd.poseByInstance, 1, false);
  }

  // Babylon applies an instance's matrix before that of the mesh.
  setMatrixAt(i, matrix) {
    this.place.multiply(matrix).multiply(this.inverse).copyToArray(this.data, 16 * i);
  }

  dispose() {
    super.dispose();
    this.mesh.dispose();
  }
}

// All poses are in one texture. The skeletons of the model say what writePose() writes.
export class Crowd {
  constructor(module, chosen) {
    const {meshes, options} = chosen, scene = meshes[0].getScene();
    this.graph = gatherSkins(meshes);
    Object.assign(this, bindCrowd(module, describe(chosen, this.graph), options));
    this.text = numberText(this.glsl);
    this.stretches = false;
    this.matrices = new Float32Array(16 * this.graph.nodes.length);
    this.palette = makePaletteTexture(scene, this.poses * this.skin.rows);
    this.vertices = makeVertexTexture(scene, this.skin);
    this.poseByInstance = Float32Array.from({length: this.count}, (_, i) => i % this.poses);
    this.changed = new Set(); // what the GPU does not have yet
    this.object = new TransformNode("crowd", scene);
    this.parts = [];
    try {
      meshes.forEach((mesh, m) => this.parts.push(new Instances(this, mesh, this.skin.firstVertices[m])));
    } catch (error) {
      this.dispose();
      throw error;
    }
    for (let pose = 0; pose < this.poses; ++pose) this.writePose(pose);
  }

  // Where a character is, relative to `object`; at first all are where the model is.
  setMatrixAt(i, matrix) {
    checkIndex("character", i, this.count);
    for (const part of this.parts) part.setMatrixAt(i, matrix);
    this.changed.add("matrix");
  }

  // Which pose a character shows.
  setPoseAt(i, pose) {
    checkIndex("character", i, this.count);
    checkIndex("pose", pose, this.poses);
    this.poseByInstance[i] = pose;
    this.changed.add("sinewPose");
  }

  // The pose that the model's skeletons have now.
  writePose(pose) {
    checkIndex("pose", pose, this.poses);
    for (const {skeleton} of this.graph.skins) skeleton.prepare(true);
    readJoints(this.graph.skins, this.matrices);
    this.skin.matrices(this.graph.nodes.length).set(this.matrices);
    const {stretches, rows} = this.skin.pack();
    this.stretches ||= stretches;
    this.palette.data.set(rows, pose * rows.length);
    this.changed.add("palette");
  }

  // Every draw calls it.
  update() {
    if (this.changed.delete("palette")) this.palette.texture.update(this.palette.data);
    for (const kind of this.changed) this.parts.forEach(({mesh}) => mesh.thinInstanceBufferUpdated(kind));
    this.changed.clear();
  }

  dispose() {
    this.parts.forEach(part => part.dispose());
    this.object.dispose();
    this.palette.texture.dispose();
    this.vertices.texture.dispose();
    this.skin.release();
  }
}
