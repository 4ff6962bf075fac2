// Poses: of a clip, and with joints rotated by hand. What a pose makes of a method's palette is worked out
// by the program itself (src/pose_module.cpp, as WebAssembly); here is what a drag means. Quaternions are
// [x, y, z, w].

const kNumbersOfNode = 11; // translation, rotation, scale, twist

const multiplied = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
const aboutAxis = (axis, angle) => [...scaled(axis, Math.sin(angle / 2)), Math.cos(angle / 2)];

// A rotation as its axis times its angle, and back.
function toVector([x, y, z, w]) {
  const side = w < 0 ? -1 : 1, sine = Math.hypot(x, y, z);
  return sine < 1e-9 ? [0, 0, 0] : scaled([x, y, z], side * 2 * Math.atan2(sine, side * w) / sine);
}
const toRotation = vector => aboutAxis(unit(vector), measureLength(vector));

// The transforms at a share t of the way between two poses of a clip; rounded rotations are unit again.
function transformsBetween(before, after, t) {
  const numbers = before.map((x, i) => x + t * (after[i] - x));
  for (let at = 3; at < numbers.length; at += kNumbersOfNode) {
    const parts = [0, 1, 2, 3].map(i => [before[at + i], after[at + i]]);
    const along = parts.reduce((sum, [a, b]) => sum + a * b, 0), side = along < 0 ? -1 : 1;
    // At an even speed, as the clip turns from key to key.
    const angle = Math.acos(Math.min(Math.abs(along), 1)), share = x => (angle < 1e-3 ? x : Math.sin(x * angle));
    const rotation = parts.map(([a, b]) => share(1 - t) * a + side * share(t) * b);
    scaled(rotation, 1 / measureLength(rotation)).forEach((x, i) => { numbers[at + i] = x; });
  }
  return numbers;
}

// Rows of velocity skinning, behind those `row` rows that each entry of a palette has without it.
function withDisplacements(rows, {row, entries}, displacements) {
  const own = 4 * row, whole = own + 12, out = new Float32Array(entries * whole);
  for (let at = 0, to = 0; at < rows.length; at += own, to += whole) out.set(rows.subarray(at, at + own), to);
  for (let at = 0, to = own; at < displacements.length; at += 12, to += whole) out.set(displacements.slice(at, at + 12), to);
  return out;
}

let posingProgram = null; // a page in the place of another has it

async function loadPosing(data) {
  if (!data.posing) return null;
  const bytesAt = ({at, count}) => data.bytes.subarray(at, at + count);
  if (data.posing.module) posingProgram = await WebAssembly.compile(bytesAt(data.posing.module));
  const {exports} = await WebAssembly.instantiate(posingProgram, {});
  exports._initialize();
  const rig = bytesAt(data.posing.rig);
  const address = exports.room(rig.length); // which may move the memory
  new Uint8Array(exports.memory.buffer).set(rig, address);
  if (exports.load() !== data.methods.length) throw new Error("its program does not know all of these methods");
  return new Posing(data, exports);
}

class Posing {
  constructor(data, exports) {
    Object.assign(this, {data, exports, turns: new Map(), start: [], displacements: [], moment: "", matrices: [], methods: []});
  }

  floats(address, count) {
    return new Float32Array(this.exports.memory.buffer, address, count);
  }

  // A pose of a clip, without rotations by hand. numbers: its transforms; moment: which it is;
  // displacements: what the velocities of the joints do to the skin, three rows of each.
  begin(numbers, moment, displacements = []) {
    Object.assign(this, {start: numbers, moment, displacements});
    this.turns.clear();
    this.solve();
  }

  // Back to the clip.
  end() {
    this.turns.clear();
    this.moment = "";
  }

  // turns: of a joint the rotation in its own axes, before that of the clip's pose.
  set(joint, turn) {
    if (measureLength(toVector(turn)) > 1e-6) this.turns.set(joint, scaled(turn, 1 / measureLength(turn)));
    else this.turns.delete(joint);
    this.solve();
  }
  getTurn(joint) {
    return this.turns.get(joint) || [0, 0, 0, 1];
  }

  // Matrices of the nodes, rows of the palettes.
  solve() {
    const {exports, start} = this;
    this.setTransforms(start, this.turns);
    this.matrices = this.floats(exports.pose(), 16 * start.length / kNumbersOfNode).slice();
    this.methods = this.packed();
  }

  packed() {
    const {data, exports} = this;
    const displacements = this.turns.size > 0 ? [] : this.displacements; // by hand nothing has a velocity
    return data.methods.map(({velocity}, m) => {
      const nonUniformScale = exports.pack(m);
      const rows = this.floats(exports.rows(), 4 * exports.rowCount());
      return {nonUniformScale, rows: velocity ? withDisplacements(rows, velocity, displacements) : rows.slice()};
    });
  }

  // numbers: of all nodes; turns: of joints, in their own axes, before that.
  setTransforms(numbers, turns) {
    const {data, exports} = this;
    const nodes = numbers.length / kNumbersOfNode;
    const transforms = this.floats(exports.transforms(), 10 * nodes), twists = this.floats(exports.twists(), nodes);
    for (let node = 0; node < nodes; ++node) {
      for (let i = 0; i < 10; ++i) transforms[10 * node + i] = numbers[kNumbersOfNode * node + i];
      twists[node] = numbers[kNumbersOfNode * node + 10];
    }
    for (const [joint, turn] of turns) {
      const at = 10 * data.posing.joints[joint] + 3;
      const whole = multiplied([...transforms.subarray(at, at + 4)], turn);
      transforms.set(scaled(whole, 1 / measureLength(whole)), at);
    }
  }

  // By the names of nodes, relative to their parents, with the turns. names: of all nodes here, where the page has them.
  listTransforms() {
    const {data, start, turns} = this, {joints, names = []} = data.posing, out = {};
    const add = (name, node, turn) => {
      const numbers = start.slice(kNumbersOfNode * node, kNumbersOfNode * (node + 1)), rotation = multiplied(numbers.slice(3, 7), turn);
      out[name] = {translation: numbers.slice(0, 3), rotation: scaled(rotation, 1 / measureLength(rotation)), scale: numbers.slice(7, 10),
                   ...(numbers[10] !== 0 ? {twist: numbers[10]} : {})};
    };
    names.forEach((name, node) => add(name, node, [0, 0, 0, 1]));
    joints.forEach((node, joint) => add(data.joints[joint].name, node, this.getTurn(joint)));
    return out;
  }

  column(node, c) {
    return [...this.matrices.subarray(16 * node + 4 * c, 16 * node + 4 * c + 3)];
  }
  findPlace(joint) {
    return this.column(this.data.posing.joints[joint], 3);
  }
  // Blended materials only.
  get places() {
    return this.data.posing.blended.flatMap(({node, place}) =>
      place.reduce((sum, x, c) => plus(sum, this.column(node, c), x), this.column(node, 3)));
  }

  // Rotates a joint about an axis of the world.
  rotate(joint, axis, angle) {
    const node = this.data.posing.joints[joint];
    // The joint's axes without its own scale, which comes before its rotation.
    const axes = [0, 1, 2].map(c => {
      const sign = this.start[kNumbersOfNode * node + 7 + c] < 0 ? -1 : 1;
      return scaled(unit(this.column(node, c)), sign);
    });
    const mirrored = dot(cross(axes[0], axes[1]), axes[2]) < 0;
    const own = unit(axes.map(each => dot(each, axis)));
    if (measureLength(own) > 0) this.set(joint, multiplied(this.getTurn(joint), aboutAxis(own, mirrored ? -angle : angle)));
  }

  // From the joint to the end of its bone: that joint, the first below it, or on from the joint above.
  computeBone(joint, end) {
    const {joints} = this.data;
    const below = end >= 0 ? end : joints.findIndex(({parent}) => parent === joint);
    const {parent} = joints[joint];
    if (below >= 0) return plus(this.findPlace(below), this.findPlace(joint), -1);
    return parent >= 0 ? plus(this.findPlace(joint), this.findPlace(parent), -1) : [0, 0, 0];
  }
}

// The joint at a place of the picture, or the bone there, whose end is also said; joint -1: none.
// screen: of every joint its place in pixels from there, null behind the camera.
function boneAt(joints, screen, reach) {
  let best = {joint: -1, end: -1}, nearest = reach;
  screen.forEach((at, joint) => {
    if (at && Math.hypot(...at) < nearest) [best, nearest] = [{joint, end: -1}, Math.hypot(...at)];
  });
  if (best.joint >= 0) return best;
  joints.forEach(({parent}, end) => {
    const a = screen[parent], b = screen[end];
    if (!a || !b) return;
    const along = [b[0] - a[0], b[1] - a[1]], square = along[0] ** 2 + along[1] ** 2;
    const t = square > 0 ? Math.min(Math.max(-(a[0] * along[0] + a[1] * along[1]) / square, 0), 1) : 0;
    const distance = Math.hypot(a[0] + t * along[0], a[1] + t * along[1]);
    if (distance < nearest) [best, nearest] = [{joint: parent, end}, distance];
  });
  return best;
}
