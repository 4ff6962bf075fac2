/* Draws an animated character in plain OpenGL 3.3, by the shader that libsinew writes for any
 * method but ddm. draw_with_opengl MODEL METHOD [FRAMES OUT.ppm]    FRAMES of 1/60 s; the last is
 * saved */
#define GL_GLEXT_PROTOTYPES
#define GLFW_INCLUDE_GLCOREARB
#include <GLFW/glfw3.h>

#include <sinew.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 480 };

static void check(int is_good, const char* what) {
  char line[1024] = "";
  if (is_good) return;
  sinew_last_error(line, sizeof line);
  fprintf(stderr, "draw_with_opengl: %s: %s\n", what, line);
  exit(1);
}

static void add_shader(GLuint program, GLenum type, const char* text, GLint length) {
  GLuint shader = glCreateShader(type);
  glShaderSource(shader, 1, &text, &length);
  glCompileShader(shader);
  glAttachShader(program, shader);
}

static GLuint fill(GLenum target, size_t size, const void* data) {
  GLuint buffer;
  glGenBuffers(1, &buffer);
  glBindBuffer(target, buffer);
  glBufferData(target, (GLsizeiptr)size, data, GL_DYNAMIC_DRAW);
  return buffer;
}

/* Of each sinew_format: components, type, normalised, integers. */
static const GLenum kFormats[][4] = {{4, GL_UNSIGNED_BYTE, 0, 1},
                                     {4, GL_UNSIGNED_SHORT, 0, 1},
                                     {4, GL_UNSIGNED_SHORT, 1, 0},
                                     {0, 0, 0, 0},
                                     {1, GL_FLOAT, 0, 0},
                                     {2, GL_FLOAT, 0, 0},
                                     {3, GL_FLOAT, 0, 0},
                                     {4, GL_FLOAT, 0, 0},
                                     {0, 0, 0, 0}};

static void set_attribute(GLuint program, const char* name, const void* data, size_t vertices,
                          size_t stride, sinew_format kind) {
  const GLenum* format = kFormats[kind];
  check(format[0] > 0, "this method has attributes in a texture");
  const GLint found = glGetAttribLocation(program, name);
  if (found < 0) return;
  const GLuint at = (GLuint)found;
  fill(GL_ARRAY_BUFFER, vertices * stride, data);
  glEnableVertexAttribArray(at);
  if (format[3])
    glVertexAttribIPointer(at, (GLint)format[0], format[1], (GLsizei)stride, NULL);
  else
    glVertexAttribPointer(at, (GLint)format[0], format[1], (GLboolean)format[2], (GLsizei)stride,
                          NULL);
}

/* The uniform block Frame, of which this shader reads the first matrix: the bind pose from its
 * front. */
static void set_camera(const sinew_arrays* mesh) {
  float frame[28] = {0}, low[3], high[3], largest = 0;
  for (size_t c = 0; c < 3; ++c) {
    low[c] = high[c] = mesh->positions[c];
    for (size_t v = 0; v < mesh->vertices; ++v) {
      const float x =
          *(const float*)((const char*)mesh->positions + v * mesh->position_stride + 4 * c);
      low[c] = x < low[c] ? x : low[c];
      high[c] = x > high[c] ? x : high[c];
    }
    largest = high[c] - low[c] > largest ? high[c] - low[c] : largest;
  }
  for (size_t c = 0; c < 3; ++c) {
    frame[5 * c] = (c < 2 ? 1.2f : -0.4f) / largest;
    frame[12 + c] = -frame[5 * c] * (low[c] + high[c]) / 2;
  }
  frame[15] = 1;
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, fill(GL_UNIFORM_BUFFER, sizeof frame, frame));
}

static GLuint use_shader(const sinew_binding* binding) {
  size_t length;
  sinew_blob* text = sinew_shader(binding, "glsl330", 1);
  check(text != NULL, "shader");
  const char* vertex = sinew_blob_data(text, &length);
  const char fragment[] =
      "#version 330 core\nin vec3 worldNormal;\nout vec4 color;\n"
      "void main() { color = vec4(0.55 + 0.45 * normalize(worldNormal), 1.0); }\n";
  const GLuint program = glCreateProgram();
  add_shader(program, GL_VERTEX_SHADER, vertex, (GLint)length);
  add_shader(program, GL_FRAGMENT_SHADER, fragment, (GLint)sizeof fragment - 1);
  GLint linked;
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  check(linked, "the shaders do not link");
  glUseProgram(program); /* its uniforms are 0: palette at texture unit 0, first row 0 */
  sinew_blob_free(text);
  return program;
}

static GLFWwindow* open_window(void) {
  glfwInit();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  GLFWwindow* window = glfwCreateWindow(SIZE, SIZE, "sinew in plain OpenGL", NULL, NULL);
  check(window != NULL, "no window with OpenGL 3.3");
  glfwMakeContextCurrent(window);
  glEnable(GL_DEPTH_TEST);
  return window;
}

static int save(const char* path) {
  static unsigned char rows[SIZE][SIZE][3];
  glReadPixels(0, 0, SIZE, SIZE, GL_RGB, GL_UNSIGNED_BYTE, rows);
  FILE* out = fopen(path, "wb");
  if (out == NULL) return 1;
  fprintf(out, "P6 %d %d 255\n", SIZE, SIZE);
  for (int y = SIZE; y-- > 0;)
    fwrite(rows[y], sizeof rows[y], 1, out);
  return fclose(out) == 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) {
    fprintf(stderr, "usage: draw_with_opengl MODEL METHOD [FRAMES OUT.ppm]\n");
    return 2;
  }
  GLFWwindow* window = open_window();

  /* Once: the model, the method's data of every vertex, and its shader. */
  sinew_model* model = sinew_read(argv[1], NULL);
  check(model != NULL, argv[1]);
  sinew_binding* binding = sinew_bind(model, argv[2], NULL);
  check(binding != NULL, argv[2]);
  sinew_arrays mesh;
  sinew_layout layout;
  sinew_counts counts;
  sinew_arrays_of(model, &mesh);
  sinew_layout_of(binding, &layout);
  sinew_count(model, &counts);
  const GLuint program = use_shader(binding);
  GLuint array, palette;
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  set_attribute(program, "bindPosition", mesh.positions, mesh.vertices, mesh.position_stride,
                SINEW_FLOAT3);
  set_attribute(program, "bindNormal", mesh.normals, mesh.vertices, mesh.normal_stride,
                SINEW_FLOAT3);
  for (uint32_t i = 0; i < layout.attributes; ++i) {
    sinew_attribute each;
    sinew_attribute_of(binding, i, &each);
    set_attribute(program, each.name, each.data, layout.vertices, each.size / layout.vertices,
                  each.format);
  }
  fill(GL_ELEMENT_ARRAY_BUFFER, 12 * (size_t)mesh.triangles, mesh.indices);
  set_camera(&mesh);
  float* matrices = malloc(64 * (size_t)layout.joints + 1);
  float* rows = malloc(16 * (size_t)layout.rows + 1);
  check(matrices != NULL && rows != NULL, "memory");
  const GLuint buffer = fill(GL_TEXTURE_BUFFER, 16 * (size_t)layout.rows, NULL);
  glGenTextures(1, &palette);
  glBindTexture(GL_TEXTURE_BUFFER, palette);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);

  /* For each frame: a pose, its palette, and one draw. */
  sinew_pose* pose = sinew_pose_make(model);
  const int frames = argc == 5 ? atoi(argv[3]) : 0;
  for (int frame = 1; !glfwWindowShouldClose(window); ++frame) {
    const double seconds = frames > 0 ? frame / 60.0 : glfwGetTime();
    sinew_pose_sample(pose, counts.clips > 0 ? 0 : SINEW_NONE, seconds, SINEW_LOOP);
    sinew_pose_matrices(pose, matrices);
    check(sinew_pack(binding, matrices, NULL, rows, NULL) == SINEW_OK, "palette");
    glBufferSubData(GL_TEXTURE_BUFFER, 0, 16 * (GLsizeiptr)layout.rows, rows);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDrawElements(GL_TRIANGLES, 3 * (GLsizei)mesh.triangles, GL_UNSIGNED_INT, NULL);
    if (frame == frames) return save(argv[4]);
    glfwSwapBuffers(window);
    glfwPollEvents();
  }
  return 0;
}
