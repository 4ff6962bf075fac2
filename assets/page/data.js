// Reading the data: deflated and in base64; a length, that many bytes of JSON, and arrays.

async function readData(text) {
  const packed = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return unpackData(new Uint8Array(await new Response(stream).arrayBuffer()));
}

// The same from bytes that are not deflated.
function unpackData(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  data.bytes = bytes.subarray(4 + length);
  return data;
}

// An array as it was packed (src/page/packed_arrays.h): component by component, differences from one
// number to the next, byte by byte. Returns integers, or floats; a number's components are together.
function unpack(bytes, array) {
  const {at, count, components, width} = array;
  const out = new Uint8Array(count * components * width);
  const number = new Uint8Array(width);
  for (let c = 0; c < components; ++c) {
    number.fill(0);
    const first = at + c * count * width;
    for (let i = 0; i < count; ++i) {
      let carry = 0;
      const to = (i * components + c) * width;
      for (let b = 0; b < width; ++b) {
        const sum = number[b] + bytes[first + b * count + i] + carry;
        number[b] = out[to + b] = sum & 255;
        carry = sum >> 8;
      }
    }
  }
  if (array.float) return width === 8 ? new Float64Array(out.buffer) : new Float32Array(out.buffer);
  const values = width === 1 ? out : width === 2 ? new Uint16Array(out.buffer) : new Uint32Array(out.buffer);
  if (!array.step) return values;
  const floats = new Float32Array(values.length);
  for (let i = 0; i < floats.length; ++i) {
    const step = array.step[i % components], from = array.from[i % components];
    floats[i] = step === 0 ? from : (values[i] + from) * step;
  }
  return floats;
}

// Numbers that change from pose to pose, and those that do not.
class Channels {
  constructor(bytes, table, poses) {
    this.from = unpack(bytes, table.from);
    this.step = unpack(bytes, table.step);
    this.levels = unpack(bytes, table.levels);
    this.exact = Boolean(table.levels.float);
    this.poses = poses;
    this.count = this.from.length;
  }

  // All numbers of a pose, into a list that has room for them.
  read(pose, out) {
    for (let c = 0, moving = pose; c < this.count; ++c) {
      const step = this.step[c];
      if (step === 0) {
        out[c] = this.from[c];
        continue;
      }
      out[c] = this.exact ? this.levels[moving] : (this.levels[moving] + this.from[c]) * step;
      moving += this.poses;
    }
    return out;
  }

  // The same at a share t of the way to the next pose.
  readBetween(pose, t, out) {
    this.read(pose, out);
    if (t === 0) return out;
    this.next = this.read(pose + 1, this.next || []);
    for (let c = 0; c < this.count; ++c) out[c] += t * (this.next[c] - out[c]);
    return out;
  }
}
