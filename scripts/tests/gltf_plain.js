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

async function main(input, output) {
  await meshopt.MeshoptDecoder.ready;
  const io = new core.NodeIO().registerExtensions(extensions.ALL_EXTENSIONS).registerDependencies({
    "draco3d.decoder": await draco3d.createDecoderModule(),
    "meshopt.decoder": meshopt.MeshoptDecoder,
  });
  // Of the same form as EXT_meshopt_compression, which the packages know; the decoder reads both.
  const file = await io.readAsJSON(input);
  file.json = JSON.parse(JSON.stringify(file.json).replaceAll("KHR_meshopt_compression", "EXT_meshopt_compression"));
  const document = await io.readJSON(file);
  for (const extension of document.getRoot().listExtensionsUsed())
    if (/draco|meshopt/.test(extension.extensionName)) extension.dispose();
  await io.write(output, document);
}

if (process.argv[2] !== "--check") main(process.argv[2], process.argv[3]);
