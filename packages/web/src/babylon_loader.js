// Has Babylon's loader of glTF keep what `sinew export --method` has bound, attributes _SINEW_* of a file, so that `use` computes
// none of it: call registerSkinningData() before a model is loaded.
import {registerGLTFExtension} from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js";

import {readFileAttribute} from "./file_attributes.js";
import {kFileAttributes} from "./module.js";

class SkinningData {
  name = "SINEW_skinning";
  enabled = true;

  constructor(loader) {
    this.loader = loader;
  }

  dispose() {
    this.loader = null;
  }

  // Babylon calls it for each primitive, and the loader's own function within it does not call it again.
  _loadVertexDataAsync(context, primitive, mesh) {
    const names = Object.keys(primitive.attributes ?? {}).filter(name => name.startsWith("_SINEW_"));
    if (names.length === 0) return null;
    const read = Promise.all(names.map(async name => [name, await this.read(primitive.attributes[name])]));
    return this.loader._loadVertexDataAsync(context, primitive, mesh).then(async geometry => {
      kFileAttributes.set(geometry, Object.fromEntries(await read));
      return geometry;
    });
  }

  async read(index) {
    const {accessors, bufferViews} = this.loader.gltf, accessor = accessors[index], {bufferView: i} = accessor, view = bufferViews?.[i];
    return readFileAttribute(accessor, view, view && await this.loader.loadBufferViewAsync(`/bufferViews/${i}`, view));
  }
}

export function registerSkinningData() {
  registerGLTFExtension("SINEW_skinning", false, loader => new SkinningData(loader));
}
