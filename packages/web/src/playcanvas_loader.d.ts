/**
 * Options of an asset of type "container", with those that are given: has PlayCanvas's loader keep more than four joints a vertex, the
 * method that the file states, and what `sinew export --method` has bound.
 */
export function keepSkinningData(options?: object): object;
