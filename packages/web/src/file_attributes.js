// What the loaders of Babylon.js and PlayCanvas read of a glTF file for stored.js.

const kTypes = {5121: Uint8Array, 5123: Uint16Array, 5126: Float32Array};
const kComponents = {SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4};

// An attribute from the bytes of its buffer view. null: it is written in a way that sinew does not write.
export function readFileAttribute({byteOffset = 0, componentType, type, count, normalized = false, sparse}, view, bytes) {
  const Type = kTypes[componentType], components = kComponents[type];
  if (!view || sparse || !Type || !components) return null;
  const stride = (view.byteStride ?? components * Type.BYTES_PER_ELEMENT) / Type.BYTES_PER_ELEMENT;
  const first = bytes.byteOffset + byteOffset, size = ((count - 1) * stride + components) * Type.BYTES_PER_ELEMENT;
  if (!Number.isInteger(stride) || byteOffset + size > bytes.byteLength) return null;
  return {array: new Type(bytes.buffer.slice(first, first + size)), components, count, normalized, stride, offset: 0};
}
