// sinew's skinning methods in three.js: `use` puts a method in the place of three's linear blending
// on skinned meshes, by their materials' onBeforeCompile. WebGLRenderer alone.
import {BufferAttribute, DataTexture, FloatType, Group, InstancedBufferAttribute, InstancedMesh, Matrix3, Matrix4, MeshDepthMaterial,
        MeshDistanceMaterial, NearestFilter, RGBADepthPacking, RGBAFormat, RGBAIntegerFormat, Skeleton, SkinnedMesh, UnsignedIntType, Vector3} from "three";

import {CharacterBase, SinewBase, copyJoint, gatherNodes} from "../character.js";
import {bindCrowd, checkIndex, chooseMethod, hashText, joinInfluences, parametersText, texelRoom} from "../module.js";

const kInUse = new WeakMap(); // from a mesh to its handle
const kOriginals = new WeakMap(); // from a material that makeMaterial() has made to the one before
const kFollowers = new WeakMap(); // from a skeleton to the handles that pose by it, and what was its update()

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

function skinnedMeshes(target) {
  if (Array.isArray(target)) return target.flatMap(skinnedMeshes);
  if (!target?.traverse) throw new Error("sinew: an Object3D is expected, such as gltf.scene");
  const found = [];
  target.traverse(object => object.isSkinnedMesh && found.push(object));
  return found;
}

// What the file says of a mesh: extras.sinew.skinning of its node, which three's GLTFLoader puts into userData.
function readStored(mesh) {
  for (let object = mesh; object; object = object.parent)
    if (object.userData.sinew?.skinning) return object.userData.sinew.skinning;
  return null;
}

// three may have changed the names that joints have in the file.
function chooseMeshes(target, method, given) {
  const meshes = [...new Set(skinnedMeshes(target))];
  if (meshes.length === 0) throw new Error("sinew: there is no SkinnedMesh");
  const loose = meshes.find(mesh => !mesh.skeleton);
  if (loose) throw new Error(`sinew: '${loose.name}' has no skeleton; bind() gives it one`);
  const bones = meshes.flatMap(mesh => mesh.skeleton.bones);
  return {meshes, ...chooseMethod(meshes.map(readStored).find(Boolean),
                                  bones.map(({name, userData}) => [userData.name ?? name, name]), method, given)};
}

// ---- The meshes as arrays --------------------------------------------------------------------------

// A copy of the array where it holds the values as they are: getComponent() is slow at first.
function gatherValues(attribute, components, Type = Float32Array) {
  const {array, count, itemSize, normalized, isInterleavedBufferAttribute} = attribute;
  if (!isInterleavedBufferAttribute && !normalized && itemSize === components) return Type.from(array.subarray(0, count * components));
  const out = new Type(count * components);
  for (let v = 0, to = 0; v < attribute.count; ++v)
    for (let c = 0; c < components; ++c) out[to++] = attribute.getComponent(v, c);
  return out;
}

// Joints and weights of every vertex: skinIndex and skinWeight, and joints_1, weights_1 and so on
// as three's GLTFLoader names further ones. That loader scales the first four to sum 1.
function gatherInfluences({attributes}) {
  const sets = [[attributes.skinIndex, attributes.skinWeight]];
  for (let i = 1; attributes[`joints_${i}`] && attributes[`weights_${i}`]; ++i)
    sets.push([attributes[`joints_${i}`], attributes[`weights_${i}`]]);
  const out = joinInfluences(sets.map(([index]) => gatherValues(index, 4, Uint32Array)), sets.map(([, weight]) => gatherValues(weight, 4)));
  const {perVertex, weights} = out, addUp = part => part.reduce((sum, weight) => sum + weight, 0);
  for (let first = 0; first < weights.length; first += perVertex) {
    const four = weights.subarray(first, first + 4), rest = addUp(weights.subarray(first + 4, first + perVertex));
    if (rest > 0 && rest < 1 && Math.abs(addUp(four) - 1) < 1e-3) four.forEach((weight, i) => four[i] = weight * (1 - rest));
  }
  return out;
}

function gatherTriangles({index, attributes}) {
  const {count} = index ?? attributes.position;
  if (!index) return Uint32Array.from({length: count - count % 3}, (_, i) => i);
  return gatherValues(index, 1, Uint32Array).subarray(0, count - count % 3);
}

// What a morph target adds to an attribute.
function gatherOffsets(geometry, name, target) {
  const out = gatherValues(geometry.morphAttributes[name][target], 3);
  if (geometry.morphTargetsRelative) return out;
  const base = gatherValues(geometry.attributes[name], 3);
  return out.map((value, i) => value - base[i]);
}

function sameSkin(a, b) {
  return a.bones.length === b.bones.length && a.bones.every((bone, j) => bone === b.bones[j]) &&
         a.inverses.every((value, i) => value === b.inverses[i]);
}

// Distinct skins: joint space from the mesh's own.
function addSkin(mesh, skins) {
  const {bones, boneInverses} = mesh.skeleton, inverses = new Float32Array(16 * bones.length);
  const matrix = new Matrix4();
  boneInverses.forEach((inverse, j) => matrix.multiplyMatrices(inverse, mesh.bindMatrix).toArray(inverses, 16 * j));
  const skin = {bones, inverses};
  const found = skins.findIndex(each => sameSkin(each, skin));
  return found >= 0 ? found : skins.push(skin) - 1;
}

// What the file has for a name, _SINEW_*: three's GLTFLoader keeps it among the geometry's attributes.
function readAttribute({geometry: {attributes}}, name) {
  const attribute = attributes[name.toLowerCase()];
  if (!attribute) return null;
  const {itemSize: components, count, normalized, data} = attribute;
  return {array: data?.array ?? attribute.array, components, count, normalized, stride: data?.stride ?? components,
          offset: attribute.offset ?? 0};
}

// What Module.bindMeshes() takes.
function describe({meshes, method, options, skinning}, {nodes, indexByNode}) {
  const skins = [], arrays = [], morphs = [];
  const described = meshes.map(mesh => {
    const {geometry} = mesh, {attributes, morphAttributes} = geometry;
    if (!attributes.position) throw new Error(`sinew: '${mesh.name}' has no positions`);
    if (!attributes.skinIndex || !attributes.skinWeight) throw new Error(`sinew: '${mesh.name}' has no weights`);
    const influences = gatherInfluences(geometry), triangles = gatherTriangles(geometry);
    arrays.push(gatherValues(attributes.position, 3));
    if (attributes.normal) arrays.push(gatherValues(attributes.normal, 3));
    if (attributes.tangent) arrays.push(gatherValues(attributes.tangent, 4));
    arrays.push(influences.joints, influences.weights, triangles);
    const own = (morphAttributes.position ?? []).map((_, target) => {
      const normals = Boolean(morphAttributes.normal);
      arrays.push(gatherOffsets(geometry, "position", target));
      if (normals) arrays.push(gatherOffsets(geometry, "normal", target));
      morphs.push({mesh, target});
      return {target: morphs.length - 1, normals};
    });
    return {skin: addSkin(mesh, skins), vertices: attributes.position.count, influences: influences.perVertex,
            normals: Boolean(attributes.normal), tangents: Boolean(attributes.tangent),
            triangles: triangles.length / 3, morphs: own};
  });
  const {influences = 8, parameters, zones} = options;
  return {meshes, skinning, readStored, readAttribute, morphs, arrays: [...skins.map(skin => skin.inverses), ...arrays], described: {
    method, influences, parameters: parametersText(parameters), ...(zones && {zones: zones.joints ?? zones}),
    nodes: nodes.map(({object, parent}) => ({name: object.name, parent})),
    skins: skins.map(({bones}) => bones.map(bone => indexByNode.get(bone))), targets: morphs.length, meshes: described}};
}

// ---- The shaders -----------------------------------------------------------------------------------

// All of it in the place of three's first skinning chunk: the later ones take the results. Position
// and normal come from three's own chunks, with its morph targets.
const kSkin = tangents => `
vec3 sinewPosition, sinewNormal;
#ifdef USE_TANGENT
vec4 sinewTangent;
#endif
{
  #include <beginnormal_vertex>
  #include <morphnormal_vertex>
  #include <begin_vertex>
  #include <morphtarget_vertex>
  float sinewSquared = dot(objectNormal, objectNormal);
  objectNormal = sinewSquared > 0.0 ? objectNormal * inversesqrt(sinewSquared) : vec3(0.0, 1.0, 0.0);
  sinewRead(gl_VertexID);
  skin(transformed, objectNormal, sinewPosition, sinewNormal);
  sinewPosition = (sinewLocal * vec4(sinewPosition, 1.0)).xyz;
  sinewNormal = sinewNormalMatrix * sinewNormal;
#ifdef USE_TANGENT
${tangents ? `  sinewTangent = skinTangent(transformed, objectNormal, tangent.xyz);
  sinewTangent.xyz = mat3(sinewLocal) * sinewTangent.xyz;` : ""}
#endif
}
`;

const kChunks = tangents => ({
  skinbase_vertex: kSkin(tangents),
  skinnormal_vertex: `objectNormal = sinewNormal;
#ifdef USE_TANGENT
objectTangent = sinewTangent.xyz;
#endif
`,
  skinning_vertex: "transformed = sinewPosition;\n",
  normal_vertex: `#include <normal_vertex>
#if defined(USE_TANGENT) && !defined(FLAT_SHADED)
vBitangent *= sinewTangent.w;
#endif
`,
});

// sinewLocal: the mesh's own space from the palette's.
function patchShader(shader, glsl, tangents) {
  const replaced = (text, chunk, by) => text.replaceAll(`#include <${chunk}>`, () => by);
  let {vertexShader} = shader;
  for (const [chunk, text] of Object.entries(kChunks(tangents))) vertexShader = replaced(vertexShader, chunk, text);
  shader.vertexShader = replaced(vertexShader, "skinning_pars_vertex", `${glsl}
uniform mat4 sinewLocal;
uniform mat3 sinewNormalMatrix;
`);
  // Some chunks are within three's conditions; an InstancedMesh has none of three's own skinning.
  shader.vertexShader = `#ifndef USE_SKINNING\n#define USE_SKINNING\n#endif\n${shader.vertexShader}`;
  if (tangents) return;
  // No tangents by this method: three's derivatives serve.
  shader.vertexShader = `#undef USE_TANGENT\n${shader.vertexShader}`;
  shader.fragmentShader = `#undef USE_TANGENT\n${shader.fragmentShader}`;
}

const findOriginal = material => kOriginals.get(material) ?? material;

// A material with the method, and all else of the original. given: what a mesh has; a copy of a mesh may have one that is made.
function makeMaterial(given, part) {
  const original = findOriginal(given);
  if (original.isShaderMaterial && !original.vertexShader.includes("#include <skinning_vertex>"))
    throw new Error(`sinew: the material '${original.name}' does not include three's skinning chunks`);
  const material = original.clone();
  kOriginals.set(material, original);
  if (original.isShaderMaterial) material.uniforms = original.uniforms;
  const {skin, glsl, key} = part.handle;
  material.onBeforeCompile = (shader, renderer) => {
    original.onBeforeCompile(shader, renderer);
    patchShader(shader, glsl, skin.tangents);
    Object.assign(shader.uniforms, part.uniforms);
  };
  material.customProgramCacheKey = () => `${original.customProgramCacheKey()} sinew ${key}`;
  return material;
}

const mapMaterial = (material, change) => Array.isArray(material) ? material.map(change) : change(material);

// A copy has no method: three blends it linearly. The new mesh is three's to make, so that only the class has a place to
// say so; clone() calls copy().
const {copy} = SkinnedMesh.prototype;
SkinnedMesh.prototype.copy = function(source, recursive) {
  copy.call(this, source, recursive);
  this.material = mapMaterial(this.material, findOriginal);
  return this;
};

// What a mesh is drawn with, its shadows too, each by `make`.
function mapMaterials({material, customDepthMaterial, customDistanceMaterial}, make) {
  return {material: mapMaterial(material, make),
          customDepthMaterial: make(customDepthMaterial ?? new MeshDepthMaterial({depthPacking: RGBADepthPacking})),
          customDistanceMaterial: make(customDistanceMaterial ?? new MeshDistanceMaterial())};
}

// ---- A character by a method -----------------------------------------------------------------------

// One mesh of it: what `use` has changed there, and what was before.
class Part {
  constructor(handle, mesh, firstVertex) {
    this.handle = handle;
    this.mesh = mesh;
    this.firstVertex = firstVertex;
    this.local = new Matrix4();
    this.normalMatrix = new Matrix3();
    this.uniforms = {
      sinewPalette: {value: handle.palette},
      sinewVertices: {value: handle.vertices},
      sinewStretches: {get value() { return handle.stretches; }},
      sinewLocal: {value: this.local},
      sinewNormalMatrix: {value: this.normalMatrix},
      sinewFirstVertex: {value: firstVertex},
      sinewFirstRow: {value: 0},
    };
    this.before = new Map();
    this.made = [];
    const make = original => {
      this.made.push(makeMaterial(original, this));
      return this.made.at(-1);
    };
    const materials = mapMaterials(mesh, make); // all, before the mesh is changed: one may be refused
    for (const [name, material] of Object.entries(materials)) this.put(name, material);
    this.put("getVertexPosition", (index, target) => this.vertexPosition(index, target));
    const {applyBoneTransform} = mesh;
    this.put("applyBoneTransform", (index, vector) => {
      if (vector.isVector4 && vector.w === 0) return applyBoneTransform.call(mesh, index, vector);
      const {x, y, z} = this.vertexPosition(index, new Vector3());
      return vector.isVector4 ? vector.set(x, y, z, 1) : vector.set(x, y, z);
    });
    this.put("boundingBox", null);
    this.put("boundingSphere", null);
  }

  put(name, value) {
    this.before.set(name, {own: Object.hasOwn(this.mesh, name), value: this.mesh[name]});
    this.mesh[name] = value;
  }

  vertexPosition(index, target) {
    const {handle, local} = this;
    target.fromArray(handle.positions(), 3 * (this.firstVertex + index)).x *= handle.mirror;
    return target.applyMatrix4(local);
  }

  // To the mesh's own space from the palette's, of which the handle says where it is in the world.
  setSpace({origin, mirror}) {
    this.local.makeScale(mirror, 1, 1).setPosition(origin).premultiply(this.mesh.bindMatrixInverse);
    this.normalMatrix.getNormalMatrix(this.local);
  }

  // What somebody else has put there since stays.
  dispose() {
    const {mesh} = this;
    const restore = (name, {own, value}) => {
      if (own) mesh[name] = value;
      else delete mesh[name];
    };
    const owned = this.made.includes(Array.isArray(mesh.material) ? mesh.material[0] : mesh.material);
    for (const [name, before] of this.before)
      if (name !== "material" || owned) restore(name, before);
    this.made.forEach(material => material.dispose());
  }
}

// A renderer updates a skeleton once a frame, before it draws the first mesh of it: then its handles are updated too.
function follow(skeleton, handle) {
  const followers = kFollowers.get(skeleton) ?? {handles: new Set(), own: Object.hasOwn(skeleton, "update"), update: skeleton.update};
  followers.handles.add(handle);
  kFollowers.set(skeleton, followers);
  skeleton.update = () => {
    followers.update.call(skeleton);
    followers.handles.forEach(each => each.update());
  };
}

function unfollow(skeleton, handle) {
  const {handles, own, update} = kFollowers.get(skeleton);
  handles.delete(handle);
  if (handles.size > 0) return;
  kFollowers.delete(skeleton);
  if (own) skeleton.update = update;
  else delete skeleton.update;
}

function makeTexture(Type, texels, format, type) {
  const {width, height, data} = texelRoom(Type, texels);
  const texture = new DataTexture(data, width, height, format, type);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  return texture;
}

function makeVertexTexture(skin) {
  const texture = makeTexture(Uint32Array, skin.texels * skin.vertices, RGBAIntegerFormat, UnsignedIntType);
  texture.internalFormat = "RGBA32UI";
  texture.image.data.set(skin.words());
  return texture;
}

export class Handle extends CharacterBase {
  constructor(module, chosen) {
    const {meshes} = chosen;
    const graph = gatherNodes(meshes.flatMap(mesh => mesh.skeleton.bones));
    super(module, describe(chosen, graph), graph.nodes.length);
    this.key = hashText(this.glsl);
    this.root = graph.nodes[0].object;
    this.joints = graph.bones.map(object => ({object, first: 16 * graph.indexByNode.get(object)}));
    this.origin = new Vector3();
    const {bindMatrix, skeleton: {bones, boneInverses}} = meshes[0];
    this.first = bones[0];
    this.bindSign = bindMatrix.determinant() * boneInverses[0].determinant();
    this.palette = makeTexture(Float32Array, this.skin.rows, RGBAFormat, FloatType);
    this.vertices = makeVertexTexture(this.skin);
    try {
      this.parts = [];
      meshes.forEach((mesh, m) => this.parts.push(new Part(this, mesh, this.skin.firstVertices[m])));
    } catch (error) {
      this.dispose();
      throw error;
    }
    meshes.forEach(mesh => kInUse.set(mesh, this));
    this.skeletons = [...new Set(meshes.map(({skeleton}) => skeleton))];
    this.skeletons.forEach(skeleton => follow(skeleton, this));
  }

  // From the world's matrices, relative to the first bone's place: far from the world's origin floats are coarse.
  readJoints(matrices) {
    const place = [...this.origin.setFromMatrixPosition(this.root.matrixWorld)];
    this.mirror = this.first.matrixWorld.determinant() * this.bindSign < 0 ? -1 : 1;
    let changed = false;
    for (const {object, first} of this.joints)
      changed = copyJoint(object.matrixWorld.elements, place, this.mirror, matrices, first) || changed;
    return changed;
  }

  getWeight({mesh, target}) {
    return mesh.morphTargetInfluences?.[target] ?? 0;
  }

  write(texture, values) {
    texture.image.data.set(values);
    texture.needsUpdate = true;
  }

  update() {
    super.update();
    for (const part of this.parts) part.setSpace(this);
  }

  // Leaves the meshes as they were.
  dispose() {
    this.skeletons?.forEach(skeleton => unfollow(skeleton, this));
    this.parts.forEach(part => part.dispose());
    this.meshes.forEach(mesh => kInUse.get(mesh) === this && kInUse.delete(mesh));
    this.skeletons = this.parts = [];
    this.palette.dispose();
    this.vertices.dispose();
    this.skin.release();
  }
}

// ---- Many characters of one model ------------------------------------------------------------------

// Without what skins it and morphs it.
function instanceGeometry(geometry, poseByInstance) {
  const out = geometry.clone();
  for (const name of Object.keys(out.attributes))
    if (/^(skin|joints_|weights_|_sinew_)/.test(name)) out.deleteAttribute(name);
  out.morphAttributes = {};
  return out.setAttribute("sinewPose", poseByInstance);
}

// Rigid meshes, such as a sword that hangs on a bone, as skin of which each mesh is the only joint.
function rigidMeshes(target) {
  if (Array.isArray(target)) return target.flatMap(rigidMeshes);
  const found = [];
  target.traverse(mesh => {
    if (!mesh.isMesh || mesh.isSkinnedMesh || mesh.isInstancedMesh || mesh.isBatchedMesh || !mesh.geometry.attributes.position) return;
    const {geometry, name, castShadow, receiveShadow, visible, customDepthMaterial, customDistanceMaterial} = mesh;
    const {count} = geometry.attributes.position, weights = Float32Array.from({length: 4 * count}, (_, i) => i % 4 ? 0 : 1);
    const skin = new SkinnedMesh(geometry.clone(), mesh.material);
    skin.geometry.setAttribute("skinIndex", new BufferAttribute(new Uint16Array(4 * count), 4));
    skin.geometry.setAttribute("skinWeight", new BufferAttribute(weights, 4));
    skin.bind(new Skeleton([mesh], [new Matrix4()]), new Matrix4());
    found.push(Object.assign(skin, {name, castShadow, receiveShadow, visible, customDepthMaterial, customDistanceMaterial}));
  });
  return found;
}

// An InstancedMesh for each mesh of the model; all poses are in one texture. The bones of the model say
// what writePose() writes.
export class Crowd {
  constructor(module, chosen, target, rigid = rigidMeshes(target)) {
    const {meshes, options} = chosen;
    this.graph = gatherNodes(meshes.flatMap(mesh => mesh.skeleton.bones));
    Object.assign(this, bindCrowd(module, describe(chosen, this.graph), options));
    this.root = target.isObject3D ? target : this.graph.nodes[0].object.parent ?? new Group();
    const {count, poses} = this;
    this.key = hashText(this.glsl);
    this.palette = makeTexture(Float32Array, poses * this.skin.rows, RGBAFormat, FloatType);
    this.vertices = makeVertexTexture(this.skin);
    this.stretches = false;
    this.poseByInstance = new InstancedBufferAttribute(new Float32Array(count), 1);
    for (let i = 0; i < count; ++i) this.poseByInstance.setX(i, i % poses);
    this.object = new Group();
    this.parts = meshes.map((mesh, m) => this.makeInstances(mesh, this.skin.firstVertices[m]));
    this.object.add(...this.parts);
    // Rigid meshes are bound apart: as joints of the method they would change the bones that they hang on.
    if (rigid.length > 0) {
      const method = module.methods()[0].name; // all methods move rigidly what has one joint
      this.rigid = new Crowd(module, {meshes: rigid, method, options: {count, poses}, skinning: null}, this.root, []);
      this.object.add(...this.rigid.parts);
    }
    for (let pose = 0; pose < poses; ++pose) this.writePose(pose);
  }

  makeInstances(mesh, firstVertex) {
    const crowd = this, stretches = {get value() { return crowd.stretches; }};
    const uniforms = {sinewPalette: {value: this.palette}, sinewVertices: {value: this.vertices},
                      sinewStretches: stretches, sinewLocal: {value: new Matrix4()},
                      sinewNormalMatrix: {value: new Matrix3()}, sinewFirstVertex: {value: firstVertex},
                      sinewPoseRows: {value: this.skin.rows}};
    const make = original => makeMaterial(original, {handle: this, uniforms});
    const {name, castShadow, receiveShadow, visible} = mesh;
    const out = new InstancedMesh(instanceGeometry(mesh.geometry, this.poseByInstance), null, this.count);
    Object.assign(out, mapMaterials(mesh, make), {name, castShadow, receiveShadow, visible});
    out.frustumCulled = false; // three knows the bounds of the bind pose alone
    out.raycast = () => {};
    for (let i = 0; i < this.count; ++i) out.setMatrixAt(i, uniforms.sinewLocal.value);
    return out;
  }

  // Where a character is, relative to `object`.
  setMatrixAt(i, matrix) {
    checkIndex("character", i, this.count);
    for (const mesh of this.parts) {
      mesh.setMatrixAt(i, matrix);
      mesh.instanceMatrix.needsUpdate = true;
    }
    this.rigid?.setMatrixAt(i, matrix);
  }

  // Which pose a character shows.
  setPoseAt(i, pose) {
    checkIndex("character", i, this.count);
    checkIndex("pose", pose, this.poses);
    this.poseByInstance.setX(i, pose);
    this.poseByInstance.needsUpdate = true;
    this.rigid?.setPoseAt(i, pose);
  }

  // The pose that the model's bones have now.
  writePose(pose) {
    checkIndex("pose", pose, this.poses);
    const {nodes} = this.graph, own = new Matrix4(), matrices = new Float32Array(16 * nodes.length);
    this.root.updateWorldMatrix(true, false);
    for (const {object, parent} of nodes) object.updateWorldMatrix(parent < 0, false, true);
    const inverse = this.root.matrixWorld.clone().invert();
    nodes.forEach(({object}, i) => own.multiplyMatrices(inverse, object.matrixWorld).toArray(matrices, 16 * i));
    this.skin.matrices(nodes.length).set(matrices);
    const {stretches, rows} = this.skin.pack();
    this.stretches ||= stretches;
    this.palette.image.data.set(rows, pose * rows.length);
    this.palette.needsUpdate = true;
    this.rigid?.writePose(pose);
  }

  dispose() {
    this.object.removeFromParent();
    this.rigid?.dispose();
    for (const mesh of this.parts) {
      for (const material of [mesh.material, mesh.customDepthMaterial, mesh.customDistanceMaterial].flat()) material.dispose();
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.palette.dispose();
    this.vertices.dispose();
    this.skin.release();
  }
}
