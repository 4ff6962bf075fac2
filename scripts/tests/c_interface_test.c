/* sinew.h in C99, as a game would use it: tangents, prepared skins in a file, files given by a callback;
 * damaged bytes and wrong arguments.
 *   c_interface_test MODEL.glb [in-process]
 * Prints the check that failed, or nothing. in-process: nothing forks, for valgrind. */
#include <sinew.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      char line[512];                                                                              \
      sinew_last_error(line, sizeof line);                                                         \
      printf("%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, line);                \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static unsigned long allocations;
#ifdef COUNT_ALLOCATIONS
/* Memory that the library takes, too, is counted: glibc's own under another name. */
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* from, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void* malloc(size_t size) { return allocations++, __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return allocations++, __libc_calloc(count, size); }
void* realloc(void* from, size_t size) { return allocations++, __libc_realloc(from, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return allocations++, __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = (allocations++, __libc_memalign(alignment, size));
  return *out != NULL ? 0 : ENOMEM;
}
#endif

#define ROWS 6 /* quads up the strip */
#define VERTICES (2 * (ROWS + 1))
#define JOINTS 3

static const char* last_error(void) {
  static char line[512];
  sinew_last_error(line, sizeof line);
  return line;
}

/* A strip in the plane z = 0 over a chain of joints along y, with tangents along x. */
static sinew_model* strip(void) {
  static float positions[3 * VERTICES], tangents[4 * VERTICES], weights[2 * VERTICES];
  static float inverse_bind[16 * JOINTS];
  static uint32_t joints[2 * VERTICES], indices[6 * ROWS], parents[JOINTS];
  sinew_arrays body;
  uint32_t v, r, j, c;
  memset(&body, 0, sizeof body);
  for (v = 0; v < VERTICES; ++v) {
    const float y = (float)(v / 2) * 2.0f / ROWS;
    const uint32_t below = y < 1.0f ? 0 : 1;
    positions[3 * v] = v % 2 ? 0.5f : -0.5f;
    positions[3 * v + 1] = y;
    positions[3 * v + 2] = 0.0f;
    tangents[4 * v] = 3.0f; /* is made unit */
    tangents[4 * v + 3] = v % 2 ? 1.0f : -1.0f;
    joints[2 * v] = below;
    joints[2 * v + 1] = below + 1;
    weights[2 * v + 1] = y - (float)below;
    weights[2 * v] = 1.0f - weights[2 * v + 1];
  }
  for (r = 0; r < ROWS; ++r) {
    const uint32_t corners[6] = {0, 1, 3, 0, 3, 2};
    for (c = 0; c < 6; ++c) indices[6 * r + c] = 2 * r + corners[c];
  }
  for (j = 0; j < JOINTS; ++j) {
    parents[j] = j == 0 ? SINEW_NONE : j - 1;
    for (c = 0; c < 16; ++c) inverse_bind[16 * j + c] = c % 5 == 0 ? 1.0f : 0.0f;
    inverse_bind[16 * j + 13] = -(float)j;
  }
  body.vertices = VERTICES, body.triangles = 2 * ROWS, body.joints = JOINTS, body.influences = 2;
  body.positions = positions, body.tangents = tangents, body.indices = indices;
  body.influence_joints = joints, body.influence_weights = weights;
  body.parents = parents, body.inverse_bind = inverse_bind;
  return sinew_from_arrays(&body);
}

/* Model space from joint space of that chain, every joint bent by so many radians about z. */
static void bend(float angle, float* matrices) {
  float x = 0.0f, y = 0.0f, along = 0.0f;
  uint32_t j;
  for (j = 0; j < JOINTS; ++j) {
    float* m = matrices + 16 * j;
    if (j > 0) x -= sinf(along), y += cosf(along);
    along += angle;
    memset(m, 0, 16 * sizeof *m);
    m[0] = cosf(along), m[1] = sinf(along);
    m[4] = -sinf(along), m[5] = cosf(along);
    m[10] = m[15] = 1.0f;
    m[12] = x, m[13] = y;
  }
}

typedef struct posed {
  float positions[3 * VERTICES], normals[3 * VERTICES], tangents[4 * VERTICES];
} posed;

static void skin(sinew_binding* binding, float angle, int reference, posed* out) {
  sinew_layout layout;
  float matrices[16 * JOINTS];
  float* rows;
  int32_t stretches = 1;
  const sinew_stream positions = {out->positions, 0}, normals = {out->normals, 0};
  const sinew_stream tangents = {out->tangents, 0};
  CHECK(sinew_layout_of(binding, &layout) == SINEW_OK);
  CHECK(layout.vertices == VERTICES && layout.joints == JOINTS && layout.tangents == 1);
  rows = malloc(4 * sizeof(float) * layout.rows);
  bend(angle, matrices);
  CHECK(sinew_pack(binding, matrices, NULL, rows, &stretches) == SINEW_OK);
  memset(out, 0, sizeof *out);
  if (reference)
    CHECK(sinew_skin_reference(binding, rows, stretches, positions, normals, tangents) == SINEW_OK);
  else
    CHECK(sinew_skin(binding, rows, stretches, positions, normals, tangents) == SINEW_OK);
  free(rows);
}

static void test_tangents(const sinew_model* model) {
  const char* methods[] = {"lbs", "dqs", "cor", "arc-spline", "bones-blending", "rigid"};
  sinew_arrays own;
  size_t m;
  CHECK(sinew_arrays_of(model, &own) == SINEW_OK);
  CHECK(own.tangents != NULL && own.tangent_stride == 16 && own.tangents[0] == 1.0f);
  for (m = 0; m < sizeof methods / sizeof *methods; ++m) {
    sinew_binding* binding = sinew_bind(model, methods[m], NULL);
    posed fast, slow;
    uint32_t v;
    CHECK(binding != NULL);
    skin(binding, 0.0f, 0, &fast);
    for (v = 0; v < VERTICES; ++v) {
      CHECK(fabsf(fast.tangents[4 * v] - 1.0f) < 1e-4f);
      CHECK(fast.tangents[4 * v + 3] == (v % 2 ? 1.0f : -1.0f));
    }
    skin(binding, 0.6f, 0, &fast);
    skin(binding, 0.6f, 1, &slow);
    for (v = 0; v < 4 * VERTICES; ++v)
      CHECK(fabsf(fast.tangents[v] - slow.tangents[v]) < 1e-4f);
    CHECK(fast.tangents[0] < 0.99f); /* the strip turns in its plane, and its tangents with it */
    sinew_binding_free(binding);
  }
}

/* A clip sampled, packed and skinned with every vector kernel; the first frame finds room. */
static void test_frames_allocate_nothing(const sinew_model* strip_model, const char* path) {
  const char* methods[] = {"rigid", "lbs",  "dqs", "bones-blending", "arc-spline", "bezier-spline",
                           "cor",   "stbs", "ddm"};
  sinew_read_options options;
  sinew_model* model;
  size_t m;
  int which;
  memset(&options, 0, sizeof options);
  options.in_process = 1;
  model = sinew_read(path, &options);
  CHECK(model != NULL);
  for (which = 0; which < 2; ++which)
    for (m = 0; m < sizeof methods / sizeof *methods; ++m) {
      const sinew_model* of = which ? strip_model : model;
      sinew_binding* binding = sinew_bind(of, methods[m], NULL);
      sinew_pose* pose = sinew_pose_make(of);
      sinew_layout layout;
      sinew_counts counts;
      float *matrices, *rows, *room;
      sinew_stream positions, normals, tangents;
      unsigned long before = 0;
      int frame;
      CHECK(binding != NULL && pose != NULL);
      CHECK(sinew_layout_of(binding, &layout) == SINEW_OK && layout.fast == 1);
      CHECK(sinew_count(of, &counts) == SINEW_OK);
      matrices = malloc(16 * sizeof(float) * layout.joints);
      rows = malloc(4 * sizeof(float) * layout.rows);
      room = malloc(10 * sizeof(float) * layout.vertices);
      positions.data = room, normals.data = room + 3, tangents.data = layout.tangents ? room + 6 : NULL;
      positions.stride = normals.stride = tangents.stride = 10 * sizeof(float);
      for (frame = 0; frame < 20; ++frame) {
        int32_t stretches = 0;
        CHECK(sinew_pose_sample(pose, counts.clips > 0 ? 0 : SINEW_NONE, 0.1 * frame, SINEW_LOOP) == SINEW_OK);
        CHECK(sinew_pose_matrices(pose, matrices) == SINEW_OK);
        CHECK(sinew_pack(binding, matrices, NULL, rows, &stretches) == SINEW_OK);
        CHECK(sinew_skin(binding, rows, stretches, positions, normals, tangents) == SINEW_OK);
        if (frame == 0) before = allocations;
      }
      CHECK(allocations == before);
      free(matrices), free(rows), free(room);
      sinew_pose_free(pose), sinew_binding_free(binding);
    }
  sinew_model_free(model);
}

static void test_kept_skins(const sinew_model* model) {
  const char* methods[] = {"lbs", "dqs", "ddm", "per-joint"};
  size_t m;
  for (m = 0; m < sizeof methods / sizeof *methods; ++m) {
    sinew_binding* binding = sinew_bind(model, methods[m], NULL);
    sinew_blob* kept = sinew_binding_save(binding, SINEW_KEEP_SKIN);
    sinew_blob* alone = sinew_binding_save(binding, SINEW_KEEP_PALETTE);
    size_t size, less, i;
    const void* bytes = sinew_blob_data(kept, &size);
    sinew_binding* again;
    posed before, after;
    unsigned char* damaged;
    sinew_stream to, none = {NULL, 0};
    sinew_layout layout;
    CHECK(binding != NULL && kept != NULL && alone != NULL);
    again = sinew_binding_read(bytes, size);
    CHECK(again != NULL);
    skin(binding, 0.6f, 0, &before);
    skin(again, 0.6f, 0, &after);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    /* What a kept skin lacks is said. */
    to.data = after.positions, to.stride = 0;
    CHECK(sinew_skin_reference(again, after.normals, 0, to, none, none) == SINEW_USAGE);
    CHECK(strstr(last_error(), "read from bytes") != NULL);
    CHECK(sinew_morph(again, NULL, 0) == SINEW_USAGE);
    CHECK(sinew_shader(again, "glsl330", 0) == NULL);
    sinew_binding_free(again);

    bytes = sinew_blob_data(alone, &less);
    again = sinew_binding_read(bytes, less);
    CHECK(again != NULL && less < size);
    CHECK(sinew_layout_of(again, &layout) == SINEW_OK && layout.vertices == 0);
    CHECK(sinew_skin(again, after.normals, 0, to, none, none) == SINEW_USAGE);
    CHECK(sinew_binding_save(again, SINEW_KEEP_SKIN) == NULL);
    sinew_binding_free(again);

    bytes = sinew_blob_data(kept, &size);
    /* Cut off at any place, and any byte changed: an error of the input. */
    damaged = malloc(size + 1);
    for (i = 0; i < size; i += 1 + i / 256) {
      memcpy(damaged, bytes, size);
      CHECK(sinew_binding_read(damaged, i) == NULL);
      CHECK(sinew_last_error(NULL, 0) == SINEW_INPUT);
      damaged[i] = (unsigned char)(damaged[i] ^ (1u << i % 8));
      CHECK(sinew_binding_read(damaged, size) == NULL);
      CHECK(sinew_last_error(NULL, 0) == SINEW_INPUT);
    }
    memcpy(damaged, bytes, size);
    damaged[size] = 0;
    CHECK(sinew_binding_read(damaged, size + 1) == NULL);
    CHECK(strstr(last_error(), "sinew_binding_save") != NULL);
    free(damaged);
    sinew_blob_free(kept), sinew_blob_free(alone), sinew_binding_free(binding);
  }
}

/* The folder beside a model: one buffer. Counts what it is asked for. */
typedef struct folder {
  float corners[9];
  int buffers, others;
} folder;

static int open_file(void* user, const char* name, sinew_file* out) {
  folder* in = user;
  if (strcmp(name, "parts/corners.bin") != 0) return in->others += 1, 0;
  in->buffers += 1;
  out->data = in->corners;
  out->size = sizeof in->corners;
  return 1;
}

static void test_files_by_callback(int in_process) {
  const char text[] =
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
      "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
      "\"buffers\":[{\"byteLength\":36,\"uri\":\"parts/corners.bin\"}]}";
  const sinew_file file = {"models/triangle.gltf", text, sizeof text - 1};
  folder in = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, 0, 0};
  sinew_read_options options;
  memset(&options, 0, sizeof options);
  options.user = &in;
  for (; in_process < 2; ++in_process) {
    sinew_model* model;
    sinew_counts counts;
    options.in_process = in_process;
    options.open = open_file;
    in.buffers = 0;
    model = sinew_read_files(&file, 1, &options);
    CHECK(model != NULL);
    CHECK(sinew_count(model, &counts) == SINEW_OK && counts.vertices == 3);
    CHECK(in.buffers == 1 && in.others == 0);
    sinew_model_free(model);
    if (in_process) {
      options.megabytes = 1e-5; /* room for ten bytes */
      CHECK(sinew_read_files(&file, 1, &options) == NULL);
      CHECK(sinew_last_error(NULL, 0) == SINEW_LIMIT);
      options.megabytes = 0;
    }
    options.open = NULL;
    CHECK(sinew_read_files(&file, 1, &options) == NULL);
    CHECK(sinew_last_error(NULL, 0) == SINEW_INPUT);
  }
  options.open = open_file;
  CHECK(sinew_read("triangle.gltf", &options) == NULL);
  CHECK(sinew_last_error(NULL, 0) == SINEW_USAGE);
}

static void test_wrong_arguments(const sinew_model* model) {
  sinew_binding* binding = sinew_bind(model, "lbs", NULL);
  sinew_stream to, tangents, none = {NULL, 0};
  float room[4 * VERTICES];
  float rows[16 * JOINTS];
  memset(rows, 0, sizeof rows);
  to.data = tangents.data = room, to.stride = 0, tangents.stride = 12;
  CHECK(sinew_skin(binding, rows, 0, to, none, tangents) == SINEW_USAGE);
  CHECK(strstr(last_error(), "tangents.stride: 12 bytes are less than 16") != NULL);
  CHECK(sinew_binding_save(binding, (sinew_keep)7) == NULL);
  CHECK(sinew_last_error(NULL, 0) == SINEW_USAGE);
  CHECK(sinew_binding_read(NULL, 0) == NULL);
  sinew_binding_free(binding);
}

static void test_models_without_tangents(const char* path) {
  const sinew_read_options here = {0};
  sinew_read_options options = here;
  sinew_model* model;
  sinew_binding* binding;
  sinew_arrays own;
  float* room;
  sinew_stream to, none = {NULL, 0};
  options.in_process = 1;
  model = sinew_read(path, &options);
  CHECK(model != NULL);
  binding = sinew_bind(model, "lbs", NULL);
  CHECK(sinew_arrays_of(model, &own) == SINEW_OK && own.tangents == NULL);
  room = calloc(sizeof(float), 16 * (size_t)own.vertices);
  to.data = room, to.stride = 0;
  CHECK(sinew_skin(binding, room, 0, to, none, to) == SINEW_USAGE);
  CHECK(strstr(last_error(), "tangents.data") != NULL);
  free(room);
  sinew_binding_free(binding), sinew_model_free(model);
}

int main(int argc, char** argv) {
  sinew_model* model = strip();
  if (argc < 2) return 2;
  CHECK(sinew_abi() == SINEW_ABI);
  CHECK(model != NULL);
  test_tangents(model);
  test_frames_allocate_nothing(model, argv[1]);
  test_kept_skins(model);
  test_files_by_callback(argc > 2);
  test_wrong_arguments(model);
  test_models_without_tangents(argv[1]);
  sinew_model_free(model);
  return 0;
}
