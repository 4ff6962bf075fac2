// What the program of the npm package says of faults, in node: a JSON array of [name, error's text], of the module
// named on the command line (build/web_package/package/src/module.js) and its sinew.wasm.
import {readFileSync} from "node:fs";
import {join} from "node:path";

const folder = process.argv[2];
const {Module, checkIndex, checkOptions, parametersText} = await import(join(folder, "src/module.js")), {prepareMethod} = await import(join(folder, "src/prepare.js"));
const module = await Module.load(readFileSync(join(folder, "sinew.wasm")));

// A triangle of two joints.
const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const describe = changes => ({
  method: "arc-spline", influences: 8, parameters: "", nodes: [{name: "a", parent: -1}, {name: "b", parent: 0}],
  skins: [[0, 1]], targets: 0, ...changes,
  meshes: [{skin: 0, vertices: 3, influences: 1, normals: false, tangents: false, triangles: 1, morphs: []}]});
const arrays = joint => [new Float32Array([...matrix, ...matrix]), new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]),
                         new Uint32Array([0, joint, 0]), new Float32Array([1, 1, 1]), new Uint32Array([0, 1, 2])];
const attempts = {
  good: [{}],
  zones: [{zones: {b: {min: -1}}}],
  joint: [{zones: {c: {min: -1}}}],
  key: [{zones: {b: {length: 1}}}],
  end: [{zones: {b: {min: 1}}}],
  zoneMethod: [{method: "per-joint", zones: {b: {method: "none"}}}],
  method: [{method: "none"}],
  parameter: [{parameters: "none=1"}],
  parameterValue: [{parameters: parametersText({attachments: 9})}],
  switched: [{method: "dqs", parameters: parametersText({"bulge-free": true})}],
  otherParameter: [{method: "lbs", parameters: "attachments=1"}],
  influences: [{influences: 13}],
  missing: [{influences: undefined}], // thrown by the JSON library
  vertexJoint: [{}, 2],
  short: [{targets: 0}, 1, 3],
};
const found = Object.entries(attempts).map(([name, [changes, joint = 1, count = 5]]) => {
  try {
    const skin = module.bind(describe(changes), arrays(joint).slice(0, count));
    skin.release();
    return [name, /[%/] width/.test(skin.glsl) ? "the shader divides integers" : ""];
  } catch (error) {
    return [name, error.message ?? String(error)];
  }
});
for (const {name} of module.methods()) {
  try {
    prepareMethod(module, name);
    found.push([`prepare ${name}`, ""]);
  } catch (error) {
    found.push([`prepare ${name}`, error.message ?? String(error)]);
  }
}
const disposed = module.bind(describe({}), arrays(1));
disposed.release();
for (const [name, attempt] of Object.entries({
  optionName: () => checkOptions({paramters: {}}), optionType: () => checkOptions({influences: "4"}),
  optionPart: () => checkOptions({influences: 1.5}), optionNone: () => checkOptions({influences: null}),
  parametersType: () => checkOptions({parameters: 5}), crowdOption: () => checkOptions({count: 3}),
  disposed: () => disposed.matrices(2), behind: () => checkIndex("character", 3, 3), before: () => checkIndex("pose", -1, 3),
})) {
  try {
    attempt();
    found.push([name, ""]);
  } catch (error) {
    found.push([name, error.message]);
  }
}
console.log(JSON.stringify(found));
