import type { ProcessPlace, Sources } from './process-plan.ts';

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
export interface StepContext {
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

/** What is to be done with the results of a finished test: the "matbench:" block of its configuration. */
export interface MatbenchBlock {
  /** A name (NAME.yaml has the plots and the addresses), or the address of results. */
  readonly preset: string | null;
  readonly workload: string;
  readonly configFile: string;
  readonly download: {
    readonly mode: string;
    readonly url: string | null;
    readonly urlFile: string | null;
    /** Copies what was fetched beside what is made of it. */
    readonly savesToArtifacts: boolean;
  };
  readonly testDirectory: string | null;
  readonly payloads: boolean;
  readonly horreumTest: string | null;
  readonly opensearch: {
    readonly instance: string | null;
    readonly index: string | null;
    readonly indexPrefix: string;
    readonly promIndexSuffix: string;
    readonly isExported: boolean;
    readonly isExportedOnReplot: boolean;
    readonly failsTest: boolean;
  };
  readonly regression: {
    readonly isEnabled: boolean;
    readonly failsTest: boolean;
    /** Folder of payloads, KPI file or home; null: the index of OpenSearch. */
    readonly history: string | null;
  };
}
