import * as library from 're2js';

/** The library of patterns. The bundle loads it on first use: most commands match no pattern. */
export function re2js(): typeof library {
  return library;
}
