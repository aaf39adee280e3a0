import * as library from 're2js';

/** The library of patterns. The bundle loads it when it is first asked for: most commands match none. */
export function re2js(): typeof library {
  return library;
}
