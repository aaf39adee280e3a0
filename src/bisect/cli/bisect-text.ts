import { percent } from '../../duet/core/verdict-sentence.ts';
import type { CommitRange, RangeCommit } from '../../git/core/commit-history.ts';
import { codeSpan, plainMarkdown } from '../../platform/core/text/markdown.ts';
import { counted, formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { RatioEffect } from '../../stats/verdict.ts';
import type { BisectOutcome, BisectProgress } from '../app/bisect-commits.ts';
import { type BisectMetric, metricChange, metricText, WALL_NAME } from '../core/bisect-metric.ts';

type Found = Extract<BisectOutcome, { state: 'found' }>;

/** The answer for people: the culprit first, then what it rests on. */
export function bisectText(outcome: BisectOutcome, range: CommitRange): string {
  return `${lines(outcome, range, { subject: visible, plain: visible }).join('\n')}\n`;
}

/** The same for an issue or a pull request. */
export function bisectMarkdown(outcome: BisectOutcome, range: CommitRange): string {
  const [first = '', ...rest] = lines(outcome, range, { subject: codeSpan, plain: plainMarkdown });
  return `### ${first}\n\n${rest.map((line) => `- ${line.trim()}`).join('\n')}\n`;
}

/** One line of what goes on. */
export function progressLine(progress: BisectProgress, range: CommitRange): string | undefined {
  if (progress.type === 'comparing') return visible(progress.note ?? comparedText(progress.metric));
  const { version } = progress;
  const name = `${version.shortCommit} ${visible(version.subject).slice(0, 60)}`;
  if (progress.type === 'preparing') return undefined;
  if (progress.type === 'skipped')
    return `${name}: skipped, ${visible(progress.reason.split('\n')[0] ?? '')}`;
  const { step, remaining } = progress;
  if (step.why === 'difference')
    return `${name}: ${counted(step.pairs, 'pair')} against ${range.good.shortCommit}, to see whether they differ`;
  const left = remaining
    ? `; about ${counted(remaining.pairs, 'pair')} of ${counted(remaining.commits, 'commit')} left, ${plainly(formatDuration(remaining.ms))}`
    : '';
  const best = Math.max(...(step.posterior?.probabilities ?? [0]));
  return `${name}: against ${range.good.shortCommit}${left}; the likeliest commit has ${probabilityText(best)}`;
}

function comparedText(metric: BisectMetric): string {
  if (metric.type === 'wall') return 'Compared: the time of the command.';
  const { unit, better } = metric;
  const more = [...(unit === '' ? [] : [unit]), ...(better === 'unknown' ? [] : [`${better} is better`])];
  return `Compared: ${metricText(metric)}${more.length > 0 ? ` (${more.join(', ')})` : ''}.`;
}

interface TextStyle {
  subject(text: string): string;
  plain(text: string): string;
}

function lines(outcome: BisectOutcome, range: CommitRange, style: TextStyle): readonly string[] {
  const cost = `  ${costText(outcome)}.`;
  if (outcome.state === 'found') return [...foundLines(outcome, range, style), cost];
  const bad = range.commits.at(-1)?.shortCommit ?? '';
  const effect = outcome.state === 'no-difference' ? outcome.judgement.effect : undefined;
  const { metric } = outcome;
  const where = metric.type === 'wall' ? '' : ` in ${style.plain(metricText(metric))}`;
  const isSame = outcome.state === 'no-difference' && outcome.judgement.verdict === 'same';
  return [
    isSame
      ? `Nothing to find: ${bad} is the same as ${range.good.shortCommit} within ${percent(outcome.judgement.minEffect)}${where}.`
      : `Nothing to find: no clear difference between ${range.good.shortCommit} and ${bad}${where}.`,
    ...(effect ? [`  ratio ${intervalText(effect)}`] : []),
    cost,
  ];
}

function foundLines(found: Found, range: CommitRange, style: TextStyle): readonly string[] {
  const { culprits, certainty, effect, runnersUp, between, skipped, metric } = found;
  const commit = (at: number) => range.commits[at] as RangeCommit; // answers name commits of the range
  const [first] = culprits;
  const what = metric.type === 'wall' ? 'it' : style.plain(metricText(metric));
  const change = `${what} ${changeText(effect, metric)}`;
  const head =
    culprits.length === 1 && first
      ? `${commit(first.commit).shortCommit} ${style.subject(commit(first.commit).subject)} made ${change}, with a certainty of ${probabilityText(certainty)}.`
      : `One of ${culprits.length} commits made ${change}, with a certainty of ${probabilityText(certainty)}; those between them cannot be measured.`;
  const named = culprits.slice(0, MOST_NAMED).map(({ commit: at, probability }) => {
    const { author, date, subject, commit: hash } = commit(at);
    const title = culprits.length === 1 ? '' : ` ${style.subject(subject)}, ${probabilityText(probability)}`;
    const link = commitLink(range.remote, hash);
    return `  ${hash}${title}, ${style.plain(author)}, ${date.slice(0, 10)}${link ? `, ${link}` : ''}`;
  });
  const next = runnersUp.map((it) => `${commit(it.commit).shortCommit} ${probabilityText(it.probability)}`);
  return [
    head,
    ...named,
    `  ratio ${intervalText(effect)}`,
    ...(next.length > 0 ? [`  next: ${next.join(', ')}`] : []),
    ...between.map(
      (it) =>
        `  ${commit(it.commit).shortCommit} lies at ${it.ratio.toFixed(3)}, like neither of the two: perhaps more than one commit did it.`,
    ),
    ...skipped.slice(0, MOST_NAMED).map((it) => {
      return `  skipped ${it.commit.shortCommit}: ${style.plain(it.reason.split('\n')[0] ?? '')}`;
    }),
  ];
}

const MOST_NAMED = 10;

function changeText({ ratio, low, high }: RatioEffect, metric: BisectMetric): string {
  const size = (value: number) => `${((value - 1) * 100).toFixed(Math.abs(value - 1) < 0.0995 ? 1 : 0)} %`;
  const [middle, from, to] = ratio >= 1 ? [ratio, low, high] : [2 - ratio, 2 - high, 2 - low];
  const [word, ...meaning] = metricChange(metric, ratio).split(', ');
  return [`${size(middle)} ${word} (${size(from)} to ${size(to)})`, ...meaning].join(', ');
}

function intervalText({ ratio, low, high, level }: RatioEffect): string {
  return `${ratio.toFixed(3)}, ${percent(level)} interval ${low.toFixed(3)} to ${high.toFixed(3)}`;
}

function costText({ pairs, measured, skipped, ms }: BisectOutcome): string {
  const left = skipped.length === 0 ? '' : `, ${counted(skipped.length, 'commit')} skipped`;
  return `${counted(pairs, 'pair')} of ${counted(measured, 'commit')}${left}, ${plainly(formatDuration(ms))}`;
}

/** Never 100 %: nothing that is measured is certain. */
function probabilityText(probability: number): string {
  return probability > 0.9999 ? 'more than 99.99 %' : percent(Number(probability.toPrecision(3)));
}

/** The answer for programs. */
export function bisectJson(outcome: BisectOutcome, range: CommitRange, id: string) {
  const { pairs, measured, ms } = outcome;
  const commitOf = ({ commit, author, date, subject }: RangeCommit) => {
    const link = commitLink(range.remote, commit);
    return { commit, author, date, subject, ...(link && { link }) };
  };
  const likely = (list: readonly { readonly commit: number; readonly probability: number }[]) =>
    list.map(({ commit, probability }) => {
      return { ...commitOf(range.commits[commit] as RangeCommit), probability }; // answers name commits of the range
    });
  return {
    id,
    state: outcome.state,
    good: range.good.commit,
    bad: range.commits.at(-1)?.commit,
    suspects: range.commits.length,
    metric: metricJson(outcome.metric),
    ...(outcome.state === 'found' && {
      culprits: likely(outcome.culprits),
      certainty: outcome.certainty,
      effect: outcome.effect,
      runnersUp: likely(outcome.runnersUp),
      between: outcome.between.map(({ commit, ratio }) => ({ commit: range.commits[commit]?.commit, ratio })),
    }),
    ...(outcome.state === 'no-difference' && { judgement: outcome.judgement }),
    pairs,
    measured,
    seconds: ms / 1000,
    skipped: outcome.skipped.map(({ commit, reason }) => ({ commit: commit.commit, reason })),
  };
}

function metricJson(metric: BisectMetric) {
  if (metric.type === 'wall') return { name: WALL_NAME, unit: 's', better: 'lower' };
  return { name: metricText(metric), unit: metric.unit, better: metric.better };
}

/** The page of a commit where the remote is one of the usual forges; undefined for a path or an unknown form. */
export function commitLink(remote: string | undefined, commit: string): string | undefined {
  const [, host, path] =
    /^(?:https?:\/\/|ssh:\/\/|git:\/\/)(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(
      remote ?? '',
    ) ??
    /^(?:[\w.-]+@)([\w.-]+):(?!\/)(.+?)(?:\.git)?\/?$/.exec(remote ?? '') ??
    [];
  if (host === undefined || path === undefined || !/^[\w./~-]+$/.test(path)) return undefined;
  if (host.includes('gitlab')) return `https://${host}/${path}/-/commit/${commit}`;
  if (host.includes('bitbucket')) return `https://${host}/${path}/commits/${commit}`;
  return `https://${host}/${path}/commit/${commit}`;
}
