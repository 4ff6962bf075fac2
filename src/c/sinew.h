/* sinew in C: rigged models read or made from arrays, every skinning method, automatic weights and
 * baking. One header, plain C99; docs/library.md teaches it.
 *
 * Space: right-handed, Y up, the model's unit of length, column vectors. A matrix is 16 floats,
 * column by column, as in OpenGL and glTF. Times are seconds, angles radians.
 *
 * Memory: a handle is freed by its own function; NULL is allowed there. Pointers that a function
 * gives out are borrowed from the handle and hold until it is freed or changed. All other arrays
 * are the caller's.
 *
 * Errors: a function that makes a handle returns NULL, every other one a sinew_code. The line of
 * text is that of sinew_last_error() in the same thread. No exception leaves a function.
 *
 * Threads: there is no global state. [parallel] marks functions that several threads may call with
 * the same handles at the same time; [exclusive] those for which no other thread may use the handle
 * that they change. [frame] marks what is called in every frame: after the first it allocates
 * nothing. */
#ifndef SINEW_H
#define SINEW_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) || !defined(__GNUC__)
#define SINEW_API
#else
#define SINEW_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Names are C's. NOLINTBEGIN(readability-identifier-naming) */

/* Raised with every change of a function or a struct. A program compares it with sinew_abi(). */
#define SINEW_ABI 2

/* No parent, no such index. */
#define SINEW_NONE 0xffffffffu

/* The causes of the command line's exit codes. */
typedef enum sinew_code {
  SINEW_OK = 0,
  SINEW_INTERNAL = 1, /* a fault of sinew */
  SINEW_USAGE = 2,    /* an argument or a setting is wrong */
  SINEW_INPUT = 3,    /* the file or the arrays are at fault */
  SINEW_LIMIT = 4,    /* a limit of time or memory was reached */
  SINEW_CANCELLED = 6 /* a progress function returned 0 */
} sinew_code;

typedef struct sinew_model sinew_model;     /* meshes over one list of joints, scene graph, clips */
typedef struct sinew_pose sinew_pose;       /* a moment of a model's motion */
typedef struct sinew_binding sinew_binding; /* a method bound to a model */
typedef struct sinew_blob sinew_blob;       /* bytes that sinew has made */

/* Called during long work, in the thread of the call or in another. fraction: 0 to 1. Returns 0 to
 * cancel. */
typedef int (*sinew_progress)(void* user, float fraction, const char* what);

/* ---- Version and errors ---------------------------------------------------------------------- */

/* [parallel] SINEW_ABI of this library. */
SINEW_API uint32_t sinew_abi(void);
/* [parallel] "0.1.0" */
SINEW_API const char* sinew_version(void);
/* [parallel] The last failure in this thread. text: room for `size` bytes, or NULL. */
SINEW_API sinew_code sinew_last_error(char* text, size_t size);

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* [parallel] Text ends with a 0 byte, which size does not count. size may be NULL. */
SINEW_API const void* sinew_blob_data(const sinew_blob* blob, size_t* size);
/* [exclusive] As all functions that free. */
SINEW_API void sinew_blob_free(sinew_blob* blob);

/* ---- Models ---------------------------------------------------------------------------------- */

/* A file in memory. */
typedef struct sinew_file {
  const char* name; /* as the model refers to it: "scene.bin", "textures/skin.png" */
  const void* data;
  size_t size;
} sinew_file;

/* Gives sinew_read_files() a file that the model names and that is not among those given: fills in
 * data and size of `out`, which are copied at once, and returns 1; 0: there is none. name:
 * relative, with '/', never out of the model's folder or hidden, so that it may be appended to a
 * folder's. An image that lies elsewhere is asked for by its bare name too. In the thread of the
 * call, once for each name. */
typedef int (*sinew_open)(void* user, const char* name, sinew_file* out);

/* All fields may be 0. */
typedef struct sinew_read_options {
  sinew_progress progress;
  sinew_open open;    /* for sinew_read_files() alone; its time does not count as the reader's */
  void* user;         /* for both */
  int32_t in_process; /* 1: read in this process. 0: in one of its own, so that a file that makes a
                         reader crash or hang is an error like any other. It forks. */
  int32_t textures;   /* 1: images are decoded, and written by sinew_save() */
  double seconds;     /* limit; 0: 60 */
  double megabytes;   /* limit of memory; 0: 8192 */
} sinew_read_options;

/* [parallel] A model file: .glb, .gltf, .fbx, .x, .iqm and others. options: NULL, or as above. */
SINEW_API sinew_model* sinew_read(const char* path, const sinew_read_options* options);
/* [parallel] The same from memory: files[0] is the model, the others lie beside it, and those that
 * options->open gives: at most 1000, which together have at most as many bytes as the limit of
 * memory. */
SINEW_API sinew_model* sinew_read_files(const sinew_file* files, size_t count,
                                        const sinew_read_options* options);

/* The vertices of all meshes as one list, over one list of joints. A rigid mesh follows one joint.
 * A stride is the distance in bytes from one item to the next; 0: they are packed. */
typedef struct sinew_arrays {
  uint32_t vertices, triangles, joints, influences; /* influences: of each vertex, padded with 0 */
  const float* positions;                           /* 3 a vertex, bind space */
  size_t position_stride;
  const float* normals; /* 3 a vertex, unit; NULL: computed */
  size_t normal_stride;
  const float* tangents; /* 4 a vertex: unit, and the side of the bitangent, 1 or -1; NULL: none.
                            A file's model has them where it shows a normal map. */
  size_t tangent_stride;
  const float* texcoords; /* 2 a vertex; NULL: none */
  size_t texcoord_stride;
  const uint32_t* indices;          /* 3 a triangle */
  const uint32_t* influence_joints; /* `influences` a vertex */
  const float* influence_weights;   /* likewise; are scaled to sum 1 */
  const uint32_t* parents;          /* 1 a joint, SINEW_NONE at the top; parents come first */
  const float* inverse_bind;        /* 16 a joint: joint space from bind space */
  const char* const* joint_names;   /* NULL: "joint0" and so on */
} sinew_arrays;

/* [parallel] Copies the arrays. Errors name the field that is wrong. */
SINEW_API sinew_model* sinew_from_arrays(const sinew_arrays* arrays);
/* [parallel] The model's own, borrowed. Parents of joints come first only where the file has them
 * so. */
SINEW_API sinew_code sinew_arrays_of(const sinew_model* model, sinew_arrays* out);
/* [exclusive] Poses of it have to be freed before. */
SINEW_API void sinew_model_free(sinew_model* model);

typedef struct sinew_counts {
  uint32_t vertices, triangles, joints, nodes, clips, morphs, meshes, notes;
} sinew_counts;
/* [parallel] */
SINEW_API sinew_code sinew_count(const sinew_model* model, sinew_counts* out);

/* What an index names. */
typedef enum sinew_kind {
  SINEW_JOINT = 0,
  SINEW_NODE = 1,
  SINEW_CLIP = 2,
  SINEW_MORPH = 3,
  SINEW_MESH = 4,
  SINEW_NOTE = 5 /* what was repaired or is missing in the file: a line */
} sinew_kind;
/* [parallel] Borrowed; NULL beyond the count. */
SINEW_API const char* sinew_name(const sinew_model* model, sinew_kind kind, uint32_t index);
/* [parallel] The index of a name; of clips also by number and without case. SINEW_NONE: no such
 * one, and sinew_last_error() lists names. */
SINEW_API uint32_t sinew_find(const sinew_model* model, sinew_kind kind, const char* name);
/* [parallel] Length in seconds; 0 beyond the count. */
SINEW_API float sinew_clip_seconds(const sinew_model* model, uint32_t clip);
/* [parallel] The scene graph's node of every joint, and the parent of every node. Borrowed; either
 * may be NULL. */
SINEW_API sinew_code sinew_graph(const sinew_model* model, const uint32_t** node_of_joint,
                                 const uint32_t** parent_of_node);

/* [parallel] A file in memory. format: "glb". */
SINEW_API sinew_blob* sinew_save(const sinew_model* model, const char* format);

/* ---- Poses ----------------------------------------------------------------------------------- */

/* [parallel] In the rest pose. The model has to outlive it. One pose for each thread. */
SINEW_API sinew_pose* sinew_pose_make(const sinew_model* model);
/* [exclusive] */
SINEW_API void sinew_pose_free(sinew_pose* pose);
/* [exclusive] The rest pose, or with bind the pose in which the mesh was modelled. */
SINEW_API sinew_code sinew_pose_reset(sinew_pose* pose, int32_t bind);

typedef enum sinew_wrap { SINEW_CLAMP = 0, SINEW_LOOP = 1, SINEW_PING_PONG = 2 } sinew_wrap;
/* [exclusive] [frame] A clip at a time, with the pose's layers over it. clip: SINEW_NONE: the rest
 * pose. Springs among the layers go on from the call before; a jump of time resets them. */
SINEW_API sinew_code sinew_pose_sample(sinew_pose* pose, uint32_t clip, double seconds,
                                       sinew_wrap wrap);
/* [exclusive] Animation layers over every later sample: the text of a layers file (docs/layers.md).
 * NULL: none. */
SINEW_API sinew_code sinew_pose_layers(sinew_pose* pose, const char* json);
/* [exclusive] Of every node translation (3), rotation (x y z w) and scale (3), relative to its
 * parent: 10 floats to read and write. */
SINEW_API float* sinew_pose_transforms(sinew_pose* pose);
/* [exclusive] The weight of every morph target, to read and write. */
SINEW_API float* sinew_pose_morphs(sinew_pose* pose);
/* [exclusive] [frame] Model space from joint space, a matrix for each joint of the model. */
SINEW_API sinew_code sinew_pose_matrices(sinew_pose* pose, float* matrices);
/* [exclusive] [frame] The twist of free splines at every joint, radians: rotations beyond half a
 * turn, which matrices do not hold. Of use to models with free splines alone. */
SINEW_API sinew_code sinew_pose_twists(sinew_pose* pose, float* twists);

/* ---- Methods --------------------------------------------------------------------------------- */

/* [parallel] The table of skinning methods: names as sinew_bind() takes them ("lbs", "dqs", "cor",
 * "arc-spline", ...). NULL beyond the last. title: may be NULL. */
SINEW_API const char* sinew_method(uint32_t index, const char** title);

/* [parallel] Binds a method to a model. settings: NULL, or as the command line's --set with the
 * number of influences: "influences=4,attachments=1". The model may be freed after. */
SINEW_API sinew_binding* sinew_bind(const sinew_model* model, const char* method,
                                    const char* settings);
/* [exclusive] */
SINEW_API void sinew_binding_free(sinew_binding* binding);

typedef struct sinew_layout {
  uint32_t vertices;       /* 0: the binding packs alone */
  uint32_t joints;         /* matrices that sinew_pack() takes */
  uint32_t entries;        /* entries of a palette: joints, or splines */
  uint32_t rows_per_entry; /* 4 floats each */
  uint32_t rows;           /* rows of a palette: entries * rows_per_entry */
  uint32_t attributes;
  int32_t fast;     /* 1: sinew_skin() has vector code for it; 0: it runs the reference */
  int32_t tangents; /* 1: sinew_skin() has tangents */
} sinew_layout;
/* [parallel] */
SINEW_API sinew_code sinew_layout_of(const sinew_binding* binding, sinew_layout* out);

typedef enum sinew_format {
  SINEW_UINT8X4 = 0,   /* integers: uvec4 */
  SINEW_UINT16X4 = 1,  /* integers */
  SINEW_UNORM16X4 = 2, /* 0 to 65535 read as 0 to 1 */
  SINEW_SNORM8X3 = 3,  /* -127 to 127 read as -1 to 1, and an unused byte; fetched from a texture */
  SINEW_FLOAT1 = 4,
  SINEW_FLOAT2 = 5,
  SINEW_FLOAT3 = 6,
  SINEW_FLOAT4 = 7,
  SINEW_TEXEL4 = 8 /* four floats, fetched from a texture */
} sinew_format;

/* An attribute of every vertex, for a renderer of your own. */
typedef struct sinew_attribute {
  const char* name; /* in the shader text */
  const void* data; /* packed, a value a vertex */
  size_t size;      /* bytes of all */
  sinew_format format;
  int32_t palette; /* 1: the values are entries of the palette */
} sinew_attribute;
/* [parallel] Borrowed. */
SINEW_API sinew_code sinew_attribute_of(const sinew_binding* binding, uint32_t index,
                                        sinew_attribute* out);

/* [parallel] The shader that reads those attributes and the palette. target: "glsl330", "glsl120",
 * "es300", or "function" for skin() and what it calls. stretches: the form for palettes that
 * stretch. Where the palette is too large for the constants of "glsl120", the head of the text
 * lists the batches by which the mesh is to be drawn, each with its entries. */
SINEW_API sinew_blob* sinew_shader(const sinew_binding* binding, const char* target,
                                   int32_t stretches);

/* [parallel] [frame] The palette of a pose. matrices: model space from joint space, as
 * sinew_pose_matrices() has them. twists: NULL, or one a joint. rows: 4 floats each, all written.
 * stretches (may be NULL): 1 where a joint scales unevenly, which sinew_skin() and the shader
 * have to know. */
SINEW_API sinew_code sinew_pack(const sinew_binding* binding, const float* matrices,
                                const float* twists, float* rows, int32_t* stretches);

/* Three floats a vertex, four of a tangent, so many bytes apart; 0: packed. data may be NULL. */
typedef struct sinew_stream {
  float* data;
  size_t stride;
} sinew_stream;

/* [exclusive] [frame] Skins all vertices on the CPU, in the order of the model, by vector code in
 * the calling thread. Model space; normals and tangents are unit, or 0 where the surface has none.
 * Tangents of poses that stretch are the reference's, and allocate. */
SINEW_API sinew_code sinew_skin(sinew_binding* binding, const float* rows, int32_t stretches,
                                sinew_stream positions, sinew_stream normals,
                                sinew_stream tangents);
/* [parallel] The same by the method's reference, which is slow and plain. Allocates. */
SINEW_API sinew_code sinew_skin_reference(const sinew_binding* binding, const float* rows,
                                          int32_t stretches, sinew_stream positions,
                                          sinew_stream normals, sinew_stream tangents);
/* [parallel] Many poses by threads (0: one a core): `poses` times the matrices of sinew_pack() in,
 * as often 3 floats a vertex out, 4 of tangents. normals and tangents may be NULL. Allocates. */
SINEW_API sinew_code sinew_skin_batch(const sinew_binding* binding, const float* matrices,
                                      size_t poses, float* positions, float* normals,
                                      float* tangents, uint32_t threads, sinew_progress progress,
                                      void* user);
/* [exclusive] From now on the vertices are as morph targets with these weights move them; weights:
 * one per morph target of the model. Allocates where weights have changed. */
SINEW_API sinew_code sinew_morph(sinew_binding* binding, const float* weights, uint32_t count);

/* What sinew_binding_save() keeps. */
typedef enum sinew_keep {
  SINEW_KEEP_PALETTE = 0, /* what sinew_pack() needs: some kilobytes, without a vertex */
  SINEW_KEEP_SKIN = 1     /* that, and the vertices prepared for sinew_skin() */
} sinew_keep;
/* [parallel] A binding for a file, so that a game prepares nothing when it loads. */
SINEW_API sinew_blob* sinew_binding_save(const sinew_binding* binding, sinew_keep keep);
/* [parallel] It packs, and skins where its vertices were kept: not by the reference, without morph
 * targets, attributes and shader text. Damaged bytes and those of another version of sinew are
 * SINEW_INPUT. Read your own: bytes made to do harm are not all found. */
SINEW_API sinew_binding* sinew_binding_read(const void* data, size_t size);

/* ---- Making weights, baking, measuring ------------------------------------------------------- */

/* [parallel] The meshes of one model bound to the joints of another by automatic weights. method:
 * "auto", "bone-glow", "bone-heat", "envelopes", "nearest-bones" or "bones-blending". influences:
 * kept per vertex; 0: 4. */
SINEW_API sinew_model* sinew_weights(const sinew_model* mesh, const sinew_model* skeleton,
                                     const char* method, uint32_t influences,
                                     sinew_progress progress, void* user);

/* Zero fields have the defaults of `sinew bake`. */
typedef struct sinew_bake_options {
  uint32_t helpers;        /* at most so many joints are added; 0: as many as the tolerance takes */
  int32_t no_helpers;      /* 1: none is added */
  uint32_t influences;     /* at most so many a vertex, 1 to 8; 0: 4 */
  uint32_t morphs;         /* corrective shapes, at most */
  float tolerance;         /* share of the model's size; 0: 0.005 */
  float frames_per_second; /* rate of keys; 0: 30 */
  uint32_t poses;          /* at most so many are looked at, 8 or more; 0: 320 */
} sinew_bake_options;
/* Distances from the method's own result in poses held out, as shares of the model's size. */
typedef struct sinew_bake_report {
  uint32_t helpers, morphs, poses;
  double linear_mean, linear_largest; /* linear blending by the model's own weights */
  double baked_mean, baked_largest;
} sinew_bake_report;
/* [parallel] Any method as linear blending with helper joints. clip: SINEW_NONE: all. options and
 * report may be NULL. */
SINEW_API sinew_model* sinew_bake(const sinew_model* model, const char* method,
                                  const char* settings, uint32_t clip,
                                  const sinew_bake_options* options, sinew_bake_report* report,
                                  sinew_progress progress, void* user);

/* What a method does to the skin in a pose, of the whole mesh; ratios to the bind pose. NaN: it is
 * not defined for this mesh, or no triangle of `posed` is finite. Vertices that are not finite make
 * the volume NaN; the other measures are of the rest. docs/methods.md and `sinew compare` have the
 * same numbers. */
typedef struct sinew_measures {
  double volume;        /* holes closed */
  double stretch;       /* the edge that is stretched most */
  double curvature;     /* sharpest angle between neighbours, degrees */
  double folded;        /* share of the edges where that has grown by 60 degrees */
  double flipped;       /* share of the triangles that face the other way than by `reference` */
  double distance;      /* largest to `reference`, share of the model's size */
  double mean_distance; /* mean over all vertices */
  double self_intersections; /* pairs of triangles that do not cross in the bind pose */
} sinew_measures;
/* [parallel] posed, reference: 3 floats a vertex, packed, for as many poses: by a method and by
 * linear blending. out: one for each pose. */
SINEW_API sinew_code sinew_measure(const sinew_model* model, const float* posed,
                                   const float* reference, size_t poses, sinew_measures* out);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif
