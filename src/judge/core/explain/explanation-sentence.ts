import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import type { Cause, RankedCauses, SourceChange } from './explanation.ts';
import { changeText, listText, nameText, shortText } from './fact-text.ts';

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
