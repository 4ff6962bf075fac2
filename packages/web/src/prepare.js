// A tube around three joints, which a method binds, poses and skins, so that the browser has compiled that code before a
// character needs it. It has so many vertices that the browser also begins to optimise the loops over them: behind the first
// character it would do so beside their work.

const kRings = 60, kAround = 12, kJoints = 3;

// Columns; a translation along y.
const matrixAt = y => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1];

function makeTube() {
  const positions = [], normals = [], joints = [], weights = [], triangles = [];
  for (let ring = 0; ring < kRings; ++ring)
    for (let i = 0; i < kAround; ++i) {
      const angle = 2 * Math.PI * i / kAround, height = (kJoints - 1) * ring / (kRings - 1), lower = Math.min(Math.floor(height), kJoints - 2);
      positions.push(0.2 * Math.cos(angle), height, 0.2 * Math.sin(angle));
      normals.push(Math.cos(angle), 0, Math.sin(angle));
      joints.push(lower, lower + 1, 0, 0);
      weights.push(1 - height + lower, height - lower, 0, 0);
      if (ring === 0) continue;
      const at = kAround * ring + i, next = kAround * ring + (i + 1) % kAround;
      triangles.push(at - kAround, at, next, at - kAround, next, next - kAround);
    }
  return {positions, normals, joints, weights, triangles};
}

export function prepareMethod(module, method) {
  if (typeof method !== "string") throw new Error("sinew: prepare: a method's name is expected");
  const {positions, normals, joints, weights, triangles} = makeTube(), indices = Array.from({length: kJoints}, (_, joint) => joint);
  const skin = module.bind({
    method, influences: 8, parameters: "", nodes: indices.map(joint => ({name: `${joint}`, parent: joint - 1})), skins: [indices], targets: 0,
    meshes: [{skin: 0, vertices: positions.length / 3, influences: 4, normals: true, tangents: false, triangles: triangles.length / 3, morphs: []}],
  }, [new Float32Array(indices.flatMap(joint => matrixAt(-joint))), new Float32Array(positions), new Float32Array(normals), new Uint32Array(joints),
      new Float32Array(weights), new Uint32Array(triangles)]);
  skin.matrices(kJoints).set(indices.flatMap(matrixAt));
  skin.words();
  skin.pack();
  skin.skin();
  skin.release();
}
