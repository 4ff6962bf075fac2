// Prints the WGSL of a SPIR-V file, by Tint as npm's @babylonjs/core has it: node wgsl_of_spirv.mjs FILE.spv, for scripts/wgsl.
import {existsSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";

const folder = (process.env.NODE_PATH ?? "").split(":").map(each => join(each, "@babylonjs/core/assets/twgsl"))
  .find(each => existsSync(join(each, "twgsl.wasm")));
if (!folder) {
  console.error("npm's @babylonjs/core is not in NODE_PATH, or has no assets/twgsl");
  process.exit(1);
}
// A script for browsers, which takes node's modules where it finds them.
const script = new Function("require", "process", "__dirname", "self", `${readFileSync(join(folder, "twgsl.js"), "utf8")}; return twgsl;`);
const tint = await script(createRequire(import.meta.url), process, folder, globalThis)(join(folder, "twgsl.wasm"));
const bytes = readFileSync(process.argv[2]);
const wgsl = tint.convertSpirV2WGSL(new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)), false);
if (!wgsl?.includes("@vertex")) {
  console.error("Tint does not translate this SPIR-V");
  process.exit(1);
}
process.stdout.write(wgsl);
