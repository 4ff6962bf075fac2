// sinew in a browser, a Web Worker or node: loads the module that scripts/web builds (sinew.wasm)
// and wraps it. Nothing here knows a page.
//
//   const sinew = await loadSinew(bytes);          // ArrayBuffer, Uint8Array or WebAssembly.Module
//   sinew.give("Fox.glb", bytes);                  // files by name, in place of a disk
//   sinew.ask({do: "open", file: "Fox.glb"});      // requests: src/web/requests.cpp lists them
//   const floats = sinew.askFloats({do: "vertices", settings: {method: "cor", time: 0.5}});
//
// What goes wrong is a SinewError: one line, and its cause (usage, input, limit, graphics, cancelled,
// crash, after which the module is not to be used any more, or whole, where only the other module goes on).

export class SinewError extends Error {
  constructor(cause, message) {
    super(message);
    this.cause = cause;
  }
}

// What the C library asks of its system: a clock, random numbers, and somewhere to complain.
function makeSystem(memory) {
  const view = () => new DataView(memory().buffer);
  const known = {
    clock_time_get(_clock, _precision, at) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    random_get(at, count) {
      globalThis.crypto.getRandomValues(new Uint8Array(memory().buffer, at, count));
      return 0;
    },
    fd_write(_file, parts, count, written) {
      let text = "", bytes = 0;
      for (let i = 0; i < count; ++i) {
        const at = view().getUint32(parts + 8 * i, true), length = view().getUint32(parts + 8 * i + 4, true);
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, at, length).slice());
        bytes += length;
      }
      if (text.trim()) console.warn(text.trimEnd());
      view().setUint32(written, bytes, true);
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_prestat_get: () => 8, // no folder of the system's: no such descriptor
    proc_exit(code) {
      throw new Error(`the module ended with ${code}`);
    },
  };
  const kNotSupported = 52;
  return new Proxy(known, {get: (all, name) => all[name] || (() => kNotSupported)});
}

export async function loadSinew(source, options = {}) {
  let exports;
  // An answer of false cancels what is under way.
  const sinew = {progress: (fraction, at, length) =>
    options.progress && options.progress(fraction, textAt(exports.memory, at, length)) === false ? 0 : 1};
  const system = makeSystem(() => exports.memory);
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const imports = {sinew};
  for (const {module: from, name} of WebAssembly.Module.imports(module))
    if (from !== "sinew") (imports[from] = imports[from] || {})[name] = system[name];
  const instance = await WebAssembly.instantiate(module, imports);
  exports = instance.exports;
  exports._initialize();
  return new Sinew(exports);
}

function textAt(memory, at, length) {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, at, length).slice());
}

export class Sinew {
  // exports: all functions of the module, those of its C interface (sinew.h) too.
  constructor(exports) {
    this.exports = exports;
  }

  // Calls run(address, length, ...) with arrays of bytes in the module's memory.
  withBytes(arrays, run) {
    const {exports} = this, places = [];
    try {
      for (const bytes of arrays) {
        const at = exports.sinew_web_room(bytes.length) >>> 0;
        if (at === 0) throw new SinewError("limit", "the memory of the browser does not suffice");
        places.push(at, bytes.length);
        new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
      }
      return run(...places);
    } catch (error) {
      if (error instanceof SinewError) throw error;
      throw new SinewError("crash", error.message);
    } finally {
      for (let i = 0; i < places.length; i += 2) exports.sinew_web_free(places[i]);
    }
  }

  // A file by its name ("textures/skin.png"), in the place of an earlier one.
  give(name, bytes) {
    const data = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    this.withBytes([new TextEncoder().encode(name), data], this.exports.sinew_web_give);
  }

  // No file any more. What is open stays.
  forget() {
    this.exports.sinew_web_forget();
  }

  // The bytes of an answer, a copy.
  askBytes(request) {
    const {exports} = this;
    const text = new TextEncoder().encode(JSON.stringify(request));
    const failed = this.withBytes([text], exports.sinew_web_answer);
    const bytes = new Uint8Array(exports.memory.buffer, exports.sinew_web_answer_at() >>> 0,
                                 exports.sinew_web_answer_length() >>> 0).slice();
    if (!failed) return bytes;
    const [, cause, message] = /^(\S+) ([^]*)$/.exec(new TextDecoder().decode(bytes));
    throw new SinewError(cause, message);
  }
  askFloats(request) {
    return new Float32Array(this.askBytes(request).buffer);
  }
  // The answer as JSON.
  ask(request) {
    return JSON.parse(new TextDecoder().decode(this.askBytes(request)));
  }
}
