import type {Group, Matrix4, Object3D, SkinnedMesh} from "three";
import type {CrowdOptions, MethodName, Source, UseOptions} from "./module.js";

export type {CrowdOptions, MethodName, Source, UseOptions, Zone} from "./module.js";

export interface Handle {
  readonly method: MethodName;
  readonly meshes: SkinnedMesh[];
  /** Positions of all vertices on the CPU, three floats each, relative to the first bone's place in the world. */
  positions(): Float32Array;
  /** Leaves the meshes as they were. */
  dispose(): void;
}

/** Many characters of one model: an InstancedMesh for each of its meshes. */
export interface Crowd {
  readonly method: MethodName;
  readonly count: number;
  readonly poses: number;
  /** What is added to the scene. */
  readonly object: Group;
  /** Where a character is, relative to `object`. */
  setMatrixAt(character: number, matrix: Matrix4): void;
  /** Which pose a character shows; at first the one of its own number. */
  setPoseAt(character: number, pose: number): void;
  /** Writes the pose that the model's bones have now. */
  writePose(pose: number): void;
  dispose(): void;
}

export class Sinew {
  static load(source?: Source): Promise<Sinew>;
  readonly methods: {name: MethodName, title: string, summary: string}[];
  /** Has the browser compile what a method needs, for while a model is loading: the first `use` by it then takes less. */
  prepare(method: MethodName): void;
  /** Without a method: that of the file, from `extras.sinew.skinning` of the mesh's node. */
  use(target: Object3D | Object3D[], method?: MethodName, options?: UseOptions): Handle;
  crowd(target: Object3D | Object3D[], method: MethodName | undefined, options: CrowdOptions): Crowd;
}
