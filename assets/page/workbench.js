// The workbench: a page whose character is what its reader drops. A Web Worker (worker.js) reads,
// binds, bakes and writes; this asks it, and shows what it answers as every page is shown.

const kShown = ["lbs", "arc-spline"];
// With the parameters that most characters make shaders of.
const kWarmedUp = [...kShown, "arc-spline:attachments=2"];
// Those that read files, in a few tenths of a second where a file is honest.
const kReading = new Set(["open", "add-motion"]);
// Without a word of progress for so long: the worker hangs. A bake has stages that say nothing.
function chooseTimeout(request, files) {
  if (!kReading.has(request.do)) return request.do === "bake" ? 600 : 60;
  return Math.round(10 + files.reduce((sum, {bytes}) => sum + bytes.length, 0) / 1e5);
}
// What the smaller module leaves to the whole one (src/web/more_requests.cpp).
const kOfWhole = new Set(["glb", "shader", "bake", "bind", "html", "info"]);
const kWords = ["parameters", "zones"]; // fields that say something about one character
const kSaves = [
  ["glb", "the model, .glb", "glb", ".glb", {}],
  ["bake", "baked for any engine, .glb", "bake", ".baked.glb", {oneMethod: true}],
  ["page", "this page of the model, .html", "html", ".html", {measured: true, shapes: true}],
  ["shader", "the method's vertex shader", "shader", ".vert", {oneMethod: true}],
  ["report", "what the file holds, .json", "info", ".json", {}],
];

class WorkerClient {
  // modules: {first, whole}, functions that fetch; `first` may be the whole one.
  constructor(modules, source) {
    Object.assign(this, {modules, source, last: 0, waiting: null});
  }

  // Takes the whole module for the smaller one; the worker of that one ends.
  async take(name) {
    if (this.modules[name] === this.taken) return;
    this.module = await WebAssembly.compile(await this.modules[name]());
    this.taken = this.modules[name];
    this.end();
  }

  // A new worker where there is none: the one before has ended.
  async begin() {
    if (this.worker) return;
    const address = URL.createObjectURL(new Blob([this.source], {type: "text/javascript"}));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.onmessage = ({data}) => this.hear(data);
    this.worker.onerror = event => this.fail({cause: "crash", message: event.message});
    await this.send({module: this.module});
  }

  hear({id, bytes, error, fraction, what}) {
    if (!this.waiting || id !== this.waiting.id) return;
    this.watch();
    if (fraction !== undefined) return this.waiting.progress(fraction, what);
    const {done, fail} = this.waiting;
    this.waiting = null;
    clearTimeout(this.timer);
    if (!error) return done(bytes);
    if (error.cause === "crash") this.end();
    fail(Object.assign(new Error(error.message), {cause: error.cause}));
  }

  fail(error) {
    const {waiting} = this;
    this.end();
    if (waiting) waiting.fail(Object.assign(new Error(error.message), {cause: error.cause}));
  }

  watch() {
    clearTimeout(this.timer);
    const {seconds} = this.waiting;
    this.timer = setTimeout(() => this.fail({cause: "late", message: `no progress for ${seconds} s`}), 1000 * seconds);
  }

  end() {
    clearTimeout(this.timer);
    if (this.worker) this.worker.terminate();
    this.worker = this.waiting = null;
  }

  cancel() {
    this.fail({cause: "cancelled", message: "cancelled"});
  }

  send(message, progress = () => {}, seconds = 60) {
    const id = ++this.last;
    return new Promise((done, fail) => {
      this.waiting = {id, done, fail, progress, seconds};
      this.watch();
      this.worker.postMessage({id, ...message});
    });
  }
}

// The line for a worker that has ended, as the program has it.
function describeEnd({cause, message}, request, name) {
  if (!kReading.has(request.do)) return `${name}: '${request.do}' has ended (${message}); the program for the desktop may be able to do it`;
  if (cause === "late") return `${request.file}: not read, ${message}; the file may be damaged: export it again or convert it to glTF`;
  return `${request.file}: the reader crashed (${message}); the file is damaged: export it again or convert it to glTF`;
}

// Messages of the module name options of the command line.
const kFieldNames = [["zones?", "Bend ranges"], ["set", "Parameters"], ["method", "Method"], ["clip", "Clip"]];
function nameFields(message) {
  const named = kFieldNames.reduce((text, [option, field]) => text.replace(new RegExp(`--${option}(:| |$)`, "g"), `${field}: `), message);
  return named.replace(/^settings:/, "Parameters:").replace(/^(\S[\w ]*: )(\1| )+/, "$1").trim();
}

function usageFault(message) {
  return Object.assign(new Error(message), {cause: "usage"});
}

const kArchive = /\.(zip|zae|7z|rar|tar|t?gz|usdz)$/i;
function describeKind(name) {
  return kArchive.test(name) ? `${name} is an archive: unpack it first.` : `${name}: not a file of motion.`;
}

class Workbench {
  constructor(source) {
    this.client = new WorkerClient(null, source); // its modules are found once the document is read
    this.files = [];    // the character's: name, bytes
    this.steps = [];    // requests that made it of them: done again after a worker has ended
    this.methods = [...kShown];
    this.words = Object.fromEntries(kWords.map(id => [id, ""])); // of the fields, those that the module has taken
    this.queue = Promise.resolve();
    this.empty = ["stage", "controls", "about", "keys"].map(id => [id, element(id).innerHTML]);
  }

  // One thing after another; the bar says what. Faults are told.
  run(what, task) {
    const ran = this.queue.then(async () => {
      element("busy").hidden = false;
      element("busy-with").textContent = what;
      element("progress").removeAttribute("value");
      this.say("");
      try {
        await task();
      } catch (error) {
        this.say(error.cause === "cancelled" ? "" : nameFields(error.message));
        if (!error.cause) console.error(error);
      } finally {
        element("busy").hidden = true;
      }
    });
    this.queue = ran;
    return ran;
  }

  say(text) {
    element("message").textContent = text;
  }

  async ask(request, more) {
    const {client} = this;
    if (kOfWhole.has(request.do)) await client.take("whole");
    try {
      return await this.askModule(request, more);
    } catch (error) {
      if (error.cause !== "whole") throw error; // the smaller module has found what it leaves to the whole one
      await client.take("whole");
      return this.askModule(request, more);
    }
  }
  // Has a request answered by the worker that there is.
  async send(request, more, progress) {
    try {
      return await this.client.send({...more, request}, progress, chooseTimeout(request, more.files || this.files));
    } catch (error) {
      if (error.cause === "crash" || error.cause === "late") error.message = describeEnd(error, request, this.described?.name);
      throw error;
    }
  }
  async askModule(request, more = {}) {
    const {client} = this;
    const progress = (fraction, what) => {
      element("progress").value = fraction;
      element("busy-with").textContent = what;
    };
    if (!client.worker) {
      await client.begin();
      if (this.steps.length > 0) {
        await client.send({forget: true, files: this.files});
        for (const step of this.steps) await this.send(step, {}, progress);
      }
    }
    return this.send(request, more, progress);
  }
  async askJson(request, more) {
    return JSON.parse(new TextDecoder().decode(await this.ask(request, more)));
  }

  // Those that are models, or motions without one, by the module's table of formats.
  filesOfKind(files, motion) {
    const endings = this.choices.formats.filter(format => format.motion === motion).map(({ending}) => ending);
    return files.filter(({name}) => endings.some(ending => name.toLowerCase().endsWith(ending)));
  }
  // The largest model among several files, or the largest motion where none is a model.
  mainFile(files) {
    const kinds = [this.filesOfKind(files, false), this.filesOfKind(files, true), files];
    return kinds.find(({length}) => length > 0).reduce((a, b) => (b.bytes.length > a.bytes.length ? b : a));
  }

  get settings() {
    const settings = {method: this.methods.join(",")};
    const parameters = this.words.parameters.trim();
    if (parameters) settings.set = parameters;
    return settings;
  }
  get zones() {
    return this.words.zones.split(";").map(word => word.trim()).filter(Boolean);
  }

  // In the place of what is shown, which is shown again where this fails. fresh: another character, of which nothing is set yet.
  async show(data, fresh) {
    const before = this.page?.data, view = this.page?.view, had = this.page?.origin;
    const options = {origin: this.origin, recover: () => this.recover()};
    if (this.page) {
      const canvas = element("canvas"); // with its context, in which shaders are compiled
      this.page.end();
      for (const [id, html] of this.empty) element(id).innerHTML = html;
      element("canvas").replaceWith(canvas);
      history.replaceState(null, "", `${location.pathname}${location.search}`); // the view is taken from the page, not from its address
    }
    try {
      this.page = await showPage(data, options);
      if (view && !fresh) this.page.restore(view);
    } catch (error) {
      if (before) {
        this.page = await showPage(before, {...options, origin: had});
        this.page.restore(view);
      }
      throw error;
    }
    element("numbers").hidden = data !== this.ownData; // they are the demo's
    if (fresh && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      await this.page.drawn(); // the second picture does not delay the first
      this.page.play(true);
    }
    element("title").textContent = document.title = data.name;
    this.fillMethods();
  }

  // The same again in a context whose contents are gone.
  recover() {
    return this.run("drawing", () => this.show(this.page.data, false));
  }

  // What the address says of the character: its own address, where it was fetched; otherwise that it is not the demo.
  get origin() {
    if (this.steps.length === 0) return [];
    return this.fetched && this.files.length === 1 && this.files[0] === this.fetched.file ? [["model", encodeURIComponent(this.fetched.address)]]
        : [["of", encodeURIComponent(this.described.name)]];
  }

  fillMethods() {
    const list = element("add-method");
    list.replaceChildren(new Option("Add …", ""), ...this.choices.methods.filter(({name}) => !this.methods.includes(name))
      .map(({name, title}) => new Option(title, name)));
    const save = element("save-method"), chosen = save.value;
    save.replaceChildren(...this.choices.methods.filter(({name}) => this.methods.includes(name)).map(({name, title}) => new Option(title, name)));
    save.value = this.methods.includes(chosen) ? chosen : this.methods.find(name => name !== "lbs") || "lbs";
  }

  pageRequest(described) {
    return {do: "page", settings: this.settings, zones: this.zones, fps: 30, shapes: true, rawTextures: true, program: false,
            clips: described.clips.length > 0 ? ["all"] : ["bind"]};
  }

  needModel() {
    if (this.steps.length === 0) throw usageFault("Open a character first.");
  }

  async showModel(fresh) {
    this.needModel();
    const data = unpackData(await this.ask(this.pageRequest(this.described)));
    this.describe(); // now: where its lines make the picture smaller, that before would be drawn again
    await this.show(data, fresh);
  }

  // Has the code compiled that a first file needs, in a worker of its own: the page's may be asked meanwhile. Returns
  // whether it went through: it may be cancelled, and a fault is told by the first file.
  async warmUp() {
    const {client} = this, other = new WorkerClient(client.modules, client.source), file = warmUpFile();
    this.warming = other;
    other.module = client.module;
    try {
      await other.begin();
      const described = await other.send({files: [file], request: {do: "open", file: file.name}});
      const request = this.pageRequest(JSON.parse(new TextDecoder().decode(described)));
      const bytes = await other.send({request: {...request, settings: {method: kWarmedUp.join(",")}}});
      other.end();
      await this.warmUpShaders(unpackData(bytes));
      return true;
    } catch {
      return false;
    } finally {
      other.end();
    }
  }

  // Draws such a character in a pixel, and what is shown again in its place. A shader is compiled when it is drawn with.
  async warmUpShaders(data) {
    const page = await preparePage(data, this.page.gl);
    if (this.steps.length === 0) {
      page.drawViews(data.methods.map(() => ({x: 0, y: 0, width: 1, height: 1})));
      this.page.drawNow();
      await this.page.drawn();
    }
    page.end();
  }

  // What makes the character and its picture. words: of the fields.
  get state() {
    const {files, steps, described, methods, words} = this;
    return {files, steps, described, methods, words};
  }
  set state(state) {
    Object.assign(this, state);
    for (const id of kWords) this.setWord(id, state.words[id]);
  }
  setWord(id, word) {
    element(id).value = word;
    element(id).removeAttribute("aria-invalid");
  }

  // A word that is refused stays in its field, marked, so that it can be corrected; what was there before it counts on.
  changeWord(id) {
    return this.run("binding", async () => {
      const before = this.words, field = element(id);
      this.words = {...before, [id]: field.value};
      try {
        await this.showModel(false);
        field.removeAttribute("aria-invalid");
      } catch (error) {
        this.words = before;
        if (this.steps.length === 0) throw error;
        field.setAttribute("aria-invalid", "true");
        const label = field.parentElement.firstChild.textContent.trim(), message = nameFields(error.message);
        throw Object.assign(error, {message: message.startsWith(label) ? message : `${label}: ${message}`});
      }
    });
  }

  // Runs what makes another character of the one that is shown. Where it fails, all is as before, and the worker, which may hold
  // another character, is to read that one again.
  async replaceModel(make) {
    const before = this.state;
    try {
      await make();
      await this.showModel(true);
    } catch (error) {
      this.state = before;
      if (before.steps.length > 0) {
        this.client.end();
        this.describe();
      }
      throw error;
    }
  }

  // Reads a character. given: files, or a promise of them, name and bytes each; all are beside each other as their names say.
  open(given) {
    return this.run("reading", async () => {
      const {page} = this, {playing} = page.state;
      if (playing) page.play(false); // the processor reads sooner what it need not draw beside
      if (this.warming) this.warming.cancel();
      try {
        const files = await given;
        if (files.length > 0) await this.openFiles(files); // else a text was dropped
      } finally {
        if (playing && this.page.data === page.data) this.page.play(true);
      }
    });
  }

  async openFiles(files) {
    const main = this.mainFile(files), models = this.filesOfKind(files, false), archive = files.find(({name}) => kArchive.test(name));
    if (models.length === 0) {
      if (archive) throw usageFault(`${archive.name} is an archive: unpack it, and drop the folder or its files.`);
      if (this.filesOfKind(files, true).length > 0)
        throw usageFault(`${main.name} holds only motion: ` + (this.steps.length === 0 ? "open a character first, and add the motion under More, Motion of another file."
                             : `choose it under More, Motion of another file, to play it on ${this.described.name}.`));
    }
    const request = {do: "open", file: main.name};
    await this.replaceModel(async () => {
      this.steps = []; // nothing to be done again while this is not known to be readable
      const described = await this.askJson(request, {forget: true, files});
      this.state = {...this.state, files, steps: [request], described, words: Object.fromEntries(kWords.map(id => [id, ""]))}; // they name the other's joints
    });
    const others = models.filter(file => file !== main).map(({name}) => name);
    if (others.length > 0)
      this.say(`${main.name} is opened, the largest model of ${models.length}; not opened: ${others.slice(0, 3).join(", ")}${others.length > 3 ? " …" : ""}.`);
  }

  describe() {
    const {described} = this, {name, vertices, joints, format} = described;
    const advice = described.skinned ? "" : " · not bound to joints: More, Bind";
    element("bench-name").textContent = `${name} · ${format}, ${vertices} vertices, ${joints.length} joints${advice}`;
    element("notes").replaceChildren(...[...described.repairs.map(line => `Repaired: ${line}`), ...described.warnings].map(text => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
  }

  // A change of the model that takes its place. words: of the fields, those that change with it.
  async change(request, files = [], words = {}) {
    this.needModel();
    await this.replaceModel(async () => {
      const described = await this.askJson(request, {files});
      this.state = {...this.state, files: [...this.files, ...files], steps: [...this.steps, request], described, words: {...this.words, ...words}};
    });
  }

  again() {
    return this.run("binding", () => this.showModel(false));
  }

  // Weights for the joints of another skeleton, which the bend ranges do not name.
  bind() {
    const request = {do: "bind", skeleton: `template:${element("template").value}`, algorithm: element("algorithm").value};
    return this.run("computing weights", () => this.change(request, [], {zones: ""}));
  }

  // Clips of other files, of which the first that is new is then shown. given: as for open.
  addMotion(given) {
    return this.run("adding motion", async () => {
      this.needModel();
      const files = await given, before = this.described.clips.length;
      const read = [true, false].flatMap(motion => this.filesOfKind(files, motion));
      if (files.length === 0) return;
      if (read.length === 0) throw usageFault(`${describeKind(files[0].name)} Choose a file with clips, such as .bvh, .glb, .fbx or .md5anim.`);
      for (const {name} of read) await this.change({do: "add-motion", file: name}, files);
      if (this.described.clips.length > before) this.page.chooseClip(before);
      else throw usageFault(`${read[0].name}: no clip was added.`);
    });
  }

  addMethod(name) {
    return this.run("binding", async () => {
      const before = this.methods;
      this.methods = [...new Set([...before, name])];
      try {
        await this.showModel(false);
      } catch (error) {
        this.methods = before;
        throw error;
      } finally {
        this.fillMethods();
      }
      this.page.show([...new Set([...this.page.state.shown, this.methods.indexOf(name)])]);
    });
  }

  save(kind) {
    const [, , request, ending, {oneMethod, ...more}] = kSaves.find(([name]) => name === kind);
    const settings = {...this.settings, ...(oneMethod ? {method: element("save-method").value} : {})};
    return this.run("saving", async () => {
      this.needModel();
      const bytes = await this.ask({do: request, settings, zones: this.zones, ...more,
                                    ...(kind === "page" ? {clips: this.described.clips.length > 0 ? ["all"] : ["bind"]} : {})});
      this.download(`${this.described.name}${ending}`, bytes);
    });
  }

  download(name, bytes) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  savePicture() {
    return this.run("saving", async () => {
      this.page.drawNow();
      const blob = await new Promise(done => captionedPicture().toBlob(done));
      this.download(`${document.title}.png`, await blob.arrayBuffer());
    });
  }
  // As `--pose` of the program reads it.
  savePose() {
    return this.run("saving", async () => {
      this.needModel();
      const {page, described} = this;
      if (!page.posing) throw usageFault("This page has no pose to save.");
      page.poseByProgram();
      const morphs = {}, weights = page.shapeWeights();
      page.data.mesh.morphs.forEach(({name}, i) => { if (described.morphs.includes(name) && weights[i] !== undefined) morphs[name] = weights[i]; });
      const pose = {sinew: "pose", nodes: page.posing.listTransforms(), ...(Object.keys(morphs).length > 0 ? {morphs} : {})};
      this.download(`${described.name}.pose.json`, new TextEncoder().encode(`${JSON.stringify(pose, null, 1)}\n`));
    });
  }

  async build() {
    const on = (id, event, run) => element(id).addEventListener(event, run);
    for (const id of ["open", "open-folder"]) on(id, "change", event => this.open(takeFiles(event.target)));
    on("motion", "change", event => this.addMotion(takeFiles(event.target)));
    on("add-method", "change", event => event.target.value && this.addMethod(event.target.value));
    for (const id of kWords) on(id, "change", () => this.changeWord(id));
    on("bind", "click", () => this.bind());
    on("message", "click", () => this.say("")); // it may lie over a part of the sheet
    on("bench", "keydown", event => {
      if (event.key !== "Escape" || !element("more").open) return;
      element("more").open = false;
      element("more").firstElementChild.focus();
    });
    const saves = element("save-kind");
    for (const [kind, title] of [...kSaves, ["picture", "a picture, .png"], ["pose", "the pose by hand, .json"]])
      saves.add(new Option(title, kind));
    const whose = () => {
      const [, , , , more] = kSaves.find(([name]) => name === saves.value) || [];
      element("save-method").parentElement.hidden = !more?.oneMethod;
    };
    on("save-kind", "change", whose);
    whose();
    on("save", "click", () => (saves.value === "picture" ? this.savePicture() : saves.value === "pose" ? this.savePose() : this.save(saves.value)));
    on("cancel", "click", () => this.client.cancel());
    on("bench", "submit", event => event.preventDefault());
    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", event => {
      event.preventDefault();
      document.body.classList.remove("over");
      this.open(droppedFiles(event.dataTransfer));
    });
    addEventListener("dragenter", () => document.body.classList.add("over"));
    addEventListener("dragleave", event => { if (!event.relatedTarget) document.body.classList.remove("over"); });
  }
}

// What is drawn now, with the words above it and the legend.
function captionedPicture() {
  const canvas = element("canvas"), out = document.createElement("canvas"), at = canvas.getBoundingClientRect();
  Object.assign(out, {width: canvas.width, height: canvas.height});
  const context = out.getContext("2d"), ratio = canvas.width / at.width;
  context.drawImage(canvas, 0, 0);
  context.scale(ratio, ratio);
  context.translate(-at.left, -at.top);
  context.textBaseline = "middle";
  const write = each => {
    const {fontWeight, fontSize, fontFamily, color} = getComputedStyle(each), box = each.getBoundingClientRect();
    if (box.width === 0) return;
    Object.assign(context, {font: `${fontWeight} ${fontSize} ${fontFamily}`, fillStyle: color});
    context.fillText(each.textContent, box.left, box.top + box.height / 2);
  };
  for (const each of element("captions").querySelectorAll("b, span")) write(each);
  const legend = element("legend");
  if (legend.hidden) return out;
  const fill = (box, style) => {
    context.fillStyle = style;
    context.fillRect(box.left, box.top, box.width, box.height);
  };
  fill(legend.getBoundingClientRect(), getComputedStyle(legend).backgroundColor);
  const bar = element("legend-bar").getBoundingClientRect(), colors = context.createLinearGradient(bar.left, 0, bar.right, 0);
  const {fieldColors} = window.workbench.page.data.view;
  fieldColors.forEach((color, i) => colors.addColorStop(i / (fieldColors.length - 1), `rgb(${color.map(x => Math.round(255 * x))})`));
  fill(bar, colors);
  for (const each of legend.querySelectorAll("span")) write(each);
  return out;
}

async function readFiles(list) {
  return Promise.all([...list].map(async file => ({name: file.webkitRelativePath || file.name, bytes: new Uint8Array(await file.arrayBuffer())})));
}

// What a button has been given, which forgets it: so the same file may be chosen again.
function takeFiles(button) {
  const files = [...button.files];
  button.value = "";
  return readFiles(files);
}

// Files and folders, with all that is below.
async function droppedFiles(transfer) {
  const items = [...transfer.items].filter(({kind}) => kind === "file"), plain = [...transfer.files];
  const entries = items.map(item => item.webkitGetAsEntry && item.webkitGetAsEntry());
  if (!entries.some(entry => entry && entry.isDirectory)) return readFiles(plain);
  const read = items[0].getAsFileSystemHandle ? Promise.all(items.map(item => item.getAsFileSystemHandle())).then(found => handleFiles(found)) :
                                                entryFiles(entries); // which is not allowed to a page from a disk
  return read.catch(() => {
    throw usageFault("The browser does not let this page read a folder that is dropped: choose it by the button Folder.");
  });
}

async function handleFiles(handles, folder = "") {
  const out = [];
  for (const handle of handles) {
    if (handle.kind === "file") {
      const file = await handle.getFile();
      out.push({name: folder + handle.name, bytes: new Uint8Array(await file.arrayBuffer())});
      continue;
    }
    const inner = [];
    for await (const each of handle.values()) inner.push(each);
    out.push(...await handleFiles(inner, `${folder}${handle.name}/`));
  }
  return out;
}

async function entryFiles(entries) {
  const out = [];
  const walk = async (entry, folder) => {
    if (entry.isFile) {
      const file = await new Promise((done, fail) => entry.file(done, fail));
      out.push({name: folder + entry.name, bytes: new Uint8Array(await file.arrayBuffer())});
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (some.length === 0) return;
      for (const each of some) await walk(each, `${folder}${entry.name}/`);
    }
  };
  for (const entry of entries) if (entry) await walk(entry, "");
  return out;
}

// The modules: one within the page, or two beside it.
function findModules(within) {
  const fetched = name => async () => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(`${name} is not beside this page.`);
    return answer.arrayBuffer();
  };
  if (!within) return {first: fetched("view.wasm"), whole: fetched("sinew.wasm")};
  const whole = () => {
    const packed = Uint8Array.from(atob(within.textContent.trim()), letter => letter.charCodeAt(0));
    within.remove();
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
  };
  return {first: whole, whole};
}

// What the address asks for: a model, and a view. Of a view of a character that is not here (`of`) nothing is left.
function takeAddress() {
  const words = new URLSearchParams(location.hash.slice(1)), model = location.protocol.startsWith("http") ? words.get("model") : null;
  if (model || words.has("of")) history.replaceState(null, "", `${location.pathname}${location.search}`);
  return {model, view: `#${words}`};
}

async function startWorkbench(data) {
  const bench = new Workbench(element("worker").textContent);
  bench.choices = {methods: [], templates: [], algorithms: [], formats: []};
  bench.ownData = data;
  const address = takeAddress(), {model} = address; // before a page writes its own
  await bench.show(data, false);
  await bench.build();
  window.workbench = bench; // for tests
  await bench.run("loading", async () => {
    await bench.page.drawn(); // the picture first: the processor may have to draw it
    while (document.readyState === "loading") await new Promise(done => document.addEventListener("readystatechange", done, {once: true}));
    bench.client.modules = findModules(element("module"));
    await bench.client.take("first");
    bench.choices = await bench.askJson({do: "choices"});
    for (const {name, title} of bench.choices.algorithms) element("algorithm").add(new Option(title, name));
    bench.fillMethods();
    for (const {name, title} of bench.choices.templates) element("template").add(new Option(title, name));
  });
  if (!model) bench.warmed = bench.warmUp();
  else
    await bench.run("fetching", async () => {
      const answer = await fetch(model);
      if (!answer.ok) throw new Error(`${model}: ${answer.status} ${answer.statusText}`);
      const name = new URL(model, location.href).pathname.split("/").pop();
      const file = {name, bytes: new Uint8Array(await answer.arrayBuffer())};
      bench.fetched = {file, address: model};
      bench.open([file]).then(() => { if (bench.files[0] === file) bench.page.readAddress(address.view); });
    });
}
