import { percent } from '../../duet/core/verdict-sentence.ts';
import { measureText } from '../../executors/core/measures.ts';
import type { CommitRange, RangeCommit } from '../../git/core/commit-history.ts';
import { codeSpan, plainMarkdown } from '../../platform/core/text/markdown.ts';
import { counted, formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { RatioEffect } from '../../stats/verdict.ts';
import type { BisectOutcome } from '../app/bisect-commits.ts';
import type { BisectProgress, MeasuringText } from '../app/searcher.ts';
import { type BisectMetric, metricChange, metricText } from '../core/bisect-metric.ts';
import type { Likely, MeasureSummary } from '../core/conclusion.ts';
import { CPU } from '../core/evidence.ts';
import { commitLink } from './commit-link.ts';

type Outcome<State extends BisectOutcome['state']> = Extract<BisectOutcome, { readonly state: State }>;

/** The answer for people: the culprit first, then what it rests on. */
export function bisectText(outcome: BisectOutcome, range: CommitRange): string {
  return `${new Answer(outcome, range, { subject: visible, plain: visible }).lines().join('\n')}\n`;
}

/** The same for an issue or a pull request. */
export function bisectMarkdown(outcome: BisectOutcome, range: CommitRange): string {
  const answer = new Answer(outcome, range, { subject: codeSpan, plain: plainMarkdown });
  const [first = '', ...rest] = answer.lines();
  return `### ${first}\n\n${rest.map((line) => `- ${line.trim()}`).join('\n')}\n`;
}

/** One line of what goes on. */
export function progressLine(progress: BisectProgress, range: CommitRange): string | undefined {
  if (progress.type === 'comparing') return visible(progress.note ?? comparedText(progress.metric));
  const { version } = progress;
  const name = `${version.shortCommit} ${visible(version.subject).slice(0, 60)}`;
  switch (progress.type) {
    case 'skipped':
      return `${name}: skipped, ${visible(progress.reason.split('\n')[0] ?? '')}`;
    case 'building':
      return progress.build === 0 ? undefined : `${name}: built again, to see what a build alone changes`;
    case 'measuring':
      return `${name}: ${measuringText(progress.text, range)}`;
  }
}

function measuringText({ why, pairs, likeliest, remaining }: MeasuringText, { good }: CommitRange): string {
  if (likeliest === undefined || remaining === undefined || why === 'difference')
    return `${counted(pairs, 'pair')} against ${good.shortCommit}, to see whether they differ`;
  const left = `about ${counted(remaining.pairs, 'pair')} of ${counted(remaining.commits, 'commit')} left, ${plainly(formatDuration(remaining.ms))}`;
  const aim = why === 'check' ? ', to check the answer' : '';
  return `against ${good.shortCommit}${aim}; ${left}; the likeliest commit has ${probabilityText(likeliest)}`;
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

const MOST_NAMED = 10;

/** The lines of an answer. */
class Answer {
  readonly #outcome: BisectOutcome;
  readonly #range: CommitRange;
  readonly #style: TextStyle;

  constructor(outcome: BisectOutcome, range: CommitRange, style: TextStyle) {
    this.#outcome = outcome;
    this.#range = range;
    this.#style = style;
  }

  lines(): readonly string[] {
    const outcome = this.#outcome;
    return [
      ...this.#head(outcome),
      `  ratio ${intervalText(outcome.effect)}`,
      ...this.#likelihoods(outcome),
      ...this.#measures(outcome),
      ...outcome.between.map(
        ({ commit, ratio }) =>
          `  ${this.#commit(commit).shortCommit} lies at ${ratio.toFixed(3)}, like neither of the two: the certainty allows for it.`,
      ),
      ...outcome.skipped.slice(0, MOST_NAMED).map(({ commit, reason }) => {
        return `  skipped ${commit.shortCommit}: ${this.#style.plain(reason.split('\n')[0] ?? '')}`;
      }),
      `  ${costText(outcome)}.`,
    ];
  }

  #head(outcome: BisectOutcome): readonly string[] {
    switch (outcome.state) {
      case 'found':
        return this.#found(outcome);
      case 'several':
        return this.#several(outcome);
      case 'no-difference': {
        const same = `the same as ${this.#range.good.shortCommit} within ${percent(outcome.minEffect)}${this.#where()}`;
        return [
          `Nothing to find: ${this.#bad()} is ${same}, with a certainty of ${probabilityText(outcome.certainty)}.`,
        ];
      }
      case 'undecided':
        return this.#undecided(outcome);
    }
  }

  #found({ culprits, certainty, effect, skipped }: Outcome<'found'>): readonly string[] {
    const [first] = culprits;
    const sure = `with a certainty of ${probabilityText(certainty)}`;
    if (culprits.length === 1 && first) {
      const { shortCommit, subject } = this.#commit(first.commit);
      const head = `${shortCommit} ${this.#style.subject(subject)} made ${this.#change(effect)}, ${sure}.`;
      return [head, this.#named(first)];
    }
    const isSkipped = new Set(skipped.map(({ commit }) => commit.commit));
    const why = culprits.some(({ commit }) => isSkipped.has(this.#commit(commit).commit))
      ? 'those between them cannot be measured'
      : 'no further pair or build would tell them apart';
    return [
      `One of ${culprits.length} commits made ${this.#change(effect)}, ${sure}; ${why}.`,
      ...culprits.slice(0, MOST_NAMED).map((culprit) => this.#named(culprit, culprit.probability)),
    ];
  }

  #several({ likely, certainty, effect }: Outcome<'several'>): readonly string[] {
    const sure = `with a certainty of ${probabilityText(certainty)}`;
    if (likely.length === 0)
      return [
        `No single commit made ${this.#change(effect)}: the change is spread over many commits, ${sure}.`,
        '  None of them stands out. Levels on the way:',
        ...this.#levels(),
      ];
    return [
      `More than one commit made ${this.#change(effect)}, ${sure}.`,
      ...likely.map((it) => this.#named(it, it.probability)),
      ...this.#levels(),
    ];
  }

  #levels(): readonly string[] {
    return this.#outcome.levels
      .filter(({ commit }) => commit >= 0)
      .map(({ commit, ratio, pairs }) => {
        return `    ${this.#commit(commit).shortCommit} ${ratio.toFixed(3)} (${counted(pairs, 'pair')})`;
      });
  }

  #undecided(outcome: Outcome<'undecided'>): readonly string[] {
    const { why, effect, wantedPairs = 0, builds } = outcome;
    const { good } = this.#range;
    const spread = `builds that do the same work differ by about ${percent(round(builds.spread))}`;
    if (why === 'difference') {
      const what = `Cannot tell whether ${this.#bad()} differs from ${good.shortCommit}${this.#where()}`;
      if (builds.spread > outcome.minEffect / 3)
        return [`${what}: ${spread}.`, '  More pairs do not change that; more builds may: --builds.'];
      return [
        `${what}: the pairs scatter by ${percent(round(outcome.noise))}.`,
        `  About ${counted(wantedPairs, 'pair')} of the two would decide it: --pairs ${Math.ceil(wantedPairs / 8)}. A quieter machine needs fewer.`,
      ];
    }
    const what = `Cannot tell which commit made ${this.#change(effect)}`;
    return why === 'builds'
      ? [
          `${what}: ${spread}.`,
          `  ${builds.most} builds were allowed; more may decide it: --builds ${2 * builds.most}.`,
        ]
      : [`${what}: ${spread}, and neither more pairs nor further builds tell them apart.`];
  }

  #likelihoods(outcome: BisectOutcome): readonly string[] {
    const list =
      outcome.state === 'found' ? outcome.runnersUp : outcome.state === 'undecided' ? outcome.likely : [];
    const commits = list.map(
      (it) => `${this.#commit(it.commit).shortCommit} ${probabilityText(it.probability)}`,
    );
    const others = [
      ...(outcome.several >= LEAST_SHOWN ? [`several commits ${probabilityText(outcome.several)}`] : []),
      ...(outcome.none >= LEAST_SHOWN ? [`no commit ${probabilityText(outcome.none)}`] : []),
    ];
    if (outcome.state === 'found')
      return commits.length === 0 ? [] : [`  next: ${[...commits, ...others].join(', ')}`];
    return outcome.state === 'undecided' ? [`  likeliest: ${[...commits, ...others].join(', ')}`] : [];
  }

  #measures({ measure, measures }: BisectOutcome): readonly string[] {
    if (measures.length < 2) return [];
    const others = measures.filter((it) => it.measure !== measure).map((it) => this.#says(it));
    return [`  decided by the ${timeText(measure)}; ${others.join('; ')}`];
  }

  #says({ measure, says, likeliest, effect }: MeasureSummary): string {
    const what = `the ${timeText(measure)}`;
    if (says === 'agrees') return `${what} agrees`;
    if (says === 'disagrees')
      return `${what} disagrees: ratio ${intervalText(effect)}, ${this.#commit(likeliest.commit).shortCommit} ${probabilityText(likeliest.probability)}`;
    return `${what} alone cannot tell`;
  }

  #named({ commit }: Likely, probability?: number): string {
    const { author, date, subject, commit: hash } = this.#commit(commit);
    const title =
      probability === undefined ? '' : ` ${this.#style.subject(subject)}, ${probabilityText(probability)}`;
    const link = commitLink(this.#range.remote, hash);
    return `  ${hash}${title}, ${this.#style.plain(author)}, ${date.slice(0, 10)}${link ? `, ${link}` : ''}`;
  }

  /** "it 4.8 % slower (4.1 % to 5.6 %)" */
  #change({ ratio, low, high }: RatioEffect): string {
    const { metric, measure } = this.#outcome;
    const what =
      metric.type === 'wall'
        ? measure === CPU
          ? 'its CPU time'
          : 'it'
        : this.#style.plain(metricText(metric));
    const size = (value: number) => `${((value - 1) * 100).toFixed(Math.abs(value - 1) < 0.0995 ? 1 : 0)} %`;
    const [middle, from, to] = ratio >= 1 ? [ratio, low, high] : [2 - ratio, 2 - high, 2 - low];
    const [word, ...meaning] = metricChange(metric, ratio).split(', ');
    const direction = measure === CPU && metric.type === 'wall' ? (ratio >= 1 ? 'longer' : 'shorter') : word;
    return [`${what} ${size(middle)} ${direction} (${size(from)} to ${size(to)})`, ...meaning].join(', ');
  }

  #where(): string {
    const { metric } = this.#outcome;
    return metric.type === 'wall' ? '' : ` in ${this.#style.plain(metricText(metric))}`;
  }

  #bad(): string {
    return this.#range.commits.at(-1)?.shortCommit ?? '';
  }

  #commit(at: number): RangeCommit {
    return this.#range.commits[at] as RangeCommit; // answers name commits of the range
  }
}

const LEAST_SHOWN = 0.001;

function timeText(measure: string): string {
  return measureText(measure === CPU ? 'cpu' : 'wall');
}

function intervalText({ ratio, low, high, level }: RatioEffect): string {
  return `${ratio.toFixed(3)}, ${percent(level)} interval ${low.toFixed(3)} to ${high.toFixed(3)}`;
}

function costText({ pairs, measured, skipped, builds, ms }: BisectOutcome): string {
  const left = skipped.length === 0 ? '' : `, ${counted(skipped.length, 'commit')} skipped`;
  const made = `${counted(builds.made, 'build')} that differ by about ${percent(round(builds.spread))}`;
  return `${counted(pairs, 'pair')} of ${counted(measured, 'commit')}${left}, ${made}, ${plainly(formatDuration(ms))}`;
}

/** Never 100 %: nothing that is measured is certain. */
function probabilityText(probability: number): string {
  return probability > 0.9999 ? 'more than 99.99 %' : percent(round(probability));
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
