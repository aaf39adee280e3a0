import { setFlagsFromString } from 'node:v8';

/**
 * V8 begins to optimize after some milliseconds of a function. For a hundred charts that took as much processor time as
 * the charts, and much of it was done twice as later charts differ. Three times as late, only what stays hot is
 * optimized. The setting is V8's own business: other versions than the one it was measured with (Node 20) are left alone.
 */
export function optimizeLater(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=400000');
}
