// The camera and the views' places, as src/view/camera and src/picture/view_cells have them.
// Matrices are lists of columns, angles radians.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, times = 1) => a.map((x, i) => x + times * b[i]);
const scaled = (a, times) => a.map(x => x * times);
const measureLength = a => Math.hypot(...a);
const unit = a => scaled(a, 1 / (measureLength(a) || 1));

const emptyBounds = () => ({min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity]});
const measureSize = bounds => measureLength(plus(bounds.max, bounds.min, -1));
const findCenter = bounds => scaled(plus(bounds.min, bounds.max), 0.5);

function include(bounds, min, max) {
  for (let i = 0; i < 3; ++i) {
    bounds.min[i] = Math.min(bounds.min[i], min[i]);
    bounds.max[i] = Math.max(bounds.max[i], max[i]);
  }
}

function listCorners({min, max}) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(i => [i & 1 ? max[0] : min[0], i & 2 ? max[1] : min[1], i & 4 ? max[2] : min[2]]);
}

// As src/core/bounds: 64 directions on a spiral around the sphere.
const kDirections = Array.from({length: 64}, (_, i) => {
  const y = 1 - (2 * i + 1) / 64, level = Math.sqrt(1 - y * y), turn = Math.PI * (3 - Math.sqrt(5)) * i;
  return [level * Math.cos(turn), y, level * Math.sin(turn)];
});

// The points that lie farthest in some direction, where their box is a cube. places: x, y, z of each.
function makeOutline(places) {
  const box = emptyBounds();
  for (let at = 0; at < places.length; at += 3) include(box, places.subarray(at, at + 3), places.subarray(at, at + 3));
  const extent = plus(box.max, box.min, -1).map(length => Math.max(length, 1e-30));
  const stride = 3 * Math.max(Math.floor(places.length / 3 / 16384), 1);
  const farthest = kDirections.map(direction => {
    const [x, y, z] = direction.map((part, i) => part / extent[i]);
    let most = -Infinity, which = 0;
    for (let at = 0; at < places.length; at += stride) {
      const reach = x * places[at] + y * places[at + 1] + z * places[at + 2];
      if (reach > most) [most, which] = [reach, at];
    }
    return which;
  });
  return toPoints(places, new Set(farthest));
}

const toPoints = (places, ats = Array.from({length: places.length / 3}, (_, i) => 3 * i)) =>
  [...ats].map(at => [places[at], places[at + 1], places[at + 2]]);

// The camera's axes in the world: right, up, and from the target to the eye.
function computeAxes(camera) {
  const level = Math.cos(camera.pitch);
  const z = [level * Math.sin(camera.yaw), Math.sin(camera.pitch), level * Math.cos(camera.yaw)];
  const x = [Math.cos(camera.yaw), 0, -Math.sin(camera.yaw)];
  return [x, cross(z, x), z];
}

const computeEye = camera => plus(camera.target, computeAxes(camera)[2], camera.distance);

// Column by column: clip space from the world, near and far planes around all that is drawn.
function clipFromWorld(camera, aspect, drawn) {
  const axes = computeAxes(camera);
  const eye = computeEye(camera);
  let near = Infinity, far = 0;
  for (const corner of listCorners(drawn)) {
    const depth = -dot(axes[2], plus(corner, eye, -1));
    near = Math.min(near, depth);
    far = Math.max(far, depth);
  }
  const room = 0.1 * measureSize(drawn);
  far = Math.max(far + room, 1e-4 * camera.distance);
  near = Math.max(near - room, far * 1e-3, 1e-6);
  far = Math.max(far, near * 1.001);
  const y = 1 / Math.tan(camera.fovY / 2);
  const rows = [scaled([...axes[0], -dot(axes[0], eye)], y / aspect), scaled([...axes[1], -dot(axes[1], eye)], y)];
  const depth = [...axes[2], -dot(axes[2], eye)];
  rows.push(scaled(depth, -(far + near) / (far - near)), scaled(depth, -1));
  rows[2][3] -= 2 * far * near / (far - near);
  const out = new Float32Array(16);
  for (let column = 0; column < 4; ++column)
    for (let row = 0; row < 4; ++row) out[4 * column + row] = rows[row][column];
  return out;
}

// The camera looks at the middle of the box, from where all points are in view with a small margin.
function frameOutline(camera, bounds, points, aspect) {
  camera.target = findCenter(bounds);
  const slopeY = Math.tan(camera.fovY / 2), slopeX = slopeY * aspect;
  const axes = computeAxes(camera);
  let distance = 0;
  for (const point of points) {
    const [x, y, z] = axes.map(axis => dot(axis, plus(point, camera.target, -1)));
    distance = Math.max(distance, z + Math.abs(x) / slopeX, z + Math.abs(y) / slopeY);
  }
  camera.distance = distance > 0 ? distance * 1.08 : 1;
}

// Cells of one size in the grid that shows a subject of that shape largest, in pixels from the lower
// left.
function viewCells(width, height, count, bounds) {
  const gap = 2;
  const extent = plus(bounds.max, bounds.min, -1);
  const wide = Math.max(extent[0], extent[2]);
  const aspect = extent[1] > 0 ? Math.min(Math.max(wide / extent[1], 0.5), 2) : 2;
  let best = null;
  // On a wide window up to three are side by side.
  for (let columns = count <= 3 && width >= 1.6 * height ? count : 1; columns <= count; ++columns) {
    const rows = Math.ceil(count / columns);
    const cell = {columns, width: Math.max(Math.floor((width - (columns - 1) * gap) / columns), 1),
                  height: Math.max(Math.floor((height - (rows - 1) * gap) / rows), 1)};
    cell.shown = Math.min(cell.width / aspect, cell.height);
    if (!best || cell.shown > best.shown) best = cell;
  }
  return Array.from({length: count}, (_, i) => ({
    x: i % best.columns * (best.width + gap),
    y: height - best.height - Math.floor(i / best.columns) * (best.height + gap),
    width: best.width, height: best.height}));
}
