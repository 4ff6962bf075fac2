// Writes a glTF file without compression, as npm's decoders read it: Draco and meshopt are undone,
// all else stays as stored.
// Usage: node gltf_plain.js IN OUT; with --check ends with 0 if the packages are there.
let core, extensions, draco3d, meshopt;
try {
  core = require("@gltf-transform/core");
  extensions = require("@gltf-transform/extensions");
  draco3d = require("draco3dgltf");
  meshopt = require("meshoptimizer");
} catch (error) {
  console.error("npm install @gltf-transform/cli, or set NODE_PATH");
  process.exit(1);
}

// The filter QUATERNION as KHR_meshopt_compression, appendix B, has it: the package's own, in single
// precision, is off by a unit in some numbers.
function decodeQuaternions(bytes) {
  const shorts = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  const round = x => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);
  for (let i = 0; i < shorts.length; i += 4) {
    const one = shorts[i + 3] | 3, first = shorts[i + 3] & 3;
    const xyz = [0, 1, 2].map(c => shorts[i + c] / one * Math.SQRT1_2);
    const w = Math.sqrt(Math.max(0, 1 - xyz[0] ** 2 - xyz[1] ** 2 - xyz[2] ** 2));
    [w, ...xyz].forEach((value, c) => { shorts[i + (first + c) % 4] = round(value * 32767); });
  }
}

const decoder = {
  supported: true,
  decodeGltfBuffer(target, count, size, source, mode, filter) {
    const exact = filter === "QUATERNION";
    meshopt.MeshoptDecoder.decodeGltfBuffer(target, count, size, source, mode, exact ? "NONE" : filter);
    if (exact) decodeQuaternions(target);
  },
};

async function main(input, output) {
  await meshopt.MeshoptDecoder.ready;
  const io = new core.NodeIO().registerExtensions(extensions.ALL_EXTENSIONS).registerDependencies({
    "draco3d.decoder": await draco3d.createDecoderModule(),
    "meshopt.decoder": decoder,
  });
  // The same form as EXT_meshopt_compression, which the packages know; the decoder reads both.
  const file = await io.readAsJSON(input);
  file.json = JSON.parse(JSON.stringify(file.json).replaceAll("KHR_meshopt_compression", "EXT_meshopt_compression"));
  const document = await io.readJSON(file);
  for (const extension of document.getRoot().listExtensionsUsed())
    if (/draco|meshopt/.test(extension.extensionName)) extension.dispose();
  await io.write(output, document);
}

if (process.argv[2] !== "--check") main(process.argv[2], process.argv[3]);
