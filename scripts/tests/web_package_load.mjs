// One call of `use` in a process of its own: web_package_load.py runs it where the package and three.js are in node_modules.
// Usage: node web_package_load.mjs MODEL.glb [METHOD [prepared]]. Without a method: that of the file, with what the file has of its vertices.
// Prints milliseconds, and whether vertices came from the file.
import {readFileSync} from "node:fs";

globalThis.self = globalThis; // GLTFLoader is for browsers
const {GLTFLoader} = await import("three/examples/jsm/loaders/GLTFLoader.js");
const {Sinew} = await import("sinew-skinning");
const [file, method, prepared] = process.argv.slice(2), bytes = readFileSync(file), sinew = await Sinew.load();
const loader = new GLTFLoader();
loader.register(parser => {
  parser.loadTextureImage = () => Promise.resolve(null);
  return {name: "no-textures"};
});
if (prepared) {
  sinew.prepare(method);
  await new Promise(done => setTimeout(done, 300)); // while the model is being fetched
}
const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "");
const began = performance.now(), handle = sinew.use(gltf.scene, method, method && {parameters: {}});
console.log(JSON.stringify({milliseconds: performance.now() - began, stored: "bindAll" in handle.skin}));
