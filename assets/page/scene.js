// Drawing by WebGL 2: what src/render does, for one character. It knows no skinning method: a method
// is a list of shader parts, attributes and the rows of a palette.

const kPaletteUnit = 0, kBaseUnit = 1, kNormalUnit = 2, kSurfaceUnit = 4, kOcclusionUnit = 5, kFurtherUnit = 6,
      kEmissiveUnit = 8;
const kFrameFloats = 28;
const kTextureWidth = 1024; // texels of a row of what is read as a buffer
const kPrograms = new WeakMap(); // by context and text: a page that replaces another reuses them

// The program's shaders, as the smaller module has them: the same text is compiled once.
const withoutComments = text => text.replace(/[ \t]*\/\/.*/g, "").replace(/\n\n+/g, "\n");

class Scene {
  constructor(gl, data) {
    this.gl = gl;
    this.data = data;
    this.parts = data.shaders.parts.map(withoutComments);
    this.programs = new Map();
    this.made = [];
    this.pose = {};
    const {mesh, bytes} = data;
    this.vertices = mesh.vertices.map(attribute => this.attribute(unpack(bytes, attribute), attribute));
    const shared = new Map(); // methods share attributes: one buffer for those at the same bytes
    this.morphed = this.readMorphs();
    this.methods = mesh.methods.map((method, m) => this.method(method, m, data.shaders.methods[m], shared));
    this.field = {kind: "", buffer: this.make("Buffer")};
    this.frame = this.make("Buffer");
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.frame);
    gl.bufferData(gl.UNIFORM_BUFFER, 4 * kFrameFloats, gl.DYNAMIC_DRAW); // places may be captured before a view begins
    this.overlayBuffers = [this.make("Buffer"), this.make("Buffer")];
    this.overlayArray = this.make("VertexArray");
    this.textures = data.textures.map(() => null);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.SCISSOR_TEST);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }

  // kind: Buffer, Texture and so on.
  make(kind) {
    const made = this.gl[`create${kind}`]();
    this.made.push([kind, made]);
    return made;
  }

  // Gives back what it has of the context; programs stay.
  free() {
    for (const [kind, made] of this.made) this.gl[`delete${kind}`](made);
  }

  // The context was lost, with all that was made and compiled in it.
  forget() {
    this.made = [];
    kPrograms.delete(this.gl);
  }

  // Images are decoded by the browser, which takes its time.
  async loadTextures() {
    const {gl, data} = this;
    const make = (image, format) => {
      const texture = this.make("Texture");
      gl.bindTexture(gl.TEXTURE_2D, texture);
      if (image.pixels) gl.texImage2D(gl.TEXTURE_2D, 0, format, image.width, image.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, image.pixels);
      else gl.texImage2D(gl.TEXTURE_2D, 0, format, gl.RGBA, gl.UNSIGNED_BYTE, image);
      gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      return texture;
    };
    await Promise.all(data.textures.map(async (texture, t) => {
      if (!texture) return;
      const bytes = data.bytes.subarray(texture.at, texture.at + texture.count);
      const image = texture.mime ? await createImageBitmap(new Blob([bytes], {type: texture.mime}), {premultiplyAlpha: "none", colorSpaceConversion: "none"})
                                 : {...texture, pixels: bytes};
      this.textures[t] = {color: texture.color && make(image, gl.SRGB8_ALPHA8),
                          numbers: texture.numbers && make(image, gl.RGBA8)};
      if (image.close) image.close();
    }));
  }

  attribute(values, {kind, location, components}) {
    const {gl} = this;
    const buffer = this.make("Buffer");
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    const type = {1: gl.UNSIGNED_BYTE, 2: gl.UNSIGNED_SHORT}[values.BYTES_PER_ELEMENT] || gl.FLOAT;
    return {buffer, kind, location, components, type};
  }

  attach({buffer, kind, location, components, type}) {
    const {gl} = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    if (kind === "integers") gl.vertexAttribIPointer(location, components, type, 0, 0);
    else gl.vertexAttribPointer(location, components, type, kind === "fractions", 0, 0);
  }

  // The attributes that morph targets move: buffer, values without them, and what each target adds.
  readMorphs() {
    const {bytes, mesh} = this.data;
    const morphed = new Map();
    const at = (key, description, buffer) => {
      if (!morphed.has(key)) {
        const values = unpack(bytes, description);
        morphed.set(key, {buffer: buffer || this.attribute(values, description), values,
                          components: description.components, unit: description.name === "bindNormal", targets: []});
      }
      return morphed.get(key);
    };
    // Methods with targets of their own have vertices of their own.
    const own = new Set(mesh.morphs.map(morph => morph.method).filter(method => method !== undefined));
    mesh.morphs.forEach((morph, target) => {
      const vertices = unpack(bytes, morph.vertices);
      const add = (to, offsets) => to.targets.push({target, vertices, offsets: unpack(bytes, offsets)});
      for (const [name, offsets] of [["bindPosition", morph.positions], ["bindNormal", morph.normals]]) {
        const i = mesh.vertices.findIndex(each => each.name === name);
        if (morph.method === undefined) add(at(name, mesh.vertices[i], this.vertices[i]), offsets);
        for (const method of morph.method === undefined ? own : [morph.method])
          add(at(`${method} ${name}`, mesh.vertices[i]), offsets);
      }
      for (const {method, attribute, values} of morph.attributes)
        add(at(`${method} ${attribute}`, mesh.methods[method].attributes[attribute]), values);
    });
    return morphed;
  }

  // Vertices before they are skinned, by the weights of the morph targets, as src/rig/morph has them.
  setMorphs(weights) {
    if (this.morphed.size === 0 || (this.morphWeights && weights.every((w, k) => w === this.morphWeights[k]))) return;
    this.morphWeights = weights;
    const {gl} = this;
    for (const {buffer, values: base, components, unit: isUnit, targets} of this.morphed.values()) {
      const values = base.slice();
      const moved = targets.filter(({target}) => weights[target] !== 0);
      for (const {target, vertices, offsets} of moved)
        for (let i = 0, from = 0; i < vertices.length; ++i)
          for (let c = 0, to = components * vertices[i]; c < components; ++c)
            values[to++] += weights[target] * offsets[from++];
      if (isUnit)
        for (const {vertices} of moved)
          for (const v of vertices) values.set(unit(values.slice(3 * v, 3 * v + 3)), 3 * v);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer.buffer);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, values);
    }
  }

  method(mesh, m, shaders, shared) {
    const {gl, data} = this;
    const array = this.make("VertexArray");
    gl.bindVertexArray(array);
    for (const [i, attribute] of this.vertices.entries())
      this.attach((this.morphed.get(`${m} ${data.mesh.vertices[i].name}`) || {buffer: attribute}).buffer);
    for (const [a, attribute] of mesh.attributes.entries()) {
      if (attribute.location === undefined) continue;
      const morphed = this.morphed.get(`${m} ${a}`);
      if (morphed) {
        this.attach(morphed.buffer);
        continue;
      }
      if (!shared.has(attribute.at)) shared.set(attribute.at, this.attribute(unpack(data.bytes, attribute), attribute));
      this.attach({...shared.get(attribute.at), location: attribute.location});
    }
    if (!this.indices) {
      const indices = unpack(data.bytes, data.mesh.indices);
      this.indexType = indices.BYTES_PER_ELEMENT === 4 ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;
      this.indices = this.make("Buffer");
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER,
                    indices.BYTES_PER_ELEMENT === 1 ? Uint16Array.from(indices) : indices, gl.STATIC_DRAW);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices);
    const further = mesh.further.map(texture => this.furtherTexture(texture, mesh.attributes));
    return {array, shaders, further, palette: this.make("Texture"), texels: null};
  }

  // Attributes for which there are no locations: a texel of a vertex each.
  furtherTexture({name, attributes}, all) {
    const {gl, data} = this;
    const bytes = all[attributes[0]].kind === "bytes";
    const count = data.mesh.vertexCount * attributes.length;
    const height = Math.max(Math.ceil(count / kTextureWidth), 1);
    const texels = new (bytes ? Int8Array : Float32Array)(kTextureWidth * height * 4);
    attributes.forEach((a, i) => {
      const values = unpack(data.bytes, all[a]), {components, kind} = all[a];
      const one = kind === "fractions" ? 65535 : 1;
      for (let v = 0; v < data.mesh.vertexCount; ++v)
        for (let c = 0; c < components; ++c)
          texels[4 * (v * attributes.length + i) + c] = values[v * components + c] / one;
    });
    const texture = this.make("Texture");
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, bytes ? gl.RGBA8I : gl.RGBA32F, kTextureWidth, height, 0,
                  bytes ? gl.RGBA_INTEGER : gl.RGBA, bytes ? gl.BYTE : gl.FLOAT, texels);
    this.readAsBuffer();
    return {name, texture};
  }

  readAsBuffer() {
    const {gl} = this;
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  }

  // Programs are joined from parts as src/gl/program does it, and kept.
  program(key, ...parts) {
    const made = this.beginProgram(key, ...parts);
    if (!made.uniforms) this.finishProgram(made);
    return made;
  }

  // Compiles, and does not wait for it: a browser may compile several at once.
  beginProgram(key, vertexParts, fragmentParts, defines, inputs, captured) {
    if (this.programs.has(key)) return this.programs.get(key);
    const {gl, parts} = this, {head} = this.data.shaders;
    const preamble = head + defines.map(define => `#define ${define}\n`).join("");
    const joinParts = (list, own) => preamble + own + list.map(i => parts[i]).join("\n");
    const texts = [joinParts(vertexParts, inputs), fragmentParts ? joinParts(fragmentParts, "") : joinParts([], "void main() {}\n")];
    if (!kPrograms.has(gl)) kPrograms.set(gl, new Map());
    const known = kPrograms.get(gl), text = [...texts, captured].join("\0");
    if (!known.has(text)) {
      const program = gl.createProgram();
      const shaders = [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].map((type, i) => {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, texts[i]);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
        return shader;
      });
      if (captured) gl.transformFeedbackVaryings(program, captured, gl.SEPARATE_ATTRIBS);
      gl.linkProgram(program);
      known.set(text, {program, shaders});
    }
    this.programs.set(key, known.get(text));
    return known.get(text);
  }

  finishProgram(made) {
    const {gl} = this, {program, shaders} = made;
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
      throw new Error(shaders.map(shader => gl.getShaderInfoLog(shader)).join("") || gl.getProgramInfoLog(program));
    gl.useProgram(program);
    const block = gl.getUniformBlockIndex(program, "Frame");
    if (block !== gl.INVALID_INDEX) gl.uniformBlockBinding(program, block, 0);
    const uniforms = {};
    for (let i = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i-- > 0;) {
      const {name} = gl.getActiveUniform(program, i);
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    const units = {palette: kPaletteUnit, baseTexture: kBaseUnit, normalTexture: kNormalUnit,
                   surfaceTexture: kSurfaceUnit, occlusionTexture: kOcclusionUnit, emissiveTexture: kEmissiveUnit,
                   furtherAttributes: kFurtherUnit, furtherDirections: kFurtherUnit + 1};
    for (const [name, unit] of Object.entries(units)) if (uniforms[name]) gl.uniform1i(uniforms[name], unit);
    made.uniforms = uniforms;
  }

  // Compiles what a picture of the pose is drawn with.
  beginPrograms() {
    const {data} = this;
    for (const m of this.methods.keys())
      for (const {material} of data.mesh.batches) this.beginProgram(...this.surfaceParts(m, data.materials[material]));
    this.beginProgram(...this.overlayParts());
  }

  // Resolves when those are compiled, where the browser can tell without waiting for it.
  async compiled() {
    const {gl} = this, known = gl.getExtension("KHR_parallel_shader_compile");
    const isDone = ({program}) => gl.isContextLost() || gl.getProgramParameter(program, known.COMPLETION_STATUS_KHR);
    while (known && ![...this.programs.values()].every(isDone)) await new Promise(done => setTimeout(done, 5));
  }

  overlayParts() {
    const {shaders} = this.data;
    return ["overlay", shaders.overlayVertex, shaders.overlayFragment, [], ""];
  }

  // What colours a method's surface instead of its materials. Differences are from method 0.
  findKind(m) {
    return this.fieldKind === "difference" && m === 0 ? "" : this.fieldKind;
  }

  surfaceParts(m, material) {
    const {shaders} = this.methods[m], {data} = this;
    const choices = [`NON_UNIFORM_SCALE ${this.methods[m].nonUniformScale}`];
    if (data.view.picture) choices.push("PICTURE_LIGHT");
    if (data.view.studio) choices.push("PHYSICAL");
    const kind = this.findKind(m);
    const normalMap = !kind && shaders.tangentSurface && material.normalTexture !== undefined;
    if (kind) {
      choices.push("FIELD");
      if (kind === "difference") choices.push("FIELD_IS_PLACE");
      if (data.view.colorBlindSafe) choices.push("COLOR_BLIND_SAFE");
    } else {
      if (material.texture !== undefined) choices.push("TEXTURED");
      if (normalMap) choices.push("NORMAL_MAP");
      const further = !data.view.studio ? [] :
        [["surfaceTexture", "SURFACE_MAP"], ["occlusionTexture", "OCCLUSION_MAP"], ["emissiveTexture", "EMISSIVE_MAP"]]
          .filter(([name]) => material[name] !== undefined).map(([, choice]) => choice);
      choices.push(...further);
      if (normalMap || material.texture !== undefined || further.length > 0) choices.push("TEXCOORDS");
      if (material.flat) choices.push("FLAT_NORMALS");
      if (material.alphaMode === "mask") choices.push("ALPHA_MASK");
      if (material.alphaMode === "blend") choices.push("ALPHA_BLEND");
      if (data.mesh.vertices.some(({name}) => name === "color")) choices.push("VERTEX_COLORS");
    }
    return [`${m} ${choices}`, normalMap ? shaders.tangentSurface : shaders.surface, data.shaders.fragment,
            [...shaders.defines, ...choices], shaders.inputs];
  }

  // The palettes at a share t of the way from a pose to the next; of methods that are not smooth those of
  // the nearer pose. tables: of every method, Channels; morphs: the weights of morph targets.
  setPose(clip, index, t, tables, morphs) {
    this.setMorphs(morphs);
    if (this.pose.clip === clip && this.pose.index === index && this.pose.t === t) return;
    this.pose = {clip, index, t};
    this.data.clips[clip].methods.forEach(({smooth, nonUniformScale}, m) =>
      this.setPalette(m, tables[m].count / 4, nonUniformScale,
                      texels => tables[m].readBetween(index, smooth ? t : Math.round(t), texels)));
  }

  // As the program has packed them: of every method rows and nonUniformScale.
  setRows(methods, morphs) {
    this.setMorphs(morphs);
    if (this.pose.methods === methods) return;
    this.pose = {methods};
    methods.forEach(({rows, nonUniformScale}, m) =>
      this.setPalette(m, rows.length / 4, nonUniformScale, texels => texels.set(rows)));
  }

  setPalette(m, texels, nonUniformScale, fill) {
    const {gl} = this, method = this.methods[m];
    method.nonUniformScale = Boolean(nonUniformScale);
    if (texels === 0) return;
    const width = Math.min(texels, kTextureWidth), height = Math.ceil(texels / width);
    if (!method.texels || method.texels.length !== 4 * width * height) method.texels = new Float32Array(4 * width * height);
    fill(method.texels);
    gl.activeTexture(gl.TEXTURE0 + kPaletteUnit);
    gl.bindTexture(gl.TEXTURE_2D, method.palette);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, height, 0, gl.RGBA, gl.FLOAT, method.texels);
    this.readAsBuffer();
  }

  // kind: "", "difference" (from method 0), or "weights" with a number a vertex.
  setField(kind, weights) {
    const {gl} = this;
    this.fieldKind = kind;
    if (kind !== "weights") return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.field.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, weights, gl.STATIC_DRAW);
  }

  // Where method 0 puts every vertex, into the field's buffer.
  capturePlaces() {
    if (this.captured === this.pose) return;
    this.captured = this.pose;
    if (!this.places) this.places = this.placesBuffer(this.gl.DYNAMIC_COPY);
    this.capture(0, this.places);
  }

  // Where a method puts every vertex, three floats each.
  readPlaces(m) {
    const {gl} = this;
    if (!this.placesRead) this.placesRead = this.placesBuffer(gl.DYNAMIC_READ);
    this.capture(m, this.placesRead);
    const places = new Float32Array(3 * this.data.mesh.vertexCount);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.placesRead);
    gl.getBufferSubData(gl.ARRAY_BUFFER, 0, places);
    return places;
  }

  placesBuffer(usage) {
    const {gl} = this;
    const buffer = this.make("Buffer");
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, 12 * this.data.mesh.vertexCount, usage);
    return buffer;
  }

  // By transform feedback.
  capture(m, places) {
    const {gl, data} = this;
    const {array, shaders, nonUniformScale} = this.methods[m];
    const choices = [`NON_UNIFORM_SCALE ${nonUniformScale}`];
    const {program} = this.program(`capture ${m} ${choices}`, shaders.capture, null, [...shaders.defines, ...choices],
                                   shaders.inputs, ["capturedPosition"]);
    if (!this.feedback) this.feedback = this.make("TransformFeedback");
    gl.useProgram(program);
    gl.bindVertexArray(array);
    gl.disableVertexAttribArray(data.mesh.fieldLocation);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    this.bindMethod(m);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, this.feedback);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, places);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, data.mesh.vertexCount);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
  }

  bindMethod(m) {
    const {gl} = this;
    gl.activeTexture(gl.TEXTURE0 + kPaletteUnit);
    gl.bindTexture(gl.TEXTURE_2D, this.methods[m].palette);
    for (const {name, texture} of this.methods[m].further) {
      gl.activeTexture(gl.TEXTURE0 + kFurtherUnit + (name === "furtherDirections" ? 1 : 0));
      gl.bindTexture(gl.TEXTURE_2D, texture);
    }
  }

  // Begins a view: cell: x, y, width, height; fieldEnd: the value at the end of the colours.
  begin(cell, view) {
    const {gl} = this;
    gl.viewport(cell.x, cell.y, cell.width, cell.height);
    gl.scissor(cell.x, cell.y, cell.width, cell.height);
    gl.clearColor(...view.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const drawn = {min: [...view.scene.min], max: [...view.scene.max]};
    include(drawn, view.pose.min, view.pose.max);
    if (view.grid) {
      const {min, max} = gridBounds(view.scene);
      include(drawn, min, max);
    }
    const axes = computeAxes(view.camera);
    const toWorld = v => (view.headlight ? [0, 1, 2].map(i => dot(v, axes.map(axis => axis[i]))) : v);
    let light = toWorld(view.light);
    const around = view.studio || view.picture;
    if (around) {
      const {coefficients, yaw} = around;
      const turned = ([x, y, z]) =>
        toWorld([x * Math.cos(yaw) + z * Math.sin(yaw), y, z * Math.cos(yaw) - x * Math.sin(yaw)]);
      const rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(turned); // rows of pictureFromWorld
      this.pictureLight = new Float32Array([...coefficients, ...rows].flatMap(row => [...row, 0]));
      if (view.picture) light = turned(view.picture.main);
      if (view.studio) {
        // As src/render/renderer has them: the key light's soft box, soft lights, the key light.
        const {softLights, key, keySharpness} = view.studio;
        if (key.every(each => each === 0)) light = turned(softLights[0].towards);
        const rows = [[...unit(light), keySharpness], [...key.map(each => 0.5 * keySharpness * each), 0]];
        for (const {towards, sharpness, radiance} of softLights) rows.push([...turned(towards), sharpness], [...radiance, 0]);
        this.softLights = new Float32Array([...rows, [...key, 0]].flat());
      }
    }
    const frame = new Float32Array(kFrameFloats);
    frame.set(clipFromWorld(view.camera, cell.width / cell.height, drawn));
    frame.set([...computeEye(view.camera), 0.015 * measureSize(view.scene)], 16);
    frame.set([...unit(light), view.intensity, 0, 1 / view.fieldEnd, 0, 0], 20);
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.frame);
    gl.bufferData(gl.UNIFORM_BUFFER, frame, gl.DYNAMIC_DRAW);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.frame);
  }

  // places: of the blended materials, in their order, three numbers each.
  drawMethod(m, eye, places) {
    const {gl, data} = this;
    const kind = this.findKind(m);
    if (kind === "difference") this.capturePlaces();
    gl.bindVertexArray(this.methods[m].array);
    const location = data.mesh.fieldLocation;
    gl.disableVertexAttribArray(location);
    if (kind === "difference")
      this.attach({buffer: this.places, kind: "floats", location, components: 3, type: gl.FLOAT});
    if (kind === "weights")
      this.attach({buffer: this.field.buffer, kind: "floats", location, components: 1, type: gl.FLOAT});
    gl.vertexAttrib3f(data.mesh.offsetLocation, 0, 0, 0);
    this.bindMethod(m);
    const materials = data.materials;
    const isBlended = ({material}) => !kind && materials[material].alphaMode === "blend";
    const blended = materials.map((material, i) => (material.alphaMode === "blend" ? i : -1)).filter(i => i >= 0);
    const measureDistance = ({material}) => {
      const at = 3 * blended.indexOf(material);
      return measureLength(plus(eye, places.slice(at, at + 3), -1));
    };
    for (const batch of data.mesh.batches) if (!isBlended(batch)) this.drawBatch(m, batch);
    const behind = data.mesh.batches.filter(isBlended).sort((a, b) => measureDistance(b) - measureDistance(a));
    if (behind.length === 0) return;
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    for (const batch of behind) this.drawBatch(m, batch);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  drawBatch(m, batch) {
    const {gl, data} = this;
    const material = data.materials[batch.material];
    const {program, uniforms} = this.program(...this.surfaceParts(m, material));
    gl.useProgram(program);
    if (uniforms.baseColor) gl.uniform4fv(uniforms.baseColor, material.baseColor);
    if (uniforms.gloss) gl.uniform2fv(uniforms.gloss, material.gloss);
    if (uniforms.alphaCutoff) gl.uniform1f(uniforms.alphaCutoff, material.alphaCutoff);
    if (uniforms.normalScale) gl.uniform1f(uniforms.normalScale, material.normalScale);
    const bare = Boolean(this.findKind(m)); // under colours that stand for something else
    if (uniforms.metalRough) gl.uniform2fv(uniforms.metalRough, bare ? [0, 0.75] : material.metalRough);
    if (uniforms.emissiveGlow) gl.uniform4fv(uniforms.emissiveGlow, material.emissiveGlow);
    if (uniforms["softLights[0]"]) gl.uniform4fv(uniforms["softLights[0]"], this.softLights);
    if (uniforms["pictureLight[0]"]) gl.uniform4fv(uniforms["pictureLight[0]"], this.pictureLight);
    const bind = (unit, texture) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    };
    if (uniforms.baseTexture) bind(kBaseUnit, this.textures[material.texture].color);
    if (uniforms.normalTexture) bind(kNormalUnit, this.textures[material.normalTexture].numbers);
    if (uniforms.surfaceTexture) bind(kSurfaceUnit, this.textures[material.surfaceTexture].numbers);
    if (uniforms.occlusionTexture) bind(kOcclusionUnit, this.textures[material.occlusionTexture].numbers);
    if (uniforms.emissiveTexture) bind(kEmissiveUnit, this.textures[material.emissiveTexture].color);
    const size = this.indexType === gl.UNSIGNED_INT ? 4 : 2;
    gl.drawElements(gl.TRIANGLES, batch.count, this.indexType, batch.first * size);
  }

  drawOverlay(overlay, lines, onTop) {
    const {gl, data} = this;
    if (onTop) gl.clear(gl.DEPTH_BUFFER_BIT); // within itself an overlay still hides itself
    const {program} = this.program(...this.overlayParts());
    gl.useProgram(program);
    gl.bindVertexArray(this.overlayArray);
    const lists = [[0, 3, gl.FLOAT, new Float32Array(overlay.places)],
                   [3, 4, gl.UNSIGNED_BYTE, new Uint8Array(overlay.colors)]];
    lists.forEach(([location, components, type, values], i) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.overlayBuffers[i]);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STREAM_DRAW);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, components, type, i === 1, 0, 0);
    });
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArrays(lines ? gl.LINES : gl.TRIANGLES, 0, overlay.places.length / 3);
    gl.disable(gl.BLEND);
  }
}
