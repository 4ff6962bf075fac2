// The page: what is shown, and what mouse, touch and keys change of it. The address holds the view
// behind '#', so that a link shows the same (readAddress).

const element = id => document.getElementById(id);
const radians = degrees => degrees * Math.PI / 180;
const percent = share => {
  const value = 100 * share;
  return `${value.toFixed(value >= 10 ? 1 : value >= 0.1 ? 2 : 3)} %`;
};

const kReach = 18; // pixels from a joint or bone that a click means
const kAxes = ["x", "y", "z"];

// The upper end of a colour scale: the next of 1, 2 and 5 times a power of ten.
const scaleEnd = largest => (largest <= 1e-4 ? 1e-4 : roundUp(largest));

class Page {
  // posing: null in a page without the program, whose joints cannot be rotated.
  constructor(data, gl, posing) {
    this.data = data;
    this.gl = gl;
    this.posing = posing;
    this.scene = new Scene(gl, data);
    this.scene.setField("");
    this.clips = data.clips.map(clip => this.readClip(clip));
    const {view} = data;
    this.camera = {yaw: radians(view.camera[0]), pitch: radians(view.camera[1]), zoom: view.camera[2],
                   fovY: view.fieldOfView, target: [0, 0, 0], distance: 1, shift: [0, 0, 0]};
    this.state = {clip: 0, time: view.time, playing: view.playing && !matchMedia("(prefers-reduced-motion: reduce)").matches,
                  speed: view.speed, shown: data.methods.map((_, m) => m), difference: false,
                  skeleton: view.skeleton, grid: view.grid, weights: "", framePose: false, posing: false, joint: 0};
    this.shapes = new Map(); // weights by hand of morph targets
    this.origin = []; // words of the address that say whose view it is, where it is not the page's own character
    this.direction = 1;
    this.pointers = new Map();
    this.ending = new AbortController();
    this.waiting = true; // until it is built: one picture is drawn, not one of each step
  }

  // For another page in its place, which has the same canvas: it draws nothing any more, and hears nothing.
  end() {
    this.ending.abort();
    clearTimeout(this.writing);
    this.scene.free();
  }

  readClip(clip) {
    const {bytes} = this.data;
    const read = table => new Channels(bytes, table, clip.poses);
    const scene = read(clip.scene);
    const bounds = emptyBounds();
    for (let pose = 0; pose < clip.poses; ++pose) {
      const numbers = scene.read(pose, []);
      include(bounds, numbers.slice(0, 3), numbers.slice(3, 6));
    }
    // None: they are measured when they are shown.
    const differences = clip.methods.every(method => method.difference) ? clip.methods.map(method => read(method.difference)) : null;
    let largest = 0;
    for (let pose = 0; differences && pose < clip.poses; ++pose)
      for (const table of differences) largest = Math.max(largest, table.read(pose, [])[0]);
    const outline = toPoints(unpack(bytes, clip.outline));
    return {...clip, scene, bounds, outline: outline.length > 0 ? outline : listCorners(bounds), differences, largest, tables: this.posing ? [] : clip.methods.map(read),
            morphs: clip.morphs && read(clip.morphs), transforms: this.posing && read(clip.transforms),
            displacements: clip.displacements && read(clip.displacements)};
  }

  get clip() {
    return this.clips[this.state.clip];
  }
  get seconds() {
    return this.findTime(this.clip.poses - 1) - this.clip.begin;
  }
  // Of a pose, in the clip. times: of poses that are not evenly spaced.
  findTime(pose) {
    const {begin, times, framesPerSecond} = this.clip;
    return begin + (times ? times[pose] : pose / (framesPerSecond > 0 ? framesPerSecond : 1));
  }
  // The pose before the time, and the share of the way to the next.
  get moment() {
    const {begin, times, framesPerSecond, poses} = this.clip, passed = this.state.time - begin;
    let at = Math.min(Math.max(passed * (framesPerSecond > 0 ? framesPerSecond : 1), 0), poses - 1);
    if (times) {
      let before = Math.min(Math.floor(at), poses - 2); // which is near
      while (before > 0 && times[before] > passed) --before;
      while (before < poses - 2 && times[before + 1] <= passed) ++before;
      at = before + Math.min(Math.max((passed - times[before]) / (times[before + 1] - times[before]), 0), 1);
    }
    const nearest = Math.round(at);
    if (!(this.clip.framesPerSecond > 0) || Math.abs(at - nearest) < 0.02) return {index: nearest, t: 0};
    return {index: Math.floor(at), t: at - Math.floor(at)};
  }
  // The pose nearest to the time.
  get pose() {
    const {index, t} = this.moment;
    return index + Math.round(t);
  }
  // Whether joints are rotated from the pose of the clip.
  get byHand() {
    return Boolean(this.posing) && this.posing.turns.size > 0;
  }
  // Bounds, joints and places of the moment.
  get numbers() {
    if (this.byHand) return this.numbersByHand();
    const {index, t} = this.moment;
    const numbers = this.clip.scene.readBetween(index, t, []);
    return this.posing ? [...numbers, ...this.placesByProgram()] : numbers;
  }
  // Largest and mean distance of a method from the first.
  findDifference(m) {
    return this.measuresNow ? this.differenceNow(m) : this.clip.differences[m].read(this.pose, []);
  }

  // Whether distances are those of the places that the browser has worked out.
  get measuresNow() {
    return this.byHand || this.shapes.size > 0 || !this.clip.differences || !this.state.playing && this.moment.t !== 0;
  }

  // The moment that all views show: a method whose rows cannot be interpolated has those of the nearest
  // pose in a page without the program.
  get shownTime() {
    const {clip, state} = this;
    if (this.moment.t !== 0 && (this.posing || state.shown.every(m => clip.methods[m].smooth))) return state.time;
    return this.findTime(this.pose);
  }

  // Pixels above each view for its caption, which covers nothing.
  get captionHeight() {
    if (document.body.classList.contains("bare")) return 0;
    return this.state.difference && this.data.methods.length > 1 ? 40 : 24;
  }

  // What is worked out once for the pose that is shown.
  get measures() {
    const {index, t} = this.moment;
    const of = this.byHand ? this.posing.methods : `${this.state.clip} ${index} ${t}`;
    const shape = [...this.shapes].join();
    if (!this.measured || this.measured.of !== of || this.measured.shape !== shape) {
      this.setPalettes();
      this.measured = {of, shape, first: this.scene.readPlaces(0), differences: new Map([[0, [0, 0]]])};
    }
    return this.measured;
  }

  // What a clip's table says of its poses, of the one by hand.
  numbersByHand() {
    const {posing, data, measures} = this;
    if (measures.numbers) return measures.numbers;
    const bounds = emptyBounds();
    for (let at = 0; at < measures.first.length; at += 3) {
      const place = measures.first.subarray(at, at + 3);
      include(bounds, place, place);
    }
    const joints = data.joints.flatMap((_, joint) => posing.findPlace(joint));
    for (let at = 0; at < joints.length; at += 3) include(bounds, joints.slice(at, at + 3), joints.slice(at, at + 3));
    return (measures.numbers = [...bounds.min, ...bounds.max, ...joints, ...posing.places]);
  }

  // Joints and places of the moment.
  placesByProgram() {
    this.poseByProgram();
    return [...this.data.joints.flatMap((_, joint) => this.posing.findPlace(joint)), ...this.posing.places];
  }

  // The moment of the clip, unless joints are rotated by hand.
  poseByProgram() {
    const {posing, clip, state} = this, {index, t} = this.moment;
    const moment = `${state.clip} ${index} ${t}`;
    if (this.byHand || posing.moment === moment) return;
    const before = clip.transforms.read(index, []);
    const transforms = transformsBetween(before, t === 0 ? before : clip.transforms.read(index + 1, []), t);
    posing.begin(transforms, moment, clip.displacements ? clip.displacements.readBetween(index, t, []) : []);
  }

  // The method in the pose that is shown.
  differenceNow(m) {
    const {first, differences} = this.measures;
    if (!differences.has(m)) {
      const places = this.scene.readPlaces(m);
      let largest = 0, sum = 0;
      for (let at = 0; at < first.length; at += 3) {
        const distance = Math.hypot(places[at] - first[at], places[at + 1] - first[at + 1], places[at + 2] - first[at + 2]);
        largest = Math.max(largest, distance);
        sum += distance;
      }
      differences.set(m, [largest / this.data.size, 3 * sum / first.length / this.data.size]);
    }
    return differences.get(m);
  }

  setPalettes() {
    const weights = this.shapeWeights();
    if (!this.posing) {
      const {index, t} = this.moment;
      return this.scene.setPose(this.state.clip, index, t, this.clip.tables, weights);
    }
    this.poseByProgram();
    this.scene.setRows(this.posing.methods, weights);
  }

  // The weights of morph targets now: set by hand, else the clip's.
  shapeWeights() {
    const {index, t} = this.moment;
    const weights = this.clip.morphs ? this.clip.morphs.readBetween(index, t, []) : [];
    for (const [target, weight] of this.shapes) weights[target] = weight;
    return weights;
  }

  setShape(target, weight) {
    this.shapes.set(target, weight);
    this.updateButtons();
    this.draw();
  }

  // Joints are rotated from the pose that is shown, and time stops there.
  beginByHand() {
    if (this.byHand) return;
    if (this.state.playing) this.play(false);
    this.state.time = this.findTime(this.pose);
    this.poseByProgram();
  }

  // Back to the clip.
  endByHand() {
    if (!this.byHand) return;
    this.posing.end();
    this.updateButtons();
  }

  // vector: degrees about the joint's own axes.
  turnJoint(joint, vector) {
    this.beginByHand();
    this.posing.set(joint, toRotation(vector.map(radians)));
    this.updateButtons();
    this.draw();
  }

  resetJoint(joint) {
    if (!this.byHand) return;
    this.posing.set(joint, [0, 0, 0, 1]);
    this.updateButtons();
    this.draw();
  }

  // By a drag over so many pixels: the end of the bone follows it, or the bone turns about itself.
  dragJoint({joint, end}, dx, dy, twist) {
    const {posing, camera} = this;
    this.beginByHand();
    const [x, y, z] = computeAxes(camera);
    const place = posing.findPlace(joint);
    const depth = dot(z, plus(computeEye(camera), place, -1));
    const perPixel = 2 * depth * Math.tan(camera.fovY / 2) / this.cellHeight;
    const bone = posing.computeBone(joint, end);
    const along = measureLength(bone) > 0 ? unit(bone) : y;
    const drag = plus(scaled(x, dx * perPixel), y, -dy * perPixel);
    const axis = cross(along, drag);
    if (twist) posing.rotate(joint, along, 0.01 * dx);
    else if (measureLength(axis) > 0)
      posing.rotate(joint, unit(axis), measureLength(axis) / Math.max(measureLength(bone), 40 * perPixel));
    this.updateButtons();
    this.draw();
  }

  chooseJoint(joint) {
    this.state.joint = joint;
    this.updateButtons();
    this.draw();
  }

  setTime(time) {
    this.endByHand();
    const {begin} = this.clip;
    this.state.time = Math.min(Math.max(time, begin), begin + this.seconds);
    this.draw();
  }

  // A moment may have a camera of its own.
  lookAtPose() {
    const given = this.clip.cameras && this.clip.cameras[this.pose];
    if (given) Object.assign(this.camera, {yaw: given.yaw, pitch: given.pitch, zoom: 1, shift: [0, 0, 0]});
  }

  step(poses) {
    this.play(false);
    this.setTime(this.findTime((this.pose + poses + this.clip.poses) % this.clip.poses));
    this.lookAtPose();
  }

  play(playing) {
    this.state.playing = playing && this.clip.framesPerSecond > 0;
    if (this.state.playing) this.endByHand();
    element("play").textContent = this.state.playing ? "Pause" : "Play";
    this.frame();
  }

  chooseClip(index) {
    this.endByHand();
    this.state.clip = (index + this.clips.length) % this.clips.length;
    element("clip").value = this.state.clip;
    element("time").max = this.clip.poses - 1;
    this.state.time = this.clip.begin;
    this.direction = 1;
    element("play").disabled = !(this.clip.framesPerSecond > 0);
    const {labels} = this.clip; // moments of their own, not of a motion
    element("player").hidden = this.clip.poses === 1 || Boolean(labels);
    element("speed-label").hidden = element("player").hidden;
    element("moments-label").hidden = !labels;
    element("moments").replaceChildren(...(labels || []).map((label, i) => new Option(label, i)));
    this.lookAtPose();
    this.play(this.state.playing);
    this.draw();
  }

  // Playback: forwards over and over, or forwards and backwards.
  advance(seconds) {
    const {begin} = this.clip, {view} = this.data;
    const length = this.seconds;
    let time = this.state.time - begin + seconds * this.state.speed * this.direction;
    if (time >= 0 && time <= length) {
      this.state.time = begin + time;
      return;
    }
    if (!view.loop && !view.pingPong) this.play(false);
    if (view.pingPong) {
      this.direction = -this.direction;
      time = time < 0 ? -time : 2 * length - time;
    } else if (view.loop) {
      time -= Math.floor(time / length) * length;
    }
    this.state.time = begin + Math.min(Math.max(time, 0), length);
  }

  // A view for each of these methods.
  show(methods) {
    this.state.shown = methods.length > 0 ? [...methods].sort((a, b) => a - b) : [0];
    this.updateButtons();
    this.draw();
  }

  toggle(what) {
    this.state[what] = !this.state[what];
    if (what === "difference" && this.state.difference) this.state.weights = "";
    if (what === "posing" && this.state.posing) this.play(false);
    this.updateField();
  }

  setWeights(joint) {
    this.state.weights = this.data.joints.some(({name}) => name === joint) ? joint : "";
    if (this.state.weights) this.state.difference = false;
    this.updateField();
  }

  updateField() {
    const {weights, difference} = this.state;
    if (weights) this.scene.setField("weights", this.gatherWeights(weights));
    else this.scene.setField(difference ? "difference" : "");
    this.updateButtons();
    this.draw();
  }

  // The joint's weight at every vertex.
  gatherWeights(name) {
    const {bytes, mesh, joints} = this.data;
    if (!this.jointWeights) {
      const read = key => unpack(bytes, mesh.jointWeights[key]);
      this.jointWeights = {counts: read("counts"), joints: read("joints"), weights: read("weights")};
    }
    const {counts, joints: of, weights} = this.jointWeights;
    const joint = joints.findIndex(each => each.name === name);
    const out = new Float32Array(counts.length);
    for (let v = 0, at = 0; v < counts.length; ++v)
      for (let i = 0; i < counts[v]; ++i, ++at) if (of[at] === joint) out[v] += weights[at] / 255;
    return out;
  }

  // The box that the camera frames, and around which the planes and the grid lie.
  get framed() {
    if (!this.state.framePose) return this.clip.bounds;
    const {numbers, measures} = this;
    const box = {min: numbers.slice(0, 3), max: numbers.slice(3, 6)};
    if (this.shapes.size === 0) return box;
    if (!measures.box) {
      measures.box = emptyBounds();
      for (const point of [...toPoints(measures.first), ...this.jointsWithin(box)]) include(measures.box, point, point);
    }
    return measures.box;
  }

  jointsWithin({min, max}) {
    const joints = toPoints(this.numbers.slice(6, 6 + 3 * this.data.joints.length));
    return joints.filter(joint => joint.every((x, i) => x >= min[i] && x <= max[i]));
  }

  // What of it has to be in view.
  get outline() {
    if (!this.state.framePose) return this.clip.outline;
    const {measures} = this;
    if (!measures.outline) measures.outline = [...makeOutline(measures.first), ...this.jointsWithin(this.framed)];
    return measures.outline;
  }

  // Frames it from where the camera looks, then shifts and zooms as the mouse has.
  aim(cell) {
    const {camera} = this;
    const given = this.clip.cameras && this.clip.cameras[this.pose];
    const aspect = cell.width / cell.height;
    if (given) Object.assign(camera, {target: given.target, distance: given.distance / Math.min(aspect, 1)});
    else frameOutline(camera, this.framed, this.outline, aspect);
    camera.distance *= camera.zoom;
    camera.target = plus(camera.target, camera.shift);
  }

  resetView() {
    const {view} = this.data;
    if (this.clip.cameras) this.lookAtPose();
    else Object.assign(this.camera, {yaw: radians(view.camera[0]), pitch: radians(view.camera[1]), zoom: view.camera[2],
                                shift: [0, 0, 0]});
    this.draw();
  }

  orbit(dx, dy) {
    this.camera.yaw -= 0.008 * dx;
    this.camera.pitch = Math.min(Math.max(this.camera.pitch + 0.008 * dy, -1.55), 1.55);
    this.draw();
  }

  pan(dx, dy) {
    const {camera} = this;
    const [x, y] = computeAxes(camera);
    const perPixel = 2 * camera.distance * Math.tan(camera.fovY / 2) / this.cellHeight;
    camera.shift = plus(plus(camera.shift, x, -dx * perPixel), y, dy * perPixel);
    this.draw();
  }

  zoom(factor) {
    this.camera.zoom = Math.min(Math.max(this.camera.zoom * factor, 0.01), 100);
    this.draw();
  }

  get dark() {
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }
  // The settings' background is a grey one; a page in light colours has a light one unless another
  // was chosen.
  get background() {
    const {view} = this.data;
    return this.dark || view.ownBackground ? view.background : [0.875, 0.89, 0.91];
  }

  // Draws with the next frame.
  draw() {
    this.changed = true;
    this.frame();
  }

  // Draws with the next frame if it plays, or something else has changed.
  frame() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(now => {
      this.waiting = false;
      if (this.ending.signal.aborted) return;
      if (!this.state.playing && !this.changed) return this.writeAddress();
      this.changed = false;
      const passed = this.state.playing && this.lastFrame ? Math.min((now - this.lastFrame) / 1000, 0.25) : 0;
      this.lastFrame = this.state.playing ? now : 0;
      if (passed > 0) this.advance(passed);
      if (this.data.view.turntable && passed > 0) this.camera.yaw += 0.5 * passed;
      this.drawNow();
      if (this.state.playing) this.frame();
      else this.writeAddress();
    });
  }

  // Resolves when the GPU has drawn all that it was told to.
  async drawn() {
    const {gl} = this, fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    while (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED)
      await new Promise(done => setTimeout(done, 5));
    gl.deleteSync(fence);
  }

  // The picture's, in pixels of the screen.
  get pictureSize() {
    const {clientWidth, clientHeight} = element("canvas");
    return [clientWidth, clientHeight].map(length => Math.max(Math.round(length * (devicePixelRatio || 1)), 1));
  }

  drawNow() {
    const {state} = this;
    const canvas = element("canvas");
    const ratio = devicePixelRatio || 1;
    const [width, height] = this.pictureSize;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
    const strip = Math.round(this.captionHeight * ratio);
    const cells = this.cells = viewCells(width, height, state.shown.length, this.clip.bounds)
        .map(cell => ({...cell, height: Math.max(cell.height - strip, 1)}));
    this.cellHeight = cells[0].height / ratio;
    this.gl.disable(this.gl.SCISSOR_TEST);
    this.gl.clearColor(...scaled(this.background, this.dark ? 0.5 : 0.85), 1); // between the views
    this.gl.clear(this.gl.COLOR_BUFFER_BIT);
    this.gl.enable(this.gl.SCISSOR_TEST);
    this.updateTexts(cells, ratio, height - strip, this.drawViews(cells));
  }

  // Returns the difference at the end of the colours.
  drawViews(cells) {
    const {scene, data, state, camera} = this;
    this.aim(cells[0]);
    this.setPalettes();
    const {numbers} = this;
    const posed = {min: numbers.slice(0, 3), max: numbers.slice(3, 6)};
    const places = numbers.slice(6 + 3 * data.joints.length);
    const {view} = data;
    const largest = this.measuresNow && state.difference ? data.methods.map((_, m) => this.findDifference(m)[0]) : [];
    const end = view.differenceScale > 0 ? view.differenceScale : scaleEnd(Math.max(this.clip.largest, ...largest));
    const bounds = this.framed;
    const grid = state.grid && makeGrid(bounds, this.background[1] < 0.7);
    cells.forEach((cell, i) => {
      scene.begin(cell, {camera, scene: bounds, pose: posed, background: this.background, light: view.light, picture: view.picture, studio: view.studio,
                         headlight: view.headlight, intensity: view.intensity, grid: state.grid,
                         fieldEnd: state.weights ? 1 : end * data.size});
      if (grid) scene.drawOverlay(grid, true, false);
      scene.drawMethod(state.shown[i], computeEye(camera), places);
      if (state.skeleton || state.posing)
        scene.drawOverlay(makeSkeleton(data.joints, numbers.slice(6), measureSize(bounds), state.posing ? state.joint
            : data.joints.findIndex(({name}) => name === state.weights)), false, true);
    });
    return end;
  }

  updateTexts(cells, ratio, height, end) {
    const {data, state, clip, pose} = this;
    const captions = element("captions");
    while (captions.children.length > cells.length) captions.lastChild.remove();
    while (captions.children.length < cells.length) {
      const caption = document.createElement("div");
      caption.append(document.createElement("b"), document.createElement("span"));
      captions.append(caption);
    }
    cells.forEach((cell, i) => {
      const m = state.shown[i], caption = captions.children[i];
      caption.style.left = `${cell.x / ratio}px`;
      caption.style.maxWidth = `${cell.width / ratio}px`;
      caption.style.top = `${(height - cell.y - cell.height) / ratio}px`;
      caption.firstChild.textContent = data.methods[m].title;
      if (data.methods.length < 2 || !state.difference) caption.lastChild.textContent = "";
      else if (m === 0) caption.lastChild.textContent = "reference of the differences";
      else {
        const [largest, mean] = this.findDifference(m);
        caption.lastChild.textContent = `largest ${percent(largest)}, mean ${percent(mean)}`;
      }
    });
    const label = clip.labels && clip.labels[pose];
    const rate = clip.framesPerSecond;
    element("clock").textContent = label || (rate > 0 ? `${this.shownTime.toFixed(2)} of ${(clip.begin + this.seconds).toFixed(2)} s` : "");
    element("time").value = pose;
    if (clip.labels) element("moments").value = pose;
    element("legend").hidden = !state.weights && !state.difference;
    element("legend-title").textContent = state.weights ? `weight of ${state.weights}`
        : `distance from ${data.methods[0].title}`;
    element("legend-end").textContent = state.weights ? "1" : `${Number((100 * end).toPrecision(4))} %`;
  }

  updateButtons() {
    const {state} = this;
    [...element("methods").children].forEach((button, m) => button.setAttribute("aria-pressed", state.shown.includes(m)));
    for (const what of ["difference", "skeleton", "grid"]) element(what).setAttribute("aria-pressed", state[what]);
    element("weights").value = state.weights;
    element("posing").setAttribute("aria-pressed", state.posing);
    element("turns").hidden = element("how-to-turn").hidden = !state.posing;
    const shape = element("shape").value;
    if (shape) {
      const weight = this.shapeWeights()[shape];
      element("shape-weight").value = weight;
      element("shape-is").textContent = Number(weight.toFixed(2));
      element("reset-shapes").disabled = this.shapes.size === 0;
    }
    if (!state.posing) return;
    element("joint").value = state.joint;
    const turn = toVector(this.posing.getTurn(state.joint));
    kAxes.forEach((axis, i) => {
      const degrees = Math.round(turn[i] * 180 / Math.PI);
      element(`turn-${axis}`).value = degrees;
      element(`degrees-${axis}`).textContent = `${degrees}°`;
    });
    element("reset-joint").disabled = !this.posing.turns.has(state.joint);
    element("reset-pose").disabled = !this.byHand;
  }

  // Which of the views is there; -1 between them. x, y: pixels of the page from the canvas's upper
  // left.
  cellAt(x, y) {
    const ratio = devicePixelRatio || 1;
    const left = x * ratio, bottom = element("canvas").height - y * ratio;
    return this.cells.findIndex(c => left >= c.x && left < c.x + c.width && bottom >= c.y && bottom < c.y + c.height);
  }

  // The joint or bone there, within so many pixels.
  boneAt(x, y, reach) {
    const {data, camera} = this;
    const ratio = devicePixelRatio || 1;
    const cell = this.cells[this.cellAt(x, y)];
    if (!cell) return {joint: -1, end: -1};
    const left = x * ratio, bottom = element("canvas").height - y * ratio;
    const m = clipFromWorld(camera, cell.width / cell.height, this.clip.bounds);
    const {numbers} = this;
    const screen = data.joints.map((_, j) => {
      const p = [...numbers.slice(6 + 3 * j, 9 + 3 * j), 1];
      const at = row => p.reduce((sum, value, column) => sum + m[4 * column + row] * value, 0);
      const w = at(3);
      return w > 0 ? [(at(0) / w + 1) / 2 * cell.width - (left - cell.x),
                      (at(1) / w + 1) / 2 * cell.height - (bottom - cell.y)] : null;
    });
    return boneAt(data.joints, screen, reach * ratio);
  }

  // What the reader has set, for another page of the same character (restore).
  get view() {
    const {data, state, clip, camera, direction, shapes, posing} = this;
    const {clip: _, shown, ...switches} = state;
    // Without a method's parameters, which may be what changes.
    return {switches, clip: clip.name, clipIndex: state.clip, shown: shown.map(m => data.methods[m].name.split(":")[0]), camera: {...camera}, direction,
            shapes: [...shapes], turns: posing ? [...posing.turns] : []};
  }

  // Clips are found by their names, because there may be more now; methods and joints likewise.
  restore({switches, clip, clipIndex, shown, camera, direction, shapes, turns}) {
    const {data, state, clips} = this;
    const same = clips[clipIndex]?.name === clip ? clipIndex : clips.findIndex(({name}) => name === clip);
    this.chooseClip(Math.max(same, 0));
    const {time, playing, posing, ...rest} = switches;
    Object.assign(this.camera, camera);
    Object.assign(state, rest, {posing: posing && Boolean(this.posing), joint: Math.min(rest.joint, Math.max(data.joints.length - 1, 0))});
    state.difference = state.difference && data.methods.length > 1;
    element("speed").value = state.speed;
    const methods = data.methods.map((_, m) => m).filter(m => shown.includes(data.methods[m].name.split(":")[0]));
    if (methods.length > 0) state.shown = methods;
    this.shapes = new Map(shapes.filter(([target]) => data.mesh.morphs[target]));
    if (same >= 0) {
      state.time = Math.min(Math.max(time, this.clip.begin), this.clip.begin + this.seconds);
      this.direction = direction;
    }
    this.setWeights(state.weights);
    this.play(same >= 0 ? playing : state.playing);
    if (this.posing && turns.length > 0 && same >= 0) {
      this.beginByHand();
      for (const [joint, turn] of turns) if (data.joints[joint]) this.posing.set(joint, turn);
    }
    this.updateButtons();
    this.draw();
  }

  // method=a,b; clip=NAME or number; time=SECONDS (paused); camera=YAW,PITCH,DISTANCE; and switches.
  readAddress(address = location.hash) {
    const words = new URLSearchParams(address.slice(1));
    const {data, state, camera} = this;
    const list = (words.get("method") || "").split(",");
    const methods = data.methods.map((_, m) => m).filter(m => list.includes(data.methods[m].name) || list.includes(String(m + 1)));
    if (methods.length > 0) state.shown = methods;
    const theme = words.get("theme");
    if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
    if (words.has("clip")) {
      const named = this.clips.findIndex(({name}) => name === words.get("clip"));
      const index = named >= 0 ? named : Number(words.get("clip"));
      if (Number.isInteger(index) && index >= 0 && index < this.clips.length) this.chooseClip(index);
    }
    const turned = (words.get("camera") || "").split(",").map(Number);
    if (turned.length === 3 && turned.every(Number.isFinite) && turned[2] > 0)
      Object.assign(camera, {yaw: radians(turned[0]), pitch: Math.min(Math.max(radians(turned[1]), -1.55), 1.55), zoom: turned[2]});
    const shift = (words.get("shift") || "").split(",").map(Number);
    if (shift.length === 3 && shift.every(Number.isFinite)) camera.shift = shift;
    for (const what of ["difference", "skeleton", "grid"]) if (words.has(what)) state[what] = words.get(what) !== "0";
    state.difference = state.difference && data.methods.length > 1;
    state.framePose = words.get("frame") === "pose";
    document.body.classList.toggle("bare", words.get("ui") === "0");
    if (words.has("weights")) this.setWeights(words.get("weights"));
    else this.updateField();
    if (words.has("play")) this.play(words.get("play") !== "0");
    const time = words.has("time") ? Number(words.get("time")) : NaN;
    if (Number.isFinite(time)) {
      this.play(words.get("play") === "1");
      this.setTime(time);
    }
    this.shapes.clear();
    for (const word of (words.get("shape") || "").split(";")) {
      const [target, weight] = word.split(",").map(Number);
      if (data.mesh.morphs[target] && Number.isFinite(weight)) this.shapes.set(target, weight);
    }
    if (!this.posing) return;
    if (words.has("pose")) this.state.posing = words.get("pose") !== "0";
    if (words.has("rotate")) {
      this.endByHand();
      for (const word of words.get("rotate").split(";")) {
        const [joint, x, y, z] = word.split(",").map(Number);
        if (data.joints[joint] && [x, y, z].every(Number.isFinite)) {
          this.state.joint = joint;
          this.turnJoint(joint, [x, y, z]);
        }
      }
    }
    this.updateButtons();
    this.draw();
  }

  // What is shown while nothing plays, as an address; a page within a page has none of its own.
  writeAddress() {
    if (window !== window.parent || document.body.classList.contains("bare")) return;
    const {data, state, camera} = this;
    const number = x => String(Number(x.toFixed(4)));
    const words = [...this.origin, ["method", state.shown.map(m => m + 1).join(",")], ["clip", state.clip], ["time", number(state.time)],
                   ["camera", [camera.yaw * 180 / Math.PI, camera.pitch * 180 / Math.PI, camera.zoom].map(number).join(",")]];
    if (measureLength(camera.shift) > 0) words.push(["shift", camera.shift.map(number).join(",")]);
    for (const what of ["difference", "skeleton"]) if (state[what]) words.push([what, "1"]);
    if (!state.grid) words.push(["grid", "0"]);
    if (state.weights) words.push(["weights", encodeURIComponent(state.weights)]);
    if (this.shapes.size > 0) words.push(["shape", [...this.shapes].map(([target, weight]) => `${target},${number(weight)}`).join(";")]);
    if (state.posing) words.push(["pose", "1"]);
    if (this.byHand)
      words.push(["rotate", [...this.posing.turns].map(([joint, turn]) =>
        [joint, ...scaled(toVector(turn), 180 / Math.PI).map(number)].join(",")).join(";")]);
    if (document.documentElement.dataset.theme) words.push(["theme", document.documentElement.dataset.theme]);
    this.written = `#${words.map(word => word.join("=")).join("&")}`;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", this.written), 300);
  }

  keys() {
    const {data, state} = this;
    const many = data.methods.length > 1;
    return [
      [["Drag", "one finger"], "turn the view"],
      [["Shift or right drag", "two fingers"], "move the view"],
      [["Wheel", "pinch"], "nearer, farther"],
      [["Click a joint"], "its weights as colours"],
      [[" "], "play or pause", () => this.play(!this.state.playing)],
      [["ArrowRight"], "next pose", () => this.step(1)],
      [["ArrowLeft"], "pose before", () => this.step(-1)],
      [["Home"], "to the beginning", () => this.setTime(this.clip.begin)],
      this.clips.length > 1 && [["]"], "next clip", () => this.chooseClip(this.state.clip + 1)],
      this.clips.length > 1 && [["["], "clip before", () => this.chooseClip(this.state.clip - 1)],
      ...(many ? data.methods.slice(0, 9).map(({title}, m) => [[String(m + 1)], `${title} alone`, () => this.show([m])]) : []),
      many && [["v"], "all methods side by side", () => this.show(data.methods.map((_, m) => m))],
      many && [["d"], `colour by the distance from ${data.methods[0].title}`, () => this.toggle("difference")],
      [["s"], "skeleton", () => this.toggle("skeleton")],
      [["g"], "ground grid", () => this.toggle("grid")],
      this.posing && [["p"], "pose: rotate joints, or turn the view again", () => this.toggle("posing")],
      this.posing && [["Drag a joint or bone"], "in a pose: rotate it; with Shift about its bone"],
      this.posing && [["Double click a joint"], "in a pose: reset it"],
      this.posing && [["r"], "reset the pose", () => this.setTime(state.time)],
      [["h", "Escape"], "no weights", () => this.setWeights("")],
      [["f"], "reset the view", () => this.resetView()],
      [["+"], "nearer", () => this.zoom(0.9)],
      [["-"], "farther", () => this.zoom(1 / 0.9)],
      [["l"], "light or dark", () => {
        document.documentElement.dataset.theme = this.dark ? "light" : "dark";
        this.draw();
      }]].filter(Boolean).map(([names, does, run]) => ({names, does, run}));
  }

  build() {
    const {data, state} = this;
    element("subject").textContent = `${data.mesh.vertexCount} vertices, ${data.joints.length} joints, ` +
        this.clips.map(({name}) => name).join(", ");
    for (const {title, summary} of data.methods) {
      const line = document.createElement("p");
      const name = document.createElement("b");
      name.textContent = `${title}. `;
      line.append(name, summary);
      element("about").append(line);
    }
    element("accuracy").textContent = data.errorPercent > 0
        ? `Rounding puts a vertex off by at most ${Number(data.errorPercent.toPrecision(2))} % of the model's size.` : "";
    this.clips.forEach(({name}, i) => element("clip").add(new Option(name, i)));
    element("clip-label").hidden = this.clips.length < 2;
    data.joints.forEach(({name}) => element("weights").add(new Option(name, name)));
    data.joints.forEach(({name}, joint) => element("joint").add(new Option(name, joint)));
    element("posing").hidden = !this.posing || data.joints.length === 0;
    data.mesh.morphs.forEach(({name}, target) => { if (name !== undefined) element("shape").add(new Option(name, target)); });
    element("shapes").hidden = element("shape").options.length === 0;
    element("fixed").textContent = data.fixedReason ? `Joints cannot be rotated here: ${data.fixedReason}.` : "";
    if (data.methods.length > 1) data.methods.forEach(({title}, m) => {
      const button = document.createElement("button");
      Object.assign(button, {type: "button", textContent: title, title: `${m + 1}: alone`});
      button.addEventListener("click", event => {
        if (event.shiftKey) return this.show([m]);
        const {shown} = state;
        this.show(shown.includes(m) ? shown.filter(x => x !== m) : [...shown, m]);
      });
      element("methods").append(button);
    });
    element("difference").hidden = data.methods.length < 2;
    const colors = data.view.fieldColors.map(color => `rgb(${color.map(x => Math.round(255 * x))})`);
    element("legend-bar").style.background = `linear-gradient(to right, ${colors})`;
    if (![...element("speed").options].some(({value}) => Number(value) === state.speed))
      element("speed").add(new Option(state.speed, state.speed));
    element("speed").value = state.speed;

    const on = (id, event, run) => element(id).addEventListener(event, run);
    on("play", "click", () => this.play(!state.playing));
    on("time", "input", () => {
      this.play(false);
      this.setTime(this.findTime(Number(element("time").value)));
    });
    on("moments", "change", () => {
      this.setTime(this.clip.begin + Number(element("moments").value));
      this.lookAtPose();
    });
    on("clip", "change", () => this.chooseClip(Number(element("clip").value)));
    on("speed", "change", () => { state.speed = Number(element("speed").value); });
    on("weights", "change", () => this.setWeights(element("weights").value));
    for (const what of ["difference", "skeleton", "grid"]) on(what, "click", () => this.toggle(what));
    on("home", "click", () => this.resetView());
    on("posing", "click", () => this.toggle("posing"));
    on("joint", "change", () => this.chooseJoint(Number(element("joint").value)));
    for (const axis of kAxes)
      on(`turn-${axis}`, "input", () =>
        this.turnJoint(state.joint, kAxes.map(each => Number(element(`turn-${each}`).value))));
    on("reset-joint", "click", () => this.resetJoint(state.joint));
    on("reset-pose", "click", () => this.setTime(state.time));
    on("shape", "change", () => this.updateButtons());
    on("shape-weight", "input", () => this.setShape(Number(element("shape").value), Number(element("shape-weight").value)));
    on("reset-shapes", "click", () => {
      this.shapes.clear();
      this.updateButtons();
      this.draw();
    });
    this.buildKeys();
    this.buildPointers();
    const {signal} = this.ending;
    addEventListener("resize", () => this.draw(), {signal});
    // What is beside the picture may have become larger.
    const sizes = new ResizeObserver(() => {
      const [width, height] = this.pictureSize, canvas = element("canvas");
      if (canvas.width !== width || canvas.height !== height) this.draw();
    });
    sizes.observe(element("canvas"));
    signal.addEventListener("abort", () => sizes.disconnect());
    addEventListener("hashchange", () => { if (location.hash !== this.written) this.readAddress(); }, {signal});
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), {signal});
    element("controls").hidden = false;
    element("message").textContent = "";
    if (data.view.weightsJoint) state.weights = data.view.weightsJoint;
    this.chooseClip(0);
    this.setTime(data.view.time);
    if (state.weights) this.setWeights(state.weights);
    this.readAddress();
    this.drawNow(); // at once: what the mouse does depends on the views' sizes
    this.waiting = this.changed = false;
    if (state.playing) this.drawn().then(() => this.frame()); // the second picture does not delay the first
    else this.writeAddress();
  }

  buildKeys() {
    const keys = this.keys();
    const shownNames = {" ": "Space", ArrowRight: "→", ArrowLeft: "←", Escape: "Esc"};
    for (const {names, does} of keys) {
      const term = document.createElement("dt"), meaning = document.createElement("dd");
      term.textContent = names.map(name => shownNames[name] || (name.length === 1 ? name.toUpperCase() : name)).join(", ");
      meaning.textContent = does;
      element("keys").append(term, meaning);
    }
    addEventListener("keydown", event => {
      // A field of a form has keys of its own.
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, input")) return;
      if (event.key === " " && event.target.matches("button, summary")) return;
      const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const key = keys.find(({names, run}) => run && names.includes(name));
      if (!key) return;
      event.preventDefault();
      key.run();
    }, {signal: this.ending.signal});
  }

  buildPointers() {
    const canvas = element("canvas");
    const {pointers} = this, {signal} = this.ending;
    let travelled = 0, held = {joint: -1};
    canvas.addEventListener("contextmenu", event => event.preventDefault(), {signal});
    // One view alone, and again all that there are.
    canvas.addEventListener("dblclick", event => {
      const box = canvas.getBoundingClientRect();
      const x = event.clientX - box.left, y = event.clientY - box.top;
      const {joint} = this.state.posing ? this.boneAt(x, y, kReach) : {joint: -1};
      if (joint >= 0) return this.resetJoint(joint);
      const at = this.cellAt(x, y);
      if (at < 0) return;
      this.show(this.state.shown.length > 1 ? [this.state.shown[at]] : this.data.methods.map((_, m) => m));
    }, {signal});
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      this.zoom(Math.exp(0.0015 * event.deltaY * (event.deltaMode === 1 ? 30 : 1)));
    }, {passive: false, signal});
    canvas.addEventListener("pointerdown", event => {
      canvas.setPointerCapture(event.pointerId);
      if (pointers.size === 0) {
        travelled = 0;
        const box = canvas.getBoundingClientRect();
        const at = [event.clientX - box.left, event.clientY - box.top];
        held = this.state.posing && !(event.buttons & 6)
          ? this.boneAt(...at, event.pointerType === "touch" ? 1.6 * kReach : kReach) : {joint: -1};
        if (held.joint >= 0) this.chooseJoint(held.joint);
      }
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
    }, {signal});
    canvas.addEventListener("pointermove", event => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      const dx = now[0] - before[0], dy = now[1] - before[1];
      pointers.set(event.pointerId, now);
      travelled += Math.hypot(dx, dy);
      if (pointers.size === 1) {
        if (held.joint >= 0) this.dragJoint(held, dx, dy, event.shiftKey);
        else if (event.shiftKey || event.buttons & 6) this.pan(dx, dy);
        else this.orbit(dx, dy);
      } else if (pointers.size === 2) {
        // The fingers' middle moves the view, their distance zooms.
        const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
        this.pan(dx / 2, dy / 2);
        this.zoom(Math.hypot(before[0] - other[0], before[1] - other[1]) /
                  Math.max(Math.hypot(now[0] - other[0], now[1] - other[1]), 1));
      }
    }, {signal});
    const release = event => {
      if (event.type === "pointerup" && pointers.size === 1 && travelled < 4 && event.button === 0 && !this.state.posing) {
        const box = canvas.getBoundingClientRect();
        const {joint, end} = this.boneAt(event.clientX - box.left, event.clientY - box.top, kReach);
        if (joint >= 0 && end < 0) this.setWeights(this.data.joints[joint].name);
      }
      pointers.delete(event.pointerId);
    };
    canvas.addEventListener("pointerup", release, {signal});
    canvas.addEventListener("pointercancel", release, {signal});
  }
}

function openContext(canvas) {
  const gl = canvas.getContext("webgl2", {antialias: true, alpha: false, powerPreference: "high-performance"});
  if (!gl) throw new Error("This browser has no WebGL 2, which the picture needs.");
  return gl;
}

// A page that shows nothing yet, whose shaders are compiled.
async function preparePage(data, gl) {
  const posing = await loadPosing(data).catch(error => {
    throw new Error(`This browser does not run the page's program, without which nothing moves (${error.message}). ` +
                    `"sinew page --no-posing" makes a larger page without it.`);
  });
  const page = new Page(data, gl, posing);
  page.setPalettes();
  page.scene.beginPrograms();
  await page.scene.loadTextures();
  await page.scene.compiled();
  return page;
}

// Shows data in the document as it was written.
// origin: see Page.origin; recover: shows the character again after the graphics were reset.
async function showPage(data, {origin = [], recover = () => location.reload()} = {}) {
  const canvas = element("canvas"), page = await preparePage(data, openContext(canvas));
  // The browser takes the picture's memory away now and then (a tablet that sleeps).
  const {signal} = page.ending;
  canvas.addEventListener("webglcontextlost", event => {
    event.preventDefault();
    page.scene.forget();
    element("message").textContent = "The graphics were reset.";
  }, {signal});
  canvas.addEventListener("webglcontextrestored", () => recover(), {signal});
  page.origin = origin;
  page.build();
  return page;
}

async function start() {
  element("blocked").remove(); // it says that no script may run
  if (typeof DecompressionStream === "undefined") throw new Error("This browser is too old: it has no DecompressionStream.");
  const text = element("data").textContent;
  if (typeof startWorkbench === "function") await startWorkbench(await readData(text));
  else await showPage(await readData(text));
}

start().catch(error => {
  element("message").textContent = error.message;
  console.error(error);
});
