// sinew's program for WebAssembly (src/skin_module.cpp): what a page binds, packs and skins with it.
// It knows no engine.

// What a mesh's loader keeps of a file beside the engine's own: from a geometry to {name: attribute}, as stored.js reads it,
// and from a mesh to extras.sinew.skinning of its node.
export const kFileAttributes = new WeakMap();
export const kFileSkinning = new WeakMap();

export const kTextureWidth = 1024; // texels of a row of what is read as a buffer

// The C library asks for a system, of which nothing is used: every call of it fails.
function makeSystem(compiled) {
  const system = {};
  for (const {module, name} of WebAssembly.Module.imports(compiled)) (system[module] ??= {})[name] = () => kNotSupported;
  return system;
}
const kNotSupported = 52; // WASI's errno

// One instance serves any number of skins.
export class Module {
  // source: bytes, a compiled module, a response, or the promise of one of these, or an address.
  static async load(source) {
    const given = await source;
    const fetched = typeof given === "string" || given instanceof URL ? await fetch(given) : given;
    const binary = fetched instanceof Response ? await fetched.arrayBuffer() : fetched;
    const compiled = binary instanceof WebAssembly.Module ? binary : await WebAssembly.compile(binary);
    return new Module((await WebAssembly.instantiate(compiled, makeSystem(compiled))).exports);
  }

  constructor(exports) {
    this.exports = exports;
    this.bindStored = null; // from stored.js, where the package has it
    exports._initialize();
  }

  array(Type, address, count) {
    return new Type(this.exports.memory.buffer, address, count);
  }

  // What the last call has written, or why it failed.
  text() {
    const {text, textSize} = this.exports;
    return new TextDecoder().decode(this.array(Uint8Array, text(), textSize()));
  }

  checked(result) {
    if (result < 0) throw new Error(`sinew: ${this.text()}`);
    return result;
  }

  // [{name, title, summary}]
  methods() {
    this.exports.listMethods();
    return JSON.parse(this.text());
  }

  // described: as src/skin_module.cpp reads it; arrays: those that belong to it, in its order.
  bind(described, arrays) {
    const json = new TextEncoder().encode(JSON.stringify(described));
    const size = arrays.reduce((sum, each) => sum + each.byteLength, 4 + json.length);
    const bytes = this.array(Uint8Array, this.exports.room(size), size);
    new DataView(bytes.buffer).setUint32(bytes.byteOffset, json.length, true);
    bytes.set(json, 4);
    let at = 4 + json.length;
    for (const each of arrays) {
      bytes.set(new Uint8Array(each.buffer, each.byteOffset, each.byteLength), at);
      at += each.byteLength;
    }
    return new Skin(this, this.checked(this.exports.bind()));
  }

  // Or takes what the file has of vertices. given: of an engine's describe().
  bindMeshes(given) {
    return this.bindStored?.(this, given) ?? this.bind(given.described, given.arrays);
  }
}

// A method bound to meshes. The views that it gives hold until the next call.
export class Skin {
  constructor(module, handle) {
    this.module = module;
    this.handle = handle;
    Object.assign(this, JSON.parse(module.text()));
    // Divisions of integers are slow: a row of a texture has a power of two texels, or is the only one.
    this.glsl = this.glsl.replaceAll("ivec2(i % width, i / width)", `ivec2(i & ${kTextureWidth - 1}, i >> ${Math.log2(kTextureWidth)})`);
  }

  release() {
    if (this.handle === null) return;
    this.module.exports.release(this.handle);
    this.handle = null;
  }

  // `texels` texels of four words for every vertex.
  words() {
    return this.module.array(Uint32Array, this.module.exports.words(this.handle), 4 * this.texels * this.vertices);
  }

  // 16 floats for every node, to be written column by column.
  matrices(nodes) {
    if (this.handle === null) throw new Error("sinew: it was disposed of");
    return this.module.array(Float32Array, this.module.exports.matrices(this.handle), 16 * nodes);
  }

  // The palette's rows, four floats each, and whether it stretches.
  pack() {
    const {module, handle} = this;
    const stretches = module.checked(module.exports.pack(handle)) === 1;
    return {stretches, rows: module.array(Float32Array, module.exports.rows(handle), 4 * this.rows)};
  }

  // Moves the vertices by the weights of morph targets; whether words() have changed.
  morph(weights) {
    const {module, handle} = this;
    module.array(Float32Array, module.exports.weights(handle), weights.length).set(weights);
    return module.checked(module.exports.morph(handle)) === 1;
  }

  // Positions and normals on the CPU, by the palette of the last pack(), three floats a vertex.
  skin() {
    const {module, handle} = this;
    module.checked(module.exports.skin(handle));
    return {positions: module.array(Float32Array, module.exports.positions(handle), 3 * this.vertices),
            normals: module.array(Float32Array, module.exports.normals(handle), 3 * this.vertices)};
  }
}

// "attachments=1,bulge-free=on" of {attachments: 1, "bulge-free": true}; text stays as it is.
export function parametersText(parameters) {
  if (typeof parameters === "string") return parameters;
  const word = value => typeof value === "boolean" ? (value ? "on" : "off") : value;
  return Object.entries(parameters ?? {}).map(([name, value]) => `${name}=${word(value)}`).join(",");
}

const kOptions = ["influences", "parameters", "zones"];

// Of use(), and with further ones of crowd(): their names, and those whose types nobody else checks.
export function checkOptions(given, ...further) {
  const known = [...kOptions, ...further], unknown = Object.keys(given).find(key => !known.includes(key));
  if (unknown) throw new Error(`sinew: unknown option '${unknown}'; one of ${known.join(", ")}`);
  const {influences = 8} = given, parameters = given.parameters ?? {};
  if (!Number.isInteger(influences)) throw new Error("sinew: influences: a whole number from 1 to 12 is expected");
  if (!["object", "string"].includes(typeof parameters)) throw new Error("sinew: parameters: names with values, or text, are expected");
}

// The method and its options, which a file may state. Those of a file are of its own method alone; what the page gives
// comes first. stored: extras.sinew.skinning, or nothing. joints: of each its name in the file and in the engine.
// skinning: `stored` where nothing else is given, so that what the file has of vertices holds.
export function chooseMethod(stored, joints, method, given) {
  if (!method && !stored?.method) throw new Error("sinew: no method is given, and the file states none");
  if (!stored || (method && method !== stored.method)) return {method, options: given, skinning: null};
  const options = {}, names = new Map(joints);
  for (const key of ["influences", "parameters"]) if (key in stored) options[key] = stored[key];
  if (stored.zones) {
    // A joint that these meshes do not have needs no zone.
    const known = Object.entries(stored.zones).filter(([joint]) => names.has(joint));
    options.zones = Object.fromEntries(known.map(([joint, zone]) => [names.get(joint), zone]));
  }
  const own = !kOptions.some(key => given[key] !== undefined);
  return {method: stored.method, options: {...options, ...given}, skinning: own ? stored : null};
}

// Joints and weights of a vertex beside each other, of sets of four.
export function joinInfluences(joints, weights) {
  const sets = joints.length, perVertex = 4 * sets, count = joints[0].length / 4;
  const out = {perVertex, joints: new Uint32Array(count * perVertex), weights: new Float32Array(count * perVertex)};
  for (let set = 0; set < sets; ++set)
    for (let v = 0; v < count; ++v)
      for (let c = 0; c < 4; ++c) {
        out.joints[v * perVertex + 4 * set + c] = joints[set][4 * v + c];
        out.weights[v * perVertex + 4 * set + c] = weights[set][4 * v + c];
      }
  return out;
}

// A texture read as a buffer: width, height and room for that many texels of four numbers.
export function texelRoom(Type, texels) {
  const width = Math.max(Math.min(texels, kTextureWidth), 1), height = Math.max(Math.ceil(texels / width), 1);
  return {width, height, data: new Type(4 * width * height)};
}

const kTextureHeight = 8192;

// Binds for many characters, of which each shows one of some poses: all poses are in one texture, and the GLSL takes
// the pose from an attribute `sinewPose` of the instance in the place of the row that a uniform states.
export function bindCrowd(module, bound, {count, poses = count}) {
  for (const [name, value] of Object.entries({count, poses}))
    if (!(Number.isInteger(value) && value > 0)) throw new Error(`sinew: ${name}: a whole number above 0 is expected`);
  const skin = module.bindMeshes(bound), fit = Math.floor(kTextureWidth * kTextureHeight / skin.rows);
  const uniform = "uniform int sinewFirstRow;";
  if (poses <= fit && skin.glsl.includes(uniform))
    return {skin, count, poses, method: skin.method, glsl: skin.glsl.replace(uniform, `attribute float sinewPose;
uniform int sinewPoseRows;
#define sinewFirstRow (int(sinewPose) * sinewPoseRows)`)};
  skin.release();
  throw new Error(poses > fit ? `sinew: ${poses} poses are too many for a texture: ${fit} fit` :
                                "sinew: sinew.wasm is of another version");
}

// thing: what is counted.
export function checkIndex(thing, index, count) {
  if (!(Number.isInteger(index) && index >= 0 && index < count)) throw new Error(`sinew: ${thing} ${index} of ${count}`);
}

// Short, and another one for another text.
export function hashText(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length}-${(hash >>> 0).toString(16)}`;
}
