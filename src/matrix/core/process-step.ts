import type { ProcessPlace, Sources } from './process-plan.ts';

/** One step of the post-processing: a nightmark command, or the reason why there is none. */
export interface ProcessStep {
  readonly name: string;
  readonly action:
    | { readonly type: 'command'; readonly args: readonly string[] }
    | { readonly type: 'skip'; readonly reason: string }
    | { readonly type: 'fail'; readonly reason: string };
  /** Steps that this one depends on. */
  readonly needs: readonly string[];
  /** Whether a failure of this step fails the whole. */
  readonly failsTest: boolean;
  /** Files that are written for certain errors, for other tools. */
  readonly markers?: readonly StepMarker[];
  /** Exit codes that are results, not errors. */
  readonly answers?: readonly StepAnswer[];
  /** Copied when the step is done. */
  readonly copies?: { readonly from: string; readonly to: string };
}

export interface StepAnswer {
  readonly exitCode: number;
  readonly state: 'done' | 'failed';
  /** Whether this result fails the whole. */
  readonly failsTest: boolean;
}

export interface StepMarker {
  readonly code: string;
  readonly file: string;
  /** Present: the step counts as done, with this message. */
  readonly doneWith?: string;
  /** Created empty, for the steps that read it. */
  readonly folder?: string;
}

/** The input of every step. */
export interface StepContext {
  readonly block: MatbenchBlock;
  readonly place: ProcessPlace;
  readonly sources: Sources;
  readonly workload: string;
}

export function command(args: readonly string[]): ProcessStep['action'] {
  return { type: 'command', args: ['matrix', ...args] };
}

export function skip(reason: string): ProcessStep['action'] {
  return { type: 'skip', reason };
}

export function fail(reason: string): ProcessStep['action'] {
  return { type: 'fail', reason };
}

/** The post-processing of a finished test: the "matbench:" block of its configuration. */
export interface MatbenchBlock {
  /** A name (NAME.yaml has the plots and the addresses), or the address of results. */
  readonly preset: string | null;
  readonly workload: string;
  readonly configFile: string;
  readonly download: {
    readonly mode: string;
    readonly url: string | null;
    readonly urlFile: string | null;
    /** Copies the downloaded files to the output folder. */
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
