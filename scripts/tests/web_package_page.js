// What the pages of web_package_test.py have alike: vertices read back, matched with those of sinew, and pictures compared.

export const kSize = 320; // the canvas's

export const decodeBase64 = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

// Vertices as the vertex shader has them, by transform feedback in the engine's own draws: of programs that have
// `capturedPosition` and `capturedNormal`. Returns a function that gives, of each draw that `draw` makes, the two.
export function captureDraws(gl) {
  let capturing = null;
  const link = gl.linkProgram.bind(gl);
  gl.linkProgram = program => {
    const vertex = gl.getAttachedShaders(program).find(shader => gl.getShaderSource(shader).includes("capturedPosition"));
    if (vertex) gl.transformFeedbackVaryings(program, ["capturedPosition", "capturedNormal"], gl.SEPARATE_ATTRIBS);
    link(program);
  };
  const drawElements = gl.drawElements.bind(gl), drawArrays = gl.drawArrays.bind(gl);
  const drawInstances = gl.drawElementsInstanced.bind(gl);
  // Every vertex once, as a point: OpenGL ES 3.0 captures no draw by indices.
  const captureDraw = instances => {
    if (!gl.getProgramParameter(gl.getParameter(gl.CURRENT_PROGRAM), gl.TRANSFORM_FEEDBACK_VARYINGS)) return;
    const {count, found} = capturing, size = 3 * count * (instances ?? 1);
    const buffers = [0, 1].map(i => {
      const buffer = gl.createBuffer();
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer);
      gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 4 * size, gl.STATIC_READ);
      return buffer;
    });
    gl.beginTransformFeedback(gl.POINTS);
    if (instances) gl.drawArraysInstanced(gl.POINTS, 0, count, instances);
    else drawArrays(gl.POINTS, 0, count);
    gl.endTransformFeedback();
    found.push(buffers.map((buffer, i) => {
      const values = new Float32Array(size);
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, null);
      gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
      gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, values);
      gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
      gl.deleteBuffer(buffer);
      return values;
    }));
  };
  gl.drawElements = (...words) => capturing ? captureDraw() : drawElements(...words);
  gl.drawArrays = (...words) => capturing ? captureDraw() : drawArrays(...words);
  gl.drawElementsInstanced = (...words) => capturing ? captureDraw(words[4]) : drawInstances(...words);
  return (count, draw) => {
    capturing = {count, found: []};
    draw();
    const {found} = capturing;
    capturing = null;
    return found;
  };
}

// Finds vertices of the vectors by their place of the bind pose, within rounding. sinew keeps a place once where an engine
// may have it several times, with several normals.
export function finder({vertices, positions, size}) {
  const at = new Map(), cell = 4e-6 * size, key = place => place.map(value => Math.round(value / cell)).join();
  const add = (where, v) => at.has(where) ? at.get(where).push(v) : at.set(where, [v]);
  for (let v = 0; v < vertices.length; ++v) add(key(positions.slice(3 * v, 3 * v + 3)), v);
  const steps = [-1, 0, 1].flatMap(x => [-1, 0, 1].flatMap(y => [-1, 0, 1].map(z => [x, y, z].map(step => step * cell))));
  return place => {
    const found = steps.flatMap(step => at.get(key(place.map((value, c) => value + step[c]))) ?? [])
      .filter(v => Math.hypot(...place.map((value, c) => value - positions[3 * v + c])) < cell);
    if (!found.length) throw new Error("a vertex of the engine is not among the vectors");
    return found;
  };
}

// The largest distance of a vertex from the nearest of those that it may be.
export function largest(got, wanted, order) {
  let most = 0;
  order.forEach((candidates, v) => {
    const apart = Math.min(...candidates.map(from => Math.hypot(...[0, 1, 2].map(c => got[3 * v + c] - wanted[3 * from + c]))));
    if (!(apart <= most)) most = apart;
  });
  return most;
}

// Frames of several ways in turn, of which the first is what the others are compared with: {name, pose(seconds), draw(), gl}.
// Milliseconds of each until the GPU has drawn it, `whole`, and of the page's script alone: median and least, and the median of the
// multiples of the first way's frame in the same round: what else the machine does is much the same for both.
export function takeFrames(ways, rounds) {
  const pixel = new Uint8Array(4), taken = ways.map(() => ({whole: [], script: []}));
  for (let round = -3; round < rounds; ++round)
    ways.forEach(({pose, draw, gl}, way) => {
      const began = performance.now();
      pose(2 + round / 30);
      draw();
      const sent = performance.now();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      if (round < 0) return;
      taken[way].whole.push(performance.now() - began);
      taken[way].script.push(sent - began);
    });
  const median = values => values.toSorted((a, b) => a - b)[values.length >> 1];
  return ways.map(({name}, way) => ({name, ...Object.fromEntries(["whole", "script"].map(part => {
    const values = taken[way][part], first = taken[0][part];
    return [part, {median: median(values), least: Math.min(...values), multiple: median(values.map((value, i) => value / first[i])),
                   leastMultiple: Math.min(...values) / Math.min(...first)}];
  }))}));
}

// What is drawn.
export function readPixels(gl) {
  const out = new Uint8Array(4 * kSize * kSize);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.readPixels(0, 0, kSize, kSize, gl.RGBA, gl.UNSIGNED_BYTE, out);
  return out;
}

// The share of pixels that differ visibly.
export function share(a, b) {
  let apart = 0;
  for (let i = 0; i < a.length; i += 4)
    if (Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2])) > 8) ++apart;
  return 4 * apart / a.length;
}
