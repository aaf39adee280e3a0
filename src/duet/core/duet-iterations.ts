import type { Iterations } from '../../formats/core/format.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { DuetOrder, DuetRunType } from './duet.ts';

/** One run of one benchmark: both sides, or what there is of them. */
export interface DuetIterations {
  /** Where it ran: the label under which runs are compared (host name, or the folder). Never dropped when unknown. */
  readonly environment: string;
  readonly suite: string;
  readonly benchmark: string;
  readonly type: DuetRunType;
  readonly runid: number;
  readonly order: DuetOrder | 'None';
  /** Origin of `starts` and `ends`: nanoseconds since 1970. */
  readonly originNs: bigint;
  readonly A?: Iterations;
  readonly B?: Iterations;
  /** CPU seconds of each side's whole command, start and warm-up included; where `duet run` measured them. */
  readonly cpu?: Readonly<Partial<Record<Side, number>>>;
}

/** Runs that are judged together, in the order in which they came. */
export type RunGroup = readonly [DuetIterations, ...DuetIterations[]];

/** One group for each place, suite, benchmark and way of running; every run is in exactly one. */
export function groupRuns(runs: readonly DuetIterations[]): readonly RunGroup[] {
  const groups = new Map<string, [DuetIterations, ...DuetIterations[]]>();
  for (const run of runs) {
    const key = groupKey(run);
    const group = groups.get(key);
    if (group) group.push(run);
    else groups.set(key, [run]);
  }
  return [...groups.values()];
}

/** The same text for runs of one group only, whatever characters their names have. */
export function groupKey({ environment, suite, benchmark, type }: GroupNames): string {
  return JSON.stringify([environment, suite, benchmark, type]);
}

type GroupNames = Pick<DuetIterations, 'environment' | 'suite' | 'benchmark' | 'type'>;

/** Names that the original gives to the machines it was made on, by the beginning of the host name. */
const LABELS: readonly (readonly [prefix: string, label: string])[] = [
  ['cirrus', 'bare-metal'],
  ['teaching', 'shared-vm'],
  ['ip-', 'AWS t3.medium'],
];

/** The runs with the original's labels. It drops every row of any other machine; here such a machine keeps its name. */
export function labelEnvironments(runs: readonly DuetIterations[]): readonly DuetIterations[] {
  return runs.map((run) => ({ ...run, environment: labelOf(run.environment) }));
}

function labelOf(hostName: string): string {
  return LABELS.find(([prefix]) => hostName.startsWith(prefix))?.[1] ?? hostName;
}
