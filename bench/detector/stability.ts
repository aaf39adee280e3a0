import { findChanges } from '../../src/judge/core/levels/find-changes.ts';
import { type Kind, makeAll } from './accuracy.ts';
import type { History } from './residuals.ts';

/** What 50 more points do to changes that are at least 30 points old. */
export interface Stability {
  readonly old: number;
  /** No change within 5 points any more. */
  readonly vanished: number;
  readonly moved: number;
  /** New ones at places at least 30 points old. */
  readonly appeared: number;
}

export function stabilityOf(histories: readonly History[], kind: Kind): Stability {
  let [old, vanished, moved, appeared] = [0, 0, 0, 0];
  for (const { values } of makeAll(histories, 0.05, kind)) {
    const now = values.length - 50;
    if (now < 60) continue;
    const before = placesOf(values.slice(0, now)).filter((place) => place < now - 30);
    const after = placesOf(values).filter((place) => place < now - 30 + NEAR);
    const isNear = (place: number, others: readonly number[]) =>
      others.some((other) => Math.abs(place - other) <= NEAR);
    old += before.length;
    vanished += before.filter((place) => !isNear(place, after)).length;
    moved += before.filter((place) => isNear(place, after) && !after.includes(place)).length;
    appeared += after.filter((place) => place < now - 30 && !isNear(place, before)).length;
  }
  return { old, vanished, moved, appeared };
}

const NEAR = 5;

const placesOf = (values: Float64Array) => findChanges({ values }).changes.map(({ index }) => index);
