import type { BisectMetric, MetricRequest } from './bisect-metric.ts';

/** What a search is: enough to go on with it after a crash. */
export interface BisectPlan {
  /** Full hashes. */
  readonly good: string;
  readonly bad: string;
  readonly parents: 'first' | 'all';
  readonly likelyPaths: readonly string[];
  readonly work: BisectWork;
  readonly certainty: number;
  readonly minEffect: number;
  readonly mostPairs?: number;
  /** Absent in journals of earlier versions. */
  readonly mostBuilds?: number;
  /** The only measure of the command's runs that is compared: wall or cpu. Absent: whichever decides first. */
  readonly measure?: string;
  readonly mode: 'together' | 'alternate';
  readonly seed: number;
  readonly timeoutMs?: number;
}

/** What is measured: a command in the user's own repository, or an experiment of a home on one of its sources. */
export type BisectWork =
  | {
      readonly type: 'command';
      readonly dir: string;
      readonly command: string;
      readonly runIn: 'root' | 'dir';
      readonly build?: { readonly command: string; readonly in: 'root' | 'dir' };
    }
  | {
      readonly type: 'experiment';
      readonly home: string;
      readonly experiment: string;
      readonly source: string;
      readonly metric: MetricRequest;
    };

export type BisectEvent =
  | { readonly type: 'begin'; readonly id: string; readonly at: number; readonly plan: BisectPlan }
  | { readonly type: 'resume'; readonly at: number }
  /** What is compared, found out by the first run of the good commit. */
  | { readonly type: 'metric'; readonly metric: BisectMetric; readonly note?: string }
  | { readonly type: 'prepared'; readonly commit: string; readonly build?: number; readonly ms: number }
  | {
      readonly type: 'pair';
      /** A suspect, or the good commit itself in another build. */
      readonly commit: string;
      /** Which build of it, and which of the good commit on the other side; absent: the first. */
      readonly build?: number;
      readonly goodBuild?: number;
      /** Absent in journals of earlier versions. */
      readonly round?: number;
      readonly order: 'AB' | 'BA';
      /** Values of the good commit and of this one; seconds where the time of the command is compared. */
      readonly good: number;
      readonly value: number;
      /** What else the same runs were measured by. */
      readonly measures?: Readonly<Record<string, { readonly good: number; readonly value: number }>>;
      /** All that the pair took. */
      readonly ms: number;
    }
  | { readonly type: 'skip'; readonly commit: string; readonly reason: string }
  | { readonly type: 'end'; readonly at: number; readonly state: string };

/** The events of a journal. A line that a crash cut off is passed over: its pair is measured again. */
export function parseBisectJournal(text: string): readonly BisectEvent[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    try {
      const event = JSON.parse(line) as BisectEvent | null;
      return typeof event?.type === 'string' ? [event] : [];
    } catch {
      return [];
    }
  });
}
