import type { MatbenchBlock } from './matbench.ts';
import type { ProcessPlace, Sources } from './process-sources.ts';

/** One step of the post-processing: a command of ours, or the reason why there is none. */
export interface ProcessStep {
  readonly name: string;
  readonly action:
    | { readonly type: 'command'; readonly words: readonly string[] }
    | { readonly type: 'skip'; readonly reason: string }
    | { readonly type: 'fail'; readonly reason: string };
  /** Steps without which this one has nothing to work on. */
  readonly needs: readonly string[];
  /** Whether the whole fails when this step does. */
  readonly failsTest: boolean;
  /** Files that tell others what happened, by the code of the error. */
  readonly markers?: readonly StepMarker[];
  /** Exit codes that are answers, not errors. */
  readonly answers?: readonly StepAnswer[];
  /** Copied when the step is done. */
  readonly copies?: { readonly from: string; readonly to: string };
}

export interface StepAnswer {
  readonly exitCode: number;
  readonly state: 'done' | 'failed';
  /** Whether this answer fails the whole. */
  readonly failsTest: boolean;
}

export interface StepMarker {
  readonly code: string;
  readonly file: string;
  /** Present: the step is done all the same, with this message. */
  readonly doneWith?: string;
  /** Made, and empty, for the steps that look there. */
  readonly folder?: string;
}

/** What every step is planned by. */
export interface Facts {
  readonly block: MatbenchBlock;
  readonly place: ProcessPlace;
  readonly sources: Sources;
  readonly workload: string;
}

export function command(words: readonly string[]): ProcessStep['action'] {
  return { type: 'command', words: ['matrix', ...words] };
}

export function skip(reason: string): ProcessStep['action'] {
  return { type: 'skip', reason };
}

export function fail(reason: string): ProcessStep['action'] {
  return { type: 'fail', reason };
}
