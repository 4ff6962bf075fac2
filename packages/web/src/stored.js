// Vertices that `sinew export --method` has bound: attributes _SINEW_* of a file (docs/engines.md of the sinew repository).
// Centres of rotation and direct delta mush look at every vertex with others, and all else of theirs is of the joints alone:
// where the file fits the meshes, a few vertices are bound, and the words of all come from the file.
const kMethods = ["cor", "ddm"];

// Whether an attribute, {array, components, stride, offset, normalized, count}, has what sinew's shader reads of this name.
function fits(name, {array, normalized, components, count, stride, offset}, vertices, joints) {
  const inWords = value => value * array.BYTES_PER_ELEMENT % 4 === 0;
  if (count !== vertices || !inWords(stride) || !inWords(offset)) return false;
  if (/^joints\d$/.test(name)) return array instanceof (joints <= 256 ? Uint8Array : Uint16Array) && !normalized && components === 4;
  if (/^weights\d$/.test(name)) return array instanceof Uint16Array && normalized && components === 4;
  return array instanceof Float32Array;
}

// The attributes by the shader's names, of each mesh one in `all`, and with which word of a vertex each begins; null: some are
// missing, or other than expected.
function layOut(skinning, meshes, readAttribute, vertices, joints) {
  const layout = [];
  let words = 0;
  for (const [name, stored] of Object.entries(skinning.attributes ?? {})) {
    const all = meshes.map(mesh => readAttribute(mesh, stored)), {components, array} = all[0] ?? {};
    if (!all.every((each, m) => each && each.components === components && fits(name, each, vertices[m], joints))) return null;
    layout.push({name, first: words, size: components * array.BYTES_PER_ELEMENT / 4, all});
    words += layout.at(-1).size;
  }
  return layout.length > 0 ? {layout, texels: Math.ceil(words / 4)} : null;
}

// The arrays of each mesh, of all that Module.bind() takes.
function splitArrays({skins, meshes}, arrays) {
  let at = skins.length;
  return meshes.map(({vertices, influences, normals, tangents, morphs}) => {
    const out = {vertices, influences, positions: arrays[at++], normals: normals && arrays[at++],
                 tangents: tangents && arrays[at++], joints: arrays[at++], weights: arrays[at++]};
    at += 1 + morphs.reduce((sum, morph) => sum + (morph.normals ? 2 : 1), 0); // triangles and morph targets
    return out;
  });
}

// ---- From the file's space to the meshes' own ------------------------------------------------------

// Whether it moves a model of that size by no more than rounding.
const movesNothing = (matrix, size) =>
  !matrix || matrix.every((value, i) => Math.abs(value - (i % 5 === 0 ? 1 : 0)) < 1e-6 * (i < 12 ? 1 : Math.max(size, 1e-30)) || i === 15);

// The inverse of a 4x4 matrix, as rows of 3x3 and the translation before it.
function invert(matrix) {
  const [x, y, z, t] = [0, 4, 8, 12].map(i => matrix.slice(i, i + 3));
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const rows = [cross(y, z), cross(z, x), cross(x, y)], determinant = rows[0].reduce((sum, value, i) => sum + value * x[i], 0);
  return {rows: rows.map(row => row.map(value => value / determinant)), from: t};
}

const applyRows = (rows, v) => rows.map(row => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);

function movePoint({rows, from}, floats, at) {
  applyRows(rows, [0, 1, 2].map(i => floats[at + i] - from[i])).forEach((value, i) => floats[at + i] = value);
}

// The first and the second moments of a joint's surroundings, in two texels and a number of a third (src/skinning/ddm.cpp).
function moveMoments({rows}, floats, a, yz) {
  const first = applyRows(rows, [0, 1, 2].map(i => floats[a + i]));
  const [xx, yy, zz, xy, xz] = [3, 4, 5, 6, 7].map(i => floats[a + i]);
  const columns = [[xx, xy, xz], [xy, yy, floats[yz]], [xz, floats[yz], zz]].map(column => applyRows(rows, column));
  const second = (i, j) => columns[0][i] * rows[j][0] + columns[1][i] * rows[j][1] + columns[2][i] * rows[j][2];
  floats.set([...first, second(0, 0), second(1, 1), second(2, 2), second(0, 1), second(0, 2)], a);
  floats[yz] = second(1, 2);
}

function moveVertex(inverse, layout, floats, first) {
  for (const {name, first: word} of layout) {
    const group = /^momentA(\d)$/.exec(name)?.[1];
    if (name === "rotationCenter" || name === "smoothedPosition") movePoint(inverse, floats, first + word);
    else if (group) for (let i = 0; i < 4; ++i) moveMoments(inverse, floats, first + word + 8 * i, first + word + 32 + i);
  }
}

// ---- The words of all vertices ---------------------------------------------------------------------

// As words, of which every value of an attribute has some.
function asWords(array) {
  const {buffer, byteOffset, byteLength} = array.byteOffset % 4 === 0 ? array : array.slice();
  return new Uint32Array(buffer, byteOffset, byteLength >> 2);
}

function copyWords(from, first, step, to, at, stride, size, count) {
  for (let v = 0; v < count; ++v, first += step, at += stride) {
    to[at] = from[first];
    if (size > 1) to[at + 1] = from[first + 1];
    if (size > 2) to[at + 2] = from[first + 2];
    if (size > 3) to[at + 3] = from[first + 3];
  }
}

// inverses: of each mesh, or null.
function writeWords({layout, texels}, meshes, inverses) {
  const stride = 4 * texels, total = meshes.reduce((sum, {vertices}) => sum + vertices, 0), words = new Uint32Array(stride * total);
  for (const {first, size, all} of layout) {
    let at = first;
    all.forEach(({array, stride: step, offset}, m) => {
      const perWord = 4 / array.BYTES_PER_ELEMENT, {vertices} = meshes[m];
      copyWords(asWords(array), offset / perWord, step / perWord, words, at, stride, size, vertices);
      at += stride * vertices;
    });
  }
  const floats = new Float32Array(words.buffer);
  let start = 0;
  meshes.forEach(({vertices}, m) => {
    if (inverses[m]) for (let v = 0; v < vertices; ++v) moveVertex(inverses[m], layout, floats, start + stride * v);
    start += stride * vertices;
  });
  return words;
}

// ---- The few vertices that are bound ---------------------------------------------------------------

// Where a joint is in the bind pose, from its inverse bind.
function jointCenter(inverses, joint) {
  const {rows, from} = invert(Array.from(inverses.subarray(16 * joint, 16 * joint + 16)));
  return applyRows(rows, from.map(value => -value));
}

// For each joint the vertex that is farthest from it, which its palette depends on, and one with most joints. null: a vertex has
// none of the joints that it has in the engine, or one that is not there; the file is of other meshes.
function chooseVertices(layout, meshes, inverses) {
  const named = name => layout.find(each => each.name === name)?.all, sets = [];
  for (let i = 0; named(`joints${i}`) && named(`weights${i}`); ++i) sets.push([named(`joints${i}`), named(`weights${i}`)]);
  const count = inverses.length / 16, perVertex = 4 * sets.length;
  const centers = Float64Array.from(Array.from({length: count}, (_, joint) => jointCenter(inverses, joint)).flat());
  const found = {reaches: new Float64Array(count).fill(-1), mesh: new Uint32Array(count), vertex: new Uint32Array(count), has: 0, most: [0, 0]};
  for (let m = 0; m < meshes.length; ++m)
    if (!searchMesh(m, meshes[m], sets.map(([joints, weights]) => [joints[m], weights[m]]), centers, found)) return null;
  const places = [found.most, ...Array.from(found.mesh, (m, joint) => [m, found.vertex[joint]]).filter((_, joint) => found.reaches[joint] >= 0)];
  const vertices = [...new Map(places.map(place => [place.join(), place])).values()].map(([m, v]) => {
    const own = {mesh: meshes[m], v, joints: [], weights: []};
    for (const [{[m]: joint}, {[m]: weight}] of sets)
      for (let c = 0; c < 4; ++c) {
        const share = weight.array[weight.offset + weight.stride * v + c];
        if (share === 0) continue;
        own.joints.push(joint.array[joint.offset + joint.stride * v + c]);
        own.weights.push(share / 65535);
      }
    return own;
  });
  return {most: found.has, perVertex, vertices, size: Math.sqrt(Math.max(...found.reaches))};
}

// A loop over all vertices that makes nothing: it runs once, before it is compiled to fast code.
function searchMesh(m, {vertices, influences, positions, joints: indices, weights: shares}, sets, centers, found) {
  const {reaches, mesh, vertex} = found, count = reaches.length;
  for (let v = 0; v < vertices; ++v) {
    const first = influences * v, end = first + influences;
    let has = 0, known = false;
    for (let set = 0; set < sets.length; ++set) {
      const joints = sets[set][0], weights = sets[set][1], from = joints.offset + joints.stride * v, at = weights.offset + weights.stride * v;
      for (let c = 0; c < 4; ++c) {
        if (weights.array[at + c] === 0) continue;
        const joint = joints.array[from + c];
        if (joint >= count) return false;
        ++has;
        for (let i = first; i < end && !known; ++i) known = indices[i] === joint && shares[i] > 0;
        const x = positions[3 * v] - centers[3 * joint], y = positions[3 * v + 1] - centers[3 * joint + 1];
        const z = positions[3 * v + 2] - centers[3 * joint + 2], reach = x * x + y * y + z * z;
        if (reach <= reaches[joint]) continue;
        reaches[joint] = reach;
        mesh[joint] = m;
        vertex[joint] = v;
      }
    }
    if (!known) return false;
    if (has > found.has) [found.has, found.most] = [has, [m, v]];
  }
  return true;
}

// Binds these to the same joints. Nothing is smoothed: the file's weights are.
function bindFew(module, described, inverses, {vertices, perVertex}) {
  const tangents = described.meshes.some(mesh => mesh.tangents);
  const positions = [], normals = [], directions = [], joints = [], weights = [];
  for (const {mesh, v, joints: own, weights: shares} of vertices) {
    positions.push(...mesh.positions.subarray(3 * v, 3 * v + 3));
    normals.push(...mesh.normals ? mesh.normals.subarray(3 * v, 3 * v + 3) : [0, 1, 0]);
    directions.push(...mesh.tangents ? mesh.tangents.subarray(4 * v, 4 * v + 4) : [1, 0, 0, 1]);
    for (let i = 0; i < perVertex; ++i) {
      joints.push(own[i] ?? 0);
      weights.push(shares[i] ?? 0);
    }
  }
  const arrays = [inverses, new Float32Array(positions), new Float32Array(normals), ...tangents ? [new Float32Array(directions)] : [],
                  new Uint32Array(joints), new Float32Array(weights), new Uint32Array()];
  const parameters = described.method === "ddm" ? `rounds=0,kappa=0,joints=${perVertex}` : described.parameters;
  return module.bind({...described, parameters, targets: 0, meshes: [{skin: 0, vertices: vertices.length, influences: perVertex, normals: true,
                                                          tangents, triangles: 0, morphs: []}]}, arrays);
}

// The shader that a few vertices have got reads what the file has, as many joints of a vertex included.
function reads({glsl, texels, rows}, {layout, texels: ours}, skinning, most, joints) {
  const from = glsl.indexOf("void sinewRead("), text = glsl.slice(from, glsl.indexOf("\n}", from));
  const names = [...text.matchAll(/^ {2}(\w+) = /gm)].map(([, name]) => name), influences = /#define INFLUENCES (\d+)/.exec(glsl);
  return texels === ours && rows === joints * skinning.rows_per_entry && names.join() === layout.map(({name}) => name).join() &&
         Number(influences?.[1] ?? 0) >= most;
}

// As Skin of module.js. What the CPU skins needs the whole binding, which is made at the first call.
class StoredSkin {
  constructor(few, words, meshes, bindAll) {
    let vertices = 0;
    const firstVertices = meshes.map(mesh => (vertices += mesh.vertices) - mesh.vertices);
    const {method, title, glsl, rows, texels, tangents} = few;
    Object.assign(this, {few, bindAll, method, title, glsl, rows, texels, tangents, firstVertices, vertices, stored: words});
    this.whole = null;
    this.weights = null;
  }

  release() {
    this.few.release();
    this.whole?.release();
  }

  words() {
    return this.stored;
  }

  matrices(nodes) {
    this.nodes = nodes;
    return this.few.matrices(nodes);
  }

  pack() {
    return this.few.pack();
  }

  morph(weights) {
    this.weights = weights.slice();
    return false; // nothing of these methods' vertices is moved before skin()
  }

  skin() {
    this.whole ??= this.bindAll();
    if (this.weights) this.whole.morph(this.weights);
    this.whole.matrices(this.nodes).set(this.few.matrices(this.nodes).slice());
    this.whole.pack();
    return this.whole.skin();
  }
}

// given: of an engine's describe(); `skinning` is what the file says where the method and its options are the file's, readStored(mesh) what it
// says of a mesh, and readAttribute(mesh, name) gives an attribute. null: the file does not have it, or is of other meshes.
export function bindStored(module, {described, arrays, meshes, skinning, readStored, readAttribute}) {
  if (!kMethods.includes(skinning?.method) || described.skins.length !== 1) return null;
  const stated = meshes.map(readStored);
  if (!stated.every(each => each?.version === 1 && each.method === skinning.method)) return null;
  const parts = splitArrays(described, arrays), [inverses] = arrays;
  const laid = layOut(skinning, meshes, readAttribute, parts.map(({vertices}) => vertices), inverses.length / 16);
  const chosen = laid && chooseVertices(laid.layout, parts, inverses);
  if (!chosen) return null;
  const few = bindFew(module, described, inverses, chosen);
  if (reads(few, laid, skinning, chosen.most, inverses.length / 16)) {
    const fromModel = stated.map(({model_from_mesh: matrix}) => movesNothing(matrix, chosen.size) ? null : invert(matrix));
    return new StoredSkin(few, writeWords(laid, parts, fromModel), parts, () => module.bind(described, arrays));
  }
  few.release();
  return null;
}
