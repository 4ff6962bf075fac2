// The package for three.js, with all methods.
import {Sinew as Engine} from "./engines/three.js";

export class Sinew extends Engine {
  static program = () => import("./sinew.wasm.js");
}
