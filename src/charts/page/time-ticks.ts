import type UPlot from 'uplot';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Times on an axis as the page writes them elsewhere: 2026-01-31, 02:00. For each size of step what a tick says, and
 * what stands below it where another year or day begins.
 */
export const TIME_TICKS: UPlot.Axis.Values = [
  [365 * DAY, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * DAY, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [MINUTE, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{YYYY}-{MM}-{DD}', null, null, null, 1],
  [SECOND, '{HH}:{mm}:{ss}', '\n{YYYY}-{MM}-{DD}', null, '\n{YYYY}-{MM}-{DD}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}.{fff}', '\n{YYYY}-{MM}-{DD}', null, '\n{YYYY}-{MM}-{DD}', null, null, null, 1],
];

/** Pixels for each tick: a part of a second takes more of them to write. */
export function timeRoom(_plot: UPlot, _axis: number, from: number, to: number): number {
  return to - from < 10 * SECOND ? 100 : 64;
}
