// What the engines have alike: class Sinew, and a character that a method poses.
import {checkOptions, Module} from "./module.js";
import {prepareMethod} from "./prepare.js";

// An engine's own has `inUse`, the meshes that have a method, `choose`, which meshes a target has and which
// method they get, {meshes, method, options, skinning}, and makes what shows them. What the package exports has `program`, which imports the script
// with the package's own program: no other is in a bundle. It may have `bindStored` of stored.js.
export class SinewBase {
  static async load(source) {
    return new this(await Module.load(source ?? (await this.program()).bytes()));
  }

  constructor(module) {
    this.module = module;
    module.bindStored = this.constructor.bindStored ?? null;
  }

  get methods() {
    return this.module.methods();
  }

  // For while a model is loading: the first `use` by the method then takes less.
  prepare(method) {
    prepareMethod(this.module, method);
  }

  // target: a mesh with a skeleton, several, or an object with such below it. They are one character:
  // what a method learns of the whole surface is learned of all of them.
  // Without a method, it is that of the file, as are options that are left out.
  use(target, givenMethod, givenOptions) {
    checkOptions(givenOptions ?? {});
    const chosen = this.choose(target, givenMethod, givenOptions ?? {});
    const taken = chosen.meshes.find(mesh => this.inUse.has(mesh));
    if (taken) throw new Error(`sinew: '${taken.name}' has a method; dispose of its handle first`);
    return this.makeHandle(chosen);
  }

  // target: the model of a crowd, as for `use`; it stays as it is.
  // options: also `count` characters and `poses` that they can show (as many).
  crowd(target, givenMethod, givenOptions = {}) {
    checkOptions(givenOptions, "count", "poses");
    return this.makeCrowd(this.choose(target, givenMethod, givenOptions), target);
  }
}

// Bones, each once, and what lies between them in the scene graph, parents first.
export function gatherNodes(all) {
  const bones = new Set(all), nodes = [], indexByNode = new Map();
  const add = object => {
    if (indexByNode.has(object)) return indexByNode.get(object);
    let above = object.parent;
    while (above && !bones.has(above)) above = above.parent;
    const parent = above ? add(object.parent) : -1;
    indexByNode.set(object, nodes.length);
    nodes.push({object, parent});
    return nodes.length - 1;
  };
  bones.forEach(add);
  return {nodes, indexByNode, bones: [...bones]};
}

// Takes a joint's matrix of the world into the palette's space: relative to `place`, and by its mirror image in x where `mirror` is -1.
// Methods expect no reflection of a whole character, such as a negative scale above it makes. Returns whether the matrix has changed.
export function copyJoint(from, place, mirror, matrices, first) {
  let changed = false;
  for (let i = 0; i < 16; ++i) {
    const moved = from[i] - (i > 11 && i < 15 ? place[i - 12] : 0), value = Math.fround(i % 4 ? moved : mirror * moved);
    if (matrices[first + i] === value) continue;
    matrices[first + i] = value;
    changed = true;
  }
  return changed;
}

// Meshes by a method, in the pose that their joints have. An engine's own makes the textures `palette` and
// `vertices`, to which `write` brings values, says in `getWeight` what a morph target's weight is now, and
// in `readJoints` whether `matrices` have changed, of every node 16 numbers, and in `mirror` whether they are of the world's mirror image.
export class CharacterBase {
  constructor(module, given, nodes) {
    const {meshes, morphs} = given;
    this.meshes = meshes;
    this.skin = module.bindMeshes(given);
    this.method = this.skin.method;
    this.glsl = this.skin.glsl;
    this.morphs = morphs;
    this.morphWeights = new Float32Array(morphs.length);
    this.matrices = new Float32Array(16 * nodes);
    this.nodes = nodes;
    this.mirror = 1;
    this.stretches = false;
    this.packed = false;
  }

  readMorphs() {
    let changed = false;
    this.morphs.forEach((morph, i) => {
      const weight = Math.fround(this.getWeight(morph));
      if (this.morphWeights[i] === weight) return;
      this.morphWeights[i] = weight;
      changed = true;
    });
    return changed;
  }

  // Brings palette and vertices to the pose of this moment. Every draw calls it; where nothing has changed
  // it does nothing.
  update() {
    if (this.readMorphs()) {
      this.posed = null;
      if (this.skin.morph(this.morphWeights)) this.write(this.vertices, this.skin.words());
    }
    if (!this.readJoints(this.matrices) && this.packed) return;
    this.posed = null;
    this.packed = true;
    this.skin.matrices(this.nodes).set(this.matrices);
    const {stretches, rows} = this.skin.pack();
    this.stretches = stretches;
    this.write(this.palette, rows);
  }

  // All vertices, posed on the CPU, in the palette's space or, where that is mirrored, its mirror image.
  positions() {
    this.update();
    this.posed ??= this.skin.skin().positions.map((value, i) => i % 3 ? value : this.mirror * value);
    return this.posed;
  }
}
