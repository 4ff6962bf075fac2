// Has PlayCanvas's loader of glTF keep what it leaves out, for `use`: more than four joints a vertex, the method that the file
// states, and what `sinew export --method` has bound.
import {dracoDecode, TYPE_FLOAT32, TYPE_INT16, TYPE_INT8, TYPE_UINT16, TYPE_UINT32, TYPE_UINT8} from "playcanvas";

import {readFileAttribute} from "./file_attributes.js";
import {kFileAttributes, kFileSkinning} from "./module.js";

const kKept = /^(_SINEW_\w+|JOINTS_[1-9]|WEIGHTS_[1-9])$/;

function keepMesh(gltf, bytes, {attributes}, mesh) {
  const names = Object.keys(attributes).filter(name => kKept.test(name));
  const read = index => {
    const accessor = gltf.accessors[index], view = gltf.bufferViews[accessor.bufferView];
    return view ? readFileAttribute(accessor, view, bytes.get(view)) : null;
  };
  kFileAttributes.set(mesh, Object.fromEntries(names.map(name => [name, read(attributes[name])])));
}

// ---- Draco -----------------------------------------------------------------------------------------
// PlayCanvas has no vertices of a primitive that Draco compressed with attributes beside its own. Such a primitive becomes one
// that is not compressed before PlayCanvas reads it.

const kComponents = {[TYPE_INT8]: [5120, 1], [TYPE_UINT8]: [5121, 1], [TYPE_INT16]: [5122, 2], [TYPE_UINT16]: [5123, 2],
                     [TYPE_UINT32]: [5125, 4], [TYPE_FLOAT32]: [5126, 4]};
const kTypes = [, "SCALAR", "VEC2", "VEC3", "VEC4"];
const kDraco = "KHR_draco_mesh_compression";

// The primitives of a buffer view.
function toDecode({bufferViews, meshes = []}, view) {
  return meshes.flatMap(({primitives}) => primitives).filter(({extensions}) => {
    const draco = extensions?.[kDraco];
    return draco && bufferViews[draco.bufferView] === view && Object.keys(draco.attributes).some(name => /^JOINTS_[1-9]$/.test(name));
  });
}

// What PlayCanvas's decoder makes of it. null: nothing, of which PlayCanvas tells where it reads the mesh.
const decode = bytes => new Promise(done => {
  if (!dracoDecode(bytes.slice().buffer, (error, decoded) => done(error ? null : decoded))) done(null);
});

// One attribute after the other, then the indices, as bytes; where each is, as accessors say it.
function layOut({vertices, indices, attributes, stride}) {
  const count = vertices.byteLength / stride, from = new Uint8Array(vertices), places = new Map();
  let length = 0;
  for (const {id, dataType, numComponents} of attributes) {
    const [componentType, size] = kComponents[dataType];
    places.set(id, {byteOffset: length, componentType, type: kTypes[numComponents], count});
    length += 4 * Math.ceil(size * numComponents * count / 4);
  }
  const bytes = new Uint8Array(length + indices.byteLength), short = count <= 65535;
  for (const {id, dataType, numComponents, offset} of attributes) {
    const size = kComponents[dataType][1] * numComponents, {byteOffset} = places.get(id);
    for (let v = 0; v < count; ++v) bytes.set(from.subarray(stride * v + offset, stride * v + offset + size), byteOffset + size * v);
  }
  bytes.set(new Uint8Array(indices), length);
  const list = {byteOffset: length, componentType: short ? 5123 : 5125, type: "SCALAR", count: indices.byteLength / (short ? 2 : 4)};
  return {bytes, places, list};
}

function replace(gltf, primitive, {places, list}) {
  const {bufferView, attributes} = primitive.extensions[kDraco];
  const add = (before, place) => gltf.accessors.push({...before, bufferView, ...place}) - 1;
  // What is bound has to be exact, which numbers that Draco compressed are not.
  const names = Object.keys(attributes).filter(name => !name.startsWith("_SINEW_"));
  primitive.attributes = Object.fromEntries(names.map(name =>
    [name, add(gltf.accessors[primitive.attributes[name]], places.get(attributes[name]))]));
  primitive.indices = add({}, list);
  delete primitive.extensions[kDraco];
}

// Options of an asset of type "container", with those that are given.
export function keepSkinningData(options = {}) {
  const bytes = new WeakMap(), files = new WeakMap(); // by buffer view
  const given = (view, buffers) => new Promise((done, fail) => {
    if (!options.bufferView?.processAsync) return done(null);
    options.bufferView.processAsync(view, buffers, (error, data) => (error ? fail(error) : done(data)));
  });
  return {
    ...options,
    bufferView: {...options.bufferView, processAsync(view, buffers, done) {
      (async () => {
        const data = await given(view, buffers); // PlayCanvas has begun with all views by then, and told of the file
        const gltf = files.get(view), primitives = toDecode(gltf, view);
        if (primitives.length === 0) return data;
        const all = data ?? await buffers[view.buffer], first = data ? 0 : view.byteOffset ?? 0;
        const decoded = await decode(all.subarray(first, first + view.byteLength));
        if (!decoded) return data;
        const plain = layOut(decoded);
        for (const primitive of primitives) replace(gltf, primitive, plain);
        return plain.bytes;
      })().then(data => done(null, data), done);
    }, postprocess(view, data) {
      options.bufferView?.postprocess?.(view, data);
      bytes.set(view, data);
    }},
    global: {...options.global, preprocess(gltf) {
      options.global?.preprocess?.(gltf);
      for (const view of gltf.bufferViews ?? []) files.set(view, gltf);
    }, postprocess(gltf, result) {
      options.global?.postprocess?.(gltf, result);
      const meshes = result.renders.map(render => render.meshes);
      gltf.meshes?.forEach(({primitives}, m) => primitives.forEach((primitive, p) => {
        if (meshes[m]?.length === primitives.length) keepMesh(gltf, bytes, primitive, meshes[m][p]);
      }));
      for (const {mesh, extras} of gltf.nodes ?? [])
        if (extras?.sinew?.skinning) meshes[mesh]?.forEach(each => kFileSkinning.set(each, extras.sinew.skinning));
    }},
  };
}
