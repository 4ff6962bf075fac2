// Has PlayCanvas's loader of glTF keep what it leaves out, for `use`: more than four joints a vertex, the method that the file
// states, and what `sinew export --method` has bound.
import {attributeOf} from "./file_attributes.js";
import {kFileAttributes, kFileSkinning} from "./module.js";

const kKept = /^(_SINEW_\w+|JOINTS_[1-9]|WEIGHTS_[1-9])$/;

function keepMesh(gltf, bytes, {attributes}, mesh) {
  const names = Object.keys(attributes).filter(name => kKept.test(name));
  const read = index => {
    const accessor = gltf.accessors[index], view = gltf.bufferViews[accessor.bufferView];
    return attributeOf(accessor, view, bytes.get(view));
  };
  kFileAttributes.set(mesh, Object.fromEntries(names.map(name => [name, read(attributes[name])])));
}

// Options of an asset of type "container", with those that are given.
export function keepSkinningData(options = {}) {
  const bytes = new WeakMap(); // of a buffer view
  return {
    ...options,
    bufferView: {...options.bufferView, postprocess(view, data) {
      options.bufferView?.postprocess?.(view, data);
      bytes.set(view, data);
    }},
    global: {...options.global, postprocess(gltf, result) {
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
