// The package for three.js, with a smaller program: dual quaternions, bones blending and centres of rotation.
import {Sinew as Engine} from "../engines/three.js";

export class Sinew extends Engine {
  static program = () => import("../few.wasm.js");
}
