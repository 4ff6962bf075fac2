// Runs the module for browsers (scripts/web) in node.
//
//   web_module.mjs MODULE info MODEL                 what `sinew info --json` prints
//   web_module.mjs MODULE same MODEL METHOD PAGE     the largest difference from a page that the
//                                                    program wrote (--exact), as JSON
//   web_module.mjs MODULE open MODEL                 "cause message" where it is not read
//   web_module.mjs MODULE exceptions                 what exceptions_test.wasm returns
//   web_module.mjs MODULE vertices MODEL SETTINGS    of each of the settings (a JSON array) the posed
//                                                    positions, base64 of floats, a line each
//   web_module.mjs MODULE each FILE ...              a line for each: "read", "cause message", or
//                                                    "crash message"
//   web_module.mjs MODULE ask REQUEST                the answer to a request (JSON) without a model
//   web_module.mjs MODULE save MODEL REQUEST FILE    the answer to a request (JSON), as a file
import {readdirSync, readFileSync, statSync, writeFileSync} from "node:fs";
import {basename, dirname, join, relative} from "node:path";
import {fileURLToPath} from "node:url";
import {inflateSync} from "node:zlib";

const assets = join(dirname(fileURLToPath(import.meta.url)), "../../assets/page");
const {loadSinew} = await import(join(assets, "sinew.js"));
const {unpackData, unpack} = new Function(`${readFileSync(join(assets, "data.js"), "utf8")}; return {unpackData, unpack};`)();

const [module, what, model, ...words] = process.argv.slice(2);
if (what === "exceptions") {
  const system = new Proxy({}, {get: () => () => 0});
  const {instance: {exports}} = await WebAssembly.instantiate(readFileSync(module), {wasi_snapshot_preview1: system});
  exports._initialize();
  console.log(JSON.stringify([...[0, 1, 2, 3, 4, 5].map(exports.caught), exports.retained(), exports.left()]));
  process.exit(0);
}
const sinew = await loadSinew(readFileSync(module));

// The model with what lies beside and below it.
function give(folder, top = folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) give(path, top);
    else sinew.give(relative(top, path), readFileSync(path));
  }
}
function open() {
  give(dirname(model));
  return sinew.ask({do: "open", file: basename(model)});
}

// All arrays below a description, by where they are.
function arraysIn(value, path = "", out = new Map()) {
  if (!value || typeof value !== "object") return out;
  if ("at" in value && "width" in value) out.set(path, value);
  else for (const [key, below] of Object.entries(value)) arraysIn(below, `${path}/${key}`, out);
  return out;
}

// Where a list of levels begins is counted in its steps, and a list that hardly changes has steps of its noise.
function numbersAt(data, arrays, path) {
  const numbers = unpack(data.bytes, arrays.get(path)), step = path.endsWith("/from") && arrays.get(path.replace(/from$/, "step"));
  if (!step) return numbers;
  const steps = unpack(data.bytes, step);
  return Float64Array.from(numbers, (number, i) => number * (steps[i] || 1));
}

function farthest(a, b) {
  const ours = arraysIn(a), theirs = arraysIn(b);
  const out = {arrays: ours.size, numbers: 0, largest: 0, where: "", unlike: []};
  for (const [path, array] of ours) {
    const other = theirs.get(path);
    if (!other || other.count !== array.count || other.components !== array.components || other.width !== array.width) {
      out.unlike.push(path);
      continue;
    }
    const x = numbersAt(a, ours, path), y = numbersAt(b, theirs, path);
    const integers = !array.float;
    // A number that is a float's last bit apart may be rounded to the next step.
    const steps = array.kind === "fractions" ? 1 : 0;
    // A share of the array's largest number, or of 1: differences of places leave small ones with their rounding.
    const scale = integers ? 1 : x.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
    for (let i = 0; i < x.length; ++i) {
      const apart = Math.abs(x[i] - y[i]);
      const off = integers ? Math.max(apart - steps, 0) : apart / scale;
      if (!(off <= out.largest)) Object.assign(out, {largest: off, where: `${path}[${i}] ${x[i]} ${y[i]}`});
    }
    out.numbers += x.length;
  }
  for (const path of theirs.keys()) if (!ours.has(path)) out.unlike.push(path);
  return out;
}

if (what === "info") {
  open();
  console.log(JSON.stringify(sinew.ask({do: "info"})));
} else if (what === "open") {
  try {
    open();
    console.log("read");
  } catch (error) {
    console.log(`${error.cause} ${error.message}`);
  }
} else if (what === "same") {
  const [method, page] = words;
  open();
  const data = unpackData(sinew.askBytes({do: "page", settings: {method}, exact: true, measured: true}));
  const text = /<script id="data"[^>]*>([^<]*)</.exec(readFileSync(page, "utf8"))[1];
  console.log(JSON.stringify(farthest(data, unpackData(new Uint8Array(inflateSync(Buffer.from(text, "base64")))))));
} else if (what === "vertices") {
  open();
  for (const settings of JSON.parse(words[0]))
    console.log(Buffer.from(sinew.askBytes({do: "vertices", settings})).toString("base64"));
} else if (what === "each") {
  let each = sinew;
  for (const file of [model, ...words]) {
    try {
      each.give(basename(file), readFileSync(file));
      each.ask({do: "open", file: basename(file)});
      console.log("read");
    } catch (error) {
      console.log(`${error.cause || "crash"} ${error.message}`.replaceAll("\n", " "));
      if (!error.cause || error.cause === "crash") each = await loadSinew(readFileSync(module));
    }
  }
} else if (what === "ask") {
  console.log(JSON.stringify(sinew.ask(JSON.parse(model))));
} else if (what === "save") {
  open();
  writeFileSync(words[1], sinew.askBytes(JSON.parse(words[0])));
}
