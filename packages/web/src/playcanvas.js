// The package for PlayCanvas, with all methods.
import {Sinew as Engine} from "./engines/playcanvas.js";

export class Sinew extends Engine {
  static program = () => import("./sinew.wasm.js");
}
