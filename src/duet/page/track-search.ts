import type { DuetTrack } from '../app/read-duet-group.ts';

/** The iteration of a track that ran at a time (microseconds); -1: none did. Starts are in order. */
export function iterationAt({ starts = [], times }: DuetTrack, time: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  const place = low - 1;
  return place >= 0 && time < (starts[place] ?? 0) + (times[place] ?? 0) ? place : -1;
}

/** When the last iteration of a track ended, in microseconds. */
export function trackEnd({ starts = [], times }: DuetTrack): number {
  let last = 0;
  for (const [place, start] of starts.entries()) last = Math.max(last, start + (times[place] ?? 0));
  return last;
}
