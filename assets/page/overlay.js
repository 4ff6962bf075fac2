// Grid and skeleton as triangles and lines, as src/view/overlay draws them: for each vertex three
// floats and four bytes of colour.

class Overlay {
  constructor() {
    this.places = [];
    this.colors = [];
  }
  add(place, color) {
    this.places.push(...place);
    this.colors.push(...color);
  }
}

// 1, 2 or 5 times a power of ten, at least x.
function roundUp(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * ([1, 2, 5].find(step => step * power >= x * 0.999) || 10);
}

const kGridLines = 12; // each way from the middle
const groundHeight = scene => (scene.min[1] > -0.03 * measureSize(scene) ? 0 : scene.min[1]);

function gridBounds(scene) {
  const reach = roundUp(measureSize(scene) / 12) * (kGridLines + 1);
  const [x, , z] = findCenter(scene);
  const y = groundHeight(scene);
  return {min: [x - reach, y, z - reach], max: [x + reach, y, z + reach]};
}

// Lines fade towards the rim: a piece between two crossings has the alpha of its ends.
function makeGrid(scene, dark) {
  const grid = new Overlay();
  const step = roundUp(measureSize(scene) / 12), reach = step * kGridLines, height = groundHeight(scene);
  const [centerX, , centerZ] = findCenter(scene);
  const midX = step * Math.round(centerX / step), midZ = step * Math.round(centerZ / step);
  const grey = dark ? [150, 155, 165] : [95, 102, 112];
  const add = (x, z, axis) => {
    const r = Math.min(1, Math.hypot(x - midX, z - midZ) / reach);
    grid.add([x, height, z], [...grey, Math.trunc((axis ? 150 : 70) * (1 - r * r))]);
  };
  for (let i = -kGridLines; i <= kGridLines; ++i)
    for (let k = -kGridLines; k < kGridLines; ++k) {
      const fixedX = midX + step * i, fixedZ = midZ + step * i;
      const x = midX + step * k, z = midZ + step * k;
      const axisX = Math.abs(fixedZ) < 0.5 * step, axisZ = Math.abs(fixedX) < 0.5 * step;
      add(x, fixedZ, axisX);
      add(x + step, fixedZ, axisX);
      add(fixedX, z, axisZ);
      add(fixedX, z + step, axisZ);
    }
  return grid;
}

const kBone = [214, 222, 234, 120], kLeaf = [170, 180, 198, 120], kSelected = [255, 168, 48, 255];
const kBoneLight = unit([0.4, 0.8, 0.45]);

function addFace(overlay, a, b, c, inside, color) {
  let normal = cross(plus(b, a, -1), plus(c, a, -1));
  if (!(measureLength(normal) > 0)) return;
  normal = unit(normal);
  const outward = plus(scaled(plus(plus(a, b), c), 1 / 3), inside, -1);
  const side = dot(normal, outward) < 0 ? -1 : 1;
  const shade = 0.62 + 0.38 * side * dot(normal, kBoneLight);
  for (const p of [a, b, c]) overlay.add(p, [...scaled(color.slice(0, 3), shade), color[3]]);
}

// An octahedron with its square near `from`, its tips at `from` and `to`.
function addBone(overlay, from, to, widest, color) {
  const along = plus(to, from, -1), length = measureLength(along);
  if (!(length > 0)) return;
  const direction = scaled(along, 1 / length);
  const other = Math.abs(direction[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0];
  const u = scaled(unit(cross(direction, other)), Math.min(0.055 * length, widest));
  const v = cross(direction, u);
  const middle = plus(from, along, 0.14);
  const square = [plus(middle, u), plus(middle, v), plus(middle, u, -1), plus(middle, v, -1)];
  for (let i = 0; i < 4; ++i) {
    addFace(overlay, from, square[i], square[(i + 1) % 4], middle, color);
    addFace(overlay, to, square[i], square[(i + 1) % 4], middle, color);
  }
}

function addJoint(overlay, p, radius, color) {
  addBone(overlay, plus(p, [0, -radius, 0]), p, radius, color);
  const ring = [[radius, 0, 0], [0, 0, radius], [-radius, 0, 0], [0, 0, -radius]];
  for (let i = 0; i < 4; ++i)
    for (const side of [-radius, radius])
      addFace(overlay, plus(p, [0, side, 0]), plus(p, ring[i]), plus(p, ring[(i + 1) % 4]), p, color);
}

// joints: name, parent; places: three numbers a joint; selected: an index, or -1.
function makeSkeleton(joints, places, size, selected) {
  const overlay = new Overlay();
  const findPlace = j => [places[3 * j], places[3 * j + 1], places[3 * j + 2]];
  const widest = 0.009 * size;
  const hasChild = joints.map(() => false);
  joints.forEach(({parent}, j) => {
    if (parent < 0) return;
    hasChild[parent] = true;
    addBone(overlay, findPlace(parent), findPlace(j), widest, parent === selected ? kSelected : kBone);
  });
  joints.forEach((_, j) => {
    if (j === selected) addJoint(overlay, findPlace(j), 0.9 * widest, kSelected);
    else if (!hasChild[j]) addJoint(overlay, findPlace(j), 0.5 * widest, kLeaf);
  });
  return overlay;
}
