// Has Babylon's loader of glTF keep what `sinew export --method` has bound, attributes _SINEW_* of a file, so that `use` computes
// none of it: call registerSkinningData() before a model is loaded.
import {registerGLTFExtension} from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js";

import {kFileAttributes} from "./module.js";

const kTypes = {5121: Uint8Array, 5123: Uint16Array, 5126: Float32Array};
const kComponents = {SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4};

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

  // null: it is written in a way that sinew does not write.
  async read(index) {
    const {accessors, bufferViews} = this.loader.gltf, {bufferView, byteOffset = 0, componentType, type, count, normalized = false, sparse} =
      accessors[index], Type = kTypes[componentType], components = kComponents[type];
    if (bufferView === undefined || sparse || !Type || !components) return null;
    const view = bufferViews[bufferView], bytes = await this.loader.loadBufferViewAsync(`/bufferViews/${bufferView}`, view);
    const stride = (view.byteStride ?? components * Type.BYTES_PER_ELEMENT) / Type.BYTES_PER_ELEMENT;
    const first = bytes.byteOffset + byteOffset, size = ((count - 1) * stride + components) * Type.BYTES_PER_ELEMENT;
    if (!Number.isInteger(stride) || byteOffset + size > bytes.byteLength) return null;
    return {array: new Type(bytes.buffer.slice(first, first + size)), components, count, normalized, stride, offset: 0};
  }
}

export function registerSkinningData() {
  registerGLTFExtension("SINEW_skinning", false, loader => new SkinningData(loader));
}
