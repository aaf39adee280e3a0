import type { DuetIterations } from './duet-iterations.ts';

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
