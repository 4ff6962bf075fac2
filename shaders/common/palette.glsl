// Access to the palette: the only shader code that depends on its storage. PALETTE_ROWS is the
// number of rows of one entry; at most one of PALETTE_UNIFORM_ARRAY, PALETTE_BLOCK and
// PALETTE_TEXTURE is defined.

// See Palette::nonUniformScale. A constant of the program: a draw has one answer for all vertices.
const bool nonUniformScale = NON_UNIFORM_SCALE;

#if defined(PALETTE_UNIFORM_ARRAY)
uniform vec4 palette[PALETTE_CAPACITY];
vec4 paletteRow(uint entry, int row) { return palette[int(entry) * PALETTE_ROWS + row]; }

#elif defined(PALETTE_BLOCK)
layout(std140) uniform PaletteBlock { vec4 palette[PALETTE_CAPACITY]; };
vec4 paletteRow(uint entry, int row) { return palette[int(entry) * PALETTE_ROWS + row]; }

#elif defined(PALETTE_TEXTURE)
uniform samplerBuffer palette;
uniform int paletteInstanceRows; // rows of one character of a crowd
vec4 paletteRow(uint entry, int row) {
  return texelFetch(palette,
                    gl_InstanceID * paletteInstanceRows + int(entry) * PALETTE_ROWS + row);
}
#endif
