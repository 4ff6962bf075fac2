// A file like those that people drop: a textured tube of rings with a chain of joints that bend. The module reads and binds
// it before there is another one, and it is drawn unseen, so that code and shaders are compiled by then.

const kPixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="; // a PNG file

function warmUpFile() {
  const kRings = 100, kAround = 24, kJoints = 5;
  const positions = [], normals = [], texcoords = [], joints = [], weights = [], indices = [];
  for (let ring = 0; ring < kRings; ++ring)
    for (let i = 0; i < kAround; ++i) {
      const angle = 2 * Math.PI * i / kAround, height = ring / (kRings - 1);
      const along = height * (kJoints - 1), lower = Math.min(Math.floor(along), kJoints - 2);
      positions.push(0.1 * Math.cos(angle), height, 0.1 * Math.sin(angle));
      normals.push(Math.cos(angle), 0, Math.sin(angle));
      texcoords.push(i / kAround, height);
      const far = ring === 50 ? 0.1 : 0; // there four joints, as most characters have somewhere
      joints.push(lower, lower + 1, (lower + 2) % kJoints, (lower + 3) % kJoints);
      weights.push((1 - 2 * far) * (1 - along + lower), (1 - 2 * far) * (along - lower), far, far);
      if (ring === 0) continue;
      const at = ring * kAround + i, next = ring * kAround + (i + 1) % kAround;
      indices.push(at - kAround, at, next, at - kAround, next, next - kAround);
    }
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  const inverseBinds = Array.from({length: kJoints}, (_, joint) => [...identity, 0, -joint / (kJoints - 1), 0, 1]).flat();
  const bend = Math.sin(Math.PI / 6), rotations = [0, 0, 0, 1, bend, 0, 0, Math.sqrt(1 - bend * bend), 0, 0, 0, 1];

  const gltf = {asset: {version: "2.0"}, bufferViews: [], accessors: []}, parts = [];
  let length = 0;
  const view = bytes => {
    parts.push([length, bytes]);
    gltf.bufferViews.push({buffer: 0, byteOffset: length, byteLength: bytes.length});
    length += 4 * Math.ceil(bytes.length / 4);
    return gltf.bufferViews.length - 1;
  };
  const accessor = (values, type, componentType, more = {}) => {
    const components = {SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16}[type];
    return gltf.accessors.push({bufferView: view(new Uint8Array(values.buffer)), componentType, type, count: values.length / components, ...more}) - 1;
  };
  const kByte = 5121, kShort = 5123, kFloat = 5126;
  const floats = (values, type, more) => accessor(new Float32Array(values), type, kFloat, more);
  const attributes = {
    POSITION: floats(positions, "VEC3", {min: [-0.1, 0, -0.1], max: [0.1, 1, 0.1]}), NORMAL: floats(normals, "VEC3"),
    TEXCOORD_0: floats(texcoords, "VEC2"), JOINTS_0: accessor(new Uint8Array(joints), "VEC4", kByte), WEIGHTS_0: floats(weights, "VEC4")};
  // Once with normals and once without, which is drawn flat by other shaders.
  const {NORMAL, ...flat} = attributes, triangles = accessor(new Uint16Array(indices), "SCALAR", kShort);
  gltf.meshes = [{primitives: [{attributes, material: 0, indices: triangles}, {attributes: flat, material: 1, indices: triangles}]}];
  gltf.materials = Array(2).fill({pbrMetallicRoughness: {baseColorTexture: {index: 0}}});
  gltf.textures = [{source: 0}];
  gltf.images = [{mimeType: "image/png", bufferView: view(Uint8Array.from(atob(kPixel), letter => letter.charCodeAt(0)))}];
  gltf.skins = [{joints: Array.from({length: kJoints}, (_, joint) => joint), inverseBindMatrices: floats(inverseBinds, "MAT4")}];
  gltf.nodes = Array.from({length: kJoints}, (_, joint) => ({translation: [0, joint === 0 ? 0 : 1 / (kJoints - 1), 0],
                                                             ...(joint < kJoints - 1 ? {children: [joint + 1]} : {})}));
  gltf.nodes.push({mesh: 0, skin: 0});
  gltf.scenes = [{nodes: [0, kJoints]}];
  const times = floats([0, 1, 2], "SCALAR", {min: [0], max: [2]}), bends = floats(rotations, "VEC4");
  gltf.animations = [{samplers: [{input: times, output: bends}],
                      channels: [1, 2, 3].map(node => ({sampler: 0, target: {node, path: "rotation"}}))}];
  gltf.buffers = [{byteLength: length}];

  const json = JSON.stringify(gltf), padded = new TextEncoder().encode(json.padEnd(4 * Math.ceil(json.length / 4)));
  const first = 28 + padded.length, out = new Uint8Array(first + length), header = new DataView(out.buffer);
  [0x46546c67, 2, out.length, padded.length, 0x4e4f534a].forEach((word, i) => header.setUint32(4 * i, word, true));
  out.set(padded, 20);
  [length, 0x004e4942].forEach((word, i) => header.setUint32(first - 8 + 4 * i, word, true));
  for (const [at, bytes] of parts) out.set(bytes, first + at);
  return {name: "warm-up.glb", bytes: out};
}
