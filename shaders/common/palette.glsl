// Access to the palette: the only shader code that depends on its storage. PALETTE_ROWS is the
// number of rows of one entry; at most one of PALETTE_UNIFORM_ARRAY, PALETTE_BLOCK, PALETTE_TEXTURE
// and PALETTE_STORAGE_BUFFER is defined.

// See Palette::nonUniformScale. A constant of the program: a draw has one answer for all vertices.
#if defined(STRETCH_UNIFORM)
uniform bool nonUniformScale;
#else
const bool nonUniformScale = NON_UNIFORM_SCALE;
#endif

#if defined(PALETTE_UNIFORM_ARRAY)
uniform vec4 palette[PALETTE_CAPACITY];
vec4 paletteRow(uint entry, int row) { return palette[int(entry) * PALETTE_ROWS + row]; }

#elif defined(PALETTE_BLOCK)
layout(std140) uniform PaletteBlock { vec4 palette[PALETTE_CAPACITY]; };
vec4 paletteRow(uint entry, int row) { return palette[int(entry) * PALETTE_ROWS + row]; }

#elif defined(PALETTE_STORAGE_BUFFER)
layout(std430, binding = 2) readonly buffer PaletteBuffer { vec4 palette[]; };
uniform int paletteInstanceRows; // rows of one character of a crowd
#if defined(COMPUTE)
int firstRow() { return instanceIndex * paletteInstanceRows; }
#else
int firstRow() { return gl_InstanceID * paletteInstanceRows; }
#endif
vec4 paletteRow(uint entry, int row) {
  return palette[firstRow() + int(entry) * PALETTE_ROWS + row];
}

#elif defined(PALETTE_TEXTURE)
uniform samplerBuffer palette;
uniform int paletteInstanceRows; // rows of one character of a crowd

#if defined(PALETTE_BAKED)
// Rows of every frame of clips. Of each character: first frame, number of frames, and where in them
// it is at 0 seconds and how far it comes in a second, in frames.
uniform samplerBuffer plays;
uniform float bakedSeconds;
int bakedRow() {
  vec4 play = texelFetch(plays, gl_InstanceID);
  float frame = min(mod(floor(play.z + play.w * bakedSeconds), play.y), play.y - 1.0);
  return int(play.x + frame) * paletteInstanceRows;
}
int bakedFirst = bakedRow();
int firstRow() { return bakedFirst; }
#elif defined(PALETTE_FIRST_ROW)
uniform int paletteFirstRow; // where the first character begins
int firstRow() { return paletteFirstRow + gl_InstanceID * paletteInstanceRows; }
#elif defined(COMPUTE)
int firstRow() { return instanceIndex * paletteInstanceRows; }
#else
int firstRow() { return gl_InstanceID * paletteInstanceRows; }
#endif

#if defined(PALETTE_FRACTIONS)
uniform float paletteScale; // factor of dual parts
vec4 paletteRow(uint entry, int row) {
  vec4 fractions = texelFetch(palette, firstRow() + int(entry) * PALETTE_ROWS + row);
  return (2.0 * fractions - 1.0) * (row == 0 ? 1.0 : paletteScale);
}
#else
vec4 paletteRow(uint entry, int row) {
  return texelFetch(palette, firstRow() + int(entry) * PALETTE_ROWS + row);
}
#endif
#endif
