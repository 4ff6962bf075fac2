// Where the palette lives: the only shader code that knows. PALETTE_ROWS is the number of rows of
// one item; at most one of PALETTE_UNIFORM_ARRAY, PALETTE_BLOCK, PALETTE_TEXTURE is defined.

// See Palette::nonUniformScale. A constant of the program: a draw has one answer for all vertices.
const bool nonUniformScale = NON_UNIFORM_SCALE;

#if defined(PALETTE_UNIFORM_ARRAY)
uniform vec4 palette[PALETTE_CAPACITY];
vec4 paletteRow(uint item, int row) { return palette[int(item) * PALETTE_ROWS + row]; }

#elif defined(PALETTE_BLOCK)
layout(std140) uniform PaletteBlock { vec4 palette[PALETTE_CAPACITY]; };
vec4 paletteRow(uint item, int row) { return palette[int(item) * PALETTE_ROWS + row]; }

#elif defined(PALETTE_TEXTURE)
uniform samplerBuffer palette;
uniform int paletteInstanceRows; // rows of one character of a crowd
vec4 paletteRow(uint item, int row) {
  return texelFetch(palette,
                    gl_InstanceID * paletteInstanceRows + int(item) * PALETTE_ROWS + row);
}
#endif
