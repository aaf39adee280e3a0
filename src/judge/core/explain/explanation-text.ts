import { counted, formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type {
  Cause,
  ChangedFact,
  Explanation,
  FactGroup,
  FactValue,
  Fit,
  RankedCauses,
  SourceChange,
} from './explanation.ts';

const CAUTION = 'What changed together need not be the cause.';

/** For a terminal: the sentence, a table of what changed, the commits, and the rest. */
export function describeExplanation(explanation: Explanation): readonly string[] {
  const { sentence, causes, sources, notes } = explanation;
  const left = leftOutText(causes);
  return [
    sentence,
    ...(causes.length === 0 ? [] : ['', ...table(causeRows(causes))]),
    ...(left === undefined ? [] : [`  ${left}`]),
    ...sources.flatMap(sourceLines),
    '',
    ...restLines(explanation),
    ...notes.map(visible),
  ];
}

/** What did not change, what is unknown, and how far all of it can be believed. */
export function restLines({ causes, unchanged, unknown, points }: Explanation): readonly string[] {
  const seen = `${counted(unchanged, 'recorded fact')} did not change there`;
  const missing = unknown === 0 ? '' : `; ${counted(unknown, 'fact')} recorded on one side only`;
  return [
    plainly(`${seen}${missing}. Based on ${counted(points, 'point')}.`),
    ...(causes.length === 0 ? [] : [CAUTION]),
  ];
}

/** "d4e5f67  2026-01-05  Ada  Make it fast". */
export function commitDay(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '?' : date.toISOString().slice(0, 10);
}

/** How many commits are not in the list; 0 where all are. */
export function commitsLeftOut({ between }: SourceChange): number {
  if (between === undefined) return 0;
  return (between.added === 0 ? between.removed : between.added) - between.commits.length;
}

function sourceLines(source: SourceChange): readonly string[] {
  const { between } = source;
  if (between === undefined) return [];
  const rows = between.commits.map((commit) => [
    commit.hash.slice(0, 12),
    commitDay(commit.at),
    shortText(commit.author, 24),
    shortText(commit.subject),
  ]);
  const left = commitsLeftOut(source);
  return [
    '',
    `${sourceText(source)}:`,
    ...aligned(rows),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...(between.link === undefined ? [] : [`  ${visible(between.link)}`]),
  ];
}

function table(rows: readonly CauseRow[]): readonly string[] {
  const head = ['', 'what', 'before', 'after', 'fit'];
  return aligned([
    head,
    ...rows.map(({ rank, name, before, after, fit }) => [rank, name, before, after, fit]),
  ]);
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, [...(row[column] ?? '')].length), 0),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length));
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

/** The sentence on top. It says what goes together, never what is to blame. */
export function explanationSentence(ranked: RankedCauses, sources: readonly SourceChange[]): string {
  const others = ranked.causes.filter(({ facts: [{ group }] }) => group !== 'source');
  const [best] = others;
  if (best === undefined || best.fit === 'poor') return withoutCause(ranked, sources, others.length);
  const isOnly = others.length === 1;
  const isMoved = best.facts[0].group === 'telemetry';
  const besides = sources.length === 0 ? '' : ` besides ${besidesText(sources)}`;
  if (isOnly && !isMoved) return `Only difference${besides}: ${causeText(best)}.`;
  const rest = restText(others.slice(1));
  if (isMoved) {
    const head = sources.length === 0 ? '' : `${sourcesText(sources)}; `;
    return `${sentenceCase(head === '' ? causeText(best) : head + causeText(best))}, which moved with it${rest}.`;
  }
  return `Fits best${besides}: ${causeText(best)}${rest}.`;
}

/** "37 commits of garage between a1b2c3 and d4e5f6". */
export function sourceText({ name, before, after, between }: SourceChange): string {
  const [source, from, to] = [shortText(name), shortText(before, 16), shortText(after, 16)];
  if (between === undefined) return `${source} went from ${from} to ${to}`;
  const { added, removed } = between;
  if (added === 0) return `${source} went back by ${commits(removed)} from ${from} to ${to}`;
  const left = removed === 0 ? '' : ` (and ${removed} that went)`;
  return `${commits(added)} of ${source} between ${from} and ${to}${left}`;
}

function withoutCause(
  { causes, unchanged, unknown }: RankedCauses,
  sources: readonly SourceChange[],
  poor: number,
): string {
  if (causes.length + unchanged + unknown === 0)
    return 'Nothing is recorded beside the values that could explain it.';
  const other = sources.length === 0 ? '' : ' else';
  const head = sources.length === 0 ? '' : `${sourcesText(sources)}; `;
  const tail =
    poor === 0
      ? `nothing${other} that is recorded changed`
      : `nothing${other} that changed fits (${counted(poor, 'difference')}, also seen without any effect)`;
  return `${sentenceCase(head + plainly(tail))}.`;
}

function causeText(cause: Cause): string {
  const [first, ...more] = cause.facts.map((fact) => `${nameText(fact)} ${changeText(fact)}`);
  return more.length === 0 ? `${first}` : `${listText([`${first}`, ...more])}, which changed together`;
}

function restText(rest: readonly Cause[]): string {
  const fitting = rest.filter(({ fit }) => fit !== 'poor');
  const words = [
    ...(fitting.length > 0 ? [`${counted(fitting.length, 'further difference')} may fit`] : []),
    ...(rest.length > fitting.length
      ? [`${counted(rest.length - fitting.length, 'other difference')} came and went without effect`]
      : []),
  ];
  return words.length === 0 ? '' : `; ${plainly(words.join(', '))}`;
}

function sourcesText(sources: readonly SourceChange[]): string {
  return listText(sources.map(sourceText));
}

function besidesText(sources: readonly SourceChange[]): string {
  const [only] = sources;
  if (only === undefined || sources.length > 1)
    return `the commits of ${listText(sources.map(({ name }) => shortText(name)))}`;
  if (only.between === undefined || only.between.added + only.between.removed === 1) return 'the commit';
  return sourceText(only);
}

function commits(count: number): string {
  return plainly(counted(count, 'commit'));
}

function sentenceCase(text: string): string {
  return /^[a-z]+ that /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** One line of the table of causes, as text; control characters are visible. */
export interface CauseRow {
  /** Empty for a fact that changed together with the one above. */
  readonly rank: string;
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly fit: string;
}

/** More are rarely read; all are counted. */
const MOST_CAUSES = 20;

export function causeRows(causes: readonly Cause[]): readonly CauseRow[] {
  return causes.slice(0, MOST_CAUSES).flatMap((cause, rank) =>
    cause.facts.map((fact, index) => ({
      rank: index === 0 ? String(rank + 1) : '',
      name: nameText(fact),
      ...sidesText(fact),
      fit: index === 0 ? fitText(cause) : 'together with it',
    })),
  );
}

/** What the table leaves out; undefined where it has all. */
export function leftOutText(causes: readonly Cause[]): string | undefined {
  return causes.length > MOST_CAUSES ? `and ${causes.length - MOST_CAUSES} that fit less` : undefined;
}

function fitText({ fit, offset, elsewhere, facts: [{ group }] }: Cause): string {
  const words = [
    fitLabel(group, fit),
    ...(offset === 0 ? [] : [`${Math.abs(offset)} ${offset < 0 ? 'before' : 'after'}`]),
    ...(elsewhere.withEffect > 0 ? [`${elsewhere.withEffect} more with effect`] : []),
    ...(elsewhere.without > 0 ? [`${elsewhere.without} more without effect`] : []),
  ];
  return words.join(', ');
}

/** Other commits without effect say nothing about this one: they were other code. */
function fitLabel(group: FactGroup, fit: Fit): string {
  if (group === 'source' && fit === 'poor') return 'cannot tell';
  return group === 'telemetry' ? `moves with it, ${fit}` : fit;
}

/** Longer values are cut: a hash is recognised by its beginning. */
const MAX_LENGTH = 80;

/** Text by others as one line of bounded length, control characters visible. */
export function shortText(text: string, maxLength = MAX_LENGTH): string {
  const characters = [...text.slice(0, 2 * maxLength)];
  const isLong = characters.length > maxLength || text.length > 2 * maxLength;
  return visible(isLong ? `${characters.slice(0, maxLength - 1).join('')}…` : text);
}

/** Both values for people: what was measured in three digits, what was set as it is, and never the same text. */
export function sidesText(fact: ChangedFact): { readonly before: string; readonly after: string } {
  const { before, after } = fact;
  const [from, to] = [valueText(before, fact), valueText(after, fact)];
  if (from !== to) return { before: from, after: to };
  if (typeof before === 'string' && typeof after === 'string')
    return { before: differingPart(before, after), after: differingPart(after, before) };
  return { before: exactText(before), after: exactText(after) };
}

/** "6.1.0 -> 6.5.0". */
export function changeText(fact: ChangedFact): string {
  const { before, after } = sidesText(fact);
  return `${before} -> ${after}`;
}

export function nameText({ group, name }: ChangedFact): string {
  const text = shortText(name);
  return group === 'source' ? `commit of ${text}` : group === 'warning' ? `warning "${text}"` : text;
}

/** "a", "a and b", "a, b and 3 more". */
export function listText(words: readonly string[], most = 3): string {
  const shown = words.length > most ? [...words.slice(0, most), `${words.length - most} more`] : words;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function valueText(value: FactValue, { group, unit }: ChangedFact): string {
  const isMeasured = group === 'telemetry' || unit !== undefined;
  if (typeof value === 'number' && isMeasured) return plainly(formatNumber(value, shortText(unit ?? '', 20)));
  return value === '' ? '(empty)' : shortText(String(value));
}

/** Quotes distinguish a text from a number that looks alike. */
function exactText(value: FactValue): string {
  return shortText(JSON.stringify(value));
}

/** Texts that begin alike: a little of that, and what follows. */
function differingPart(text: string, other: string): string {
  let same = 0;
  while (same < text.length && text[same] === other[same]) same++;
  return shortText(`…${text.slice(Math.max(0, same - 10))}`);
}
