/* Skins a model on the CPU, by any method, and writes the posed mesh as a Wavefront OBJ: in C.
 *   skin_in_c MODEL METHOD SECONDS OUT.obj */
#include <sinew.h>
#include <stdio.h>
#include <stdlib.h>

/* The error's text names the file, or the setting. */
static int fail(void) {
  char line[1024];
  sinew_last_error(line, sizeof line);
  fprintf(stderr, "skin_in_c: %s\n", line);
  return 1;
}

static int write_obj(const char* path, const sinew_arrays* mesh, const float* positions) {
  FILE* out = fopen(path, "w");
  if (out == NULL) return 1;
  for (uint32_t v = 0; v < mesh->vertices; ++v)
    fprintf(out, "v %.9g %.9g %.9g\n", (double)positions[3 * v], (double)positions[3 * v + 1],
            (double)positions[3 * v + 2]);
  for (uint32_t t = 0; t < mesh->triangles; ++t)
    fprintf(out, "f %u %u %u\n", mesh->indices[3 * t] + 1, mesh->indices[3 * t + 1] + 1,
            mesh->indices[3 * t + 2] + 1);
  return fclose(out) == 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  char* end = NULL;
  const double seconds = argc == 5 ? strtod(argv[3], &end) : 0.0;
  if (argc != 5 || end == argv[3] || *end != '\0') {
    fprintf(stderr, "usage: skin_in_c MODEL METHOD SECONDS OUT.obj\n");
    return 2;
  }
  /* Once for each model, and for each method. */
  sinew_model* model = sinew_read(argv[1], NULL);
  if (model == NULL) return fail();
  sinew_arrays mesh;
  sinew_layout layout;
  sinew_counts counts;
  sinew_binding* binding = sinew_bind(model, argv[2], NULL);
  if (binding == NULL) return fail();
  sinew_arrays_of(model, &mesh);
  sinew_count(model, &counts);
  sinew_layout_of(binding, &layout);
  sinew_pose* pose = sinew_pose_make(model);
  float* matrices = malloc(sizeof(float) * 16 * layout.joints);
  float* rows = malloc(sizeof(float) * 4 * layout.rows + 1);
  float* positions = malloc(sizeof(float) * 3 * layout.vertices + 1);
  if (pose == NULL) return fail();
  if (matrices == NULL || rows == NULL || positions == NULL) {
    fprintf(stderr, "skin_in_c: out of memory\n");
    return 1;
  }

  /* For each frame: a pose, the palette, and the vertices, into memory of your own. */
  int32_t stretches = 0;
  const sinew_stream to = {positions, 0}, none = {NULL, 0};
  const uint32_t clip = counts.clips > 0 ? 0 : SINEW_NONE;
  if (sinew_pose_sample(pose, clip, seconds, SINEW_CLAMP) != SINEW_OK ||
      sinew_pose_matrices(pose, matrices) != SINEW_OK ||
      sinew_pack(binding, matrices, NULL, rows, &stretches) != SINEW_OK ||
      sinew_skin(binding, rows, stretches, to, none, none) != SINEW_OK)
    return fail();

  const int failed = write_obj(argv[4], &mesh, positions);
  if (failed)
    fprintf(stderr, "skin_in_c: %s: it cannot be written\n", argv[4]);
  else
    printf("%u vertices by %s\n", layout.vertices, argv[2]);
  free(positions), free(rows), free(matrices);
  sinew_pose_free(pose), sinew_binding_free(binding), sinew_model_free(model);
  return failed;
}
