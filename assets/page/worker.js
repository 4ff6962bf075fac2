// The Web Worker of the workbench: one module, which ends with it. Messages: {module}, then {id,
// forget, files, request}; answers {id, bytes} or {id, error}, and {id, fraction, what} on the way.

let sinew = null, current = 0, told = 0;

onmessage = async ({data}) => {
  current = data.id;
  try {
    if (data.module) {
      sinew = await loadSinew(data.module, {progress(fraction, what) {
        const now = performance.now();
        if (now - told < 50) return true;
        told = now;
        postMessage({id: current, fraction, what});
        return true;
      }});
      return postMessage({id: data.id, bytes: new Uint8Array(0)});
    }
    if (data.forget) sinew.forget();
    for (const {name, bytes} of data.files || []) sinew.give(name, bytes);
    const bytes = data.request ? sinew.askBytes(data.request) : new Uint8Array(0);
    postMessage({id: data.id, bytes}, [bytes.buffer]);
  } catch (error) {
    postMessage({id: data.id, error: {cause: error.cause || "crash", message: error.message}});
  }
};
