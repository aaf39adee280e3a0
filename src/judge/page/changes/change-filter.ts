import { seriesText } from '../../../home/core/changes/change.ts';
import {
  type FollowedChange,
  isOpen,
  isOpenMachineEvent,
  isOpenRegression,
  isOpenUnknown,
} from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';

/** What the reader wants to see, as the address has it. */
export interface ChangeChoice {
  readonly state: StateChoice;
  readonly direction?: string | undefined;
  /** An experiment, or the name of a KPI. */
  readonly group?: string | undefined;
  /** "machine": events of machines; "series": all but those. */
  readonly kind?: string | undefined;
  readonly text?: string | undefined;
}

export const STATE_CHOICES = [
  'open',
  'new',
  'confirmed',
  'expected',
  'fixed',
  'false',
  'withdrawn',
  'all',
] as const;
export type StateChoice = (typeof STATE_CHOICES)[number];

/** What is not among the states shows those that wait for somebody. */
export function stateChoice(text: string | undefined): StateChoice {
  return STATE_CHOICES.find((one) => one === text) ?? 'open';
}

type Facet = keyof ChangeChoice;

/** Whether a change is to be seen; one facet may be left out, to count what its other values would show. */
export function isChosen(change: FollowedChange, choice: ChangeChoice, without?: Facet): boolean {
  return (Object.keys(TESTS) as Facet[]).every((facet) => facet === without || TESTS[facet](change, choice));
}

/** How many changes each value of a facet would show, the other facets as they are. */
export function facetCounts(
  changes: readonly FollowedChange[],
  choice: ChangeChoice,
  facet: Exclude<Facet, 'text'>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const change of changes) {
    if (!isChosen(change, choice, facet)) continue;
    for (const value of VALUES[facet](change)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** The experiment or KPI under which a change is found. */
function groupOf({ series }: FollowedChange): string {
  if (series.kind === 'value') return series.experiment;
  return series.kind === 'kpi' ? series.name : series.machine;
}

const VALUES: Readonly<Record<Exclude<Facet, 'text'>, (change: FollowedChange) => readonly string[]>> = {
  state: (change) => STATE_CHOICES.filter((state) => hasState(change, state)),
  direction: ({ direction }) => [direction],
  group: (change) => [groupOf(change)],
  kind: (change) => [kindOf(change)],
};

const TESTS: Readonly<Record<Facet, (change: FollowedChange, choice: ChangeChoice) => boolean>> = {
  state: (change, { state }) => hasState(change, state),
  direction: (change, { direction }) => direction === undefined || change.direction === direction,
  group: (change, { group }) => group === undefined || groupOf(change) === group,
  kind: (change, { kind }) => kind === undefined || kindOf(change) === kind,
  text: (change, { text }) => text === undefined || hasWords(change, text),
};

function hasState(change: FollowedChange, wanted: StateChoice): boolean {
  if (wanted === 'all') return true;
  if (wanted === 'open') return isOpen(change);
  const isWithdrawn = change.withdrawnAt !== undefined;
  return wanted === 'withdrawn' ? isWithdrawn : !isWithdrawn && change.state === wanted;
}

function kindOf({ series }: FollowedChange): string {
  return series.kind === 'machine' ? 'machine' : 'series';
}

/** Every word somewhere: in the name, the id, the run, the note, or the commits. */
function hasWords(
  { id, series, runId, note = '', author = '', explanation = '', sources = [] }: FollowedChange,
  text: string,
) {
  const commits = sources.flatMap(({ source, after, commits }) => [
    ...[source, after],
    ...commits.flatMap((commit) => [commit.hash, commit.subject ?? '', commit.author ?? '']),
  ]);
  const all = [id, seriesText(series), runId, note, author, explanation, ...commits].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The answer: "2 open regressions, 1 improvement, 3 expected". */
export function changesHeadline(changes: readonly FollowedChange[]): string {
  const count = (test: (change: FollowedChange) => boolean) => changes.filter(test).length;
  const regressions = count(isOpenRegression);
  const isStanding = ({ withdrawnAt }: FollowedChange) => withdrawnAt === undefined;
  const parts: readonly (readonly [number, (many: number) => string])[] = [
    [count(isOpenMachineEvent), (many) => `${counted(many, 'open event')} of a machine`],
    [count(isOpenUnknown), (many) => `${counted(many, 'open change')} of unknown direction`],
    [count((one) => isOpen(one) && isImprovement(one)), (many) => counted(many, 'open improvement')],
    [count((one) => isStanding(one) && one.state === 'expected'), (many) => `${many} expected`],
    [count((one) => isStanding(one) && one.state === 'fixed'), (many) => `${many} fixed`],
  ];
  return [
    regressions === 0 ? 'No open regression' : counted(regressions, 'open regression'),
    ...parts.filter(([many]) => many > 0).map(([many, text]) => text(many)),
  ].join(', ');
}

function isImprovement({ direction, series }: FollowedChange): boolean {
  return direction === 'better' && series.kind !== 'machine';
}
