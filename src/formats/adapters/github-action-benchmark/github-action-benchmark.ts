import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import type { CommitFacts } from '../../core/commit-facts.ts';
import type { Format, FormatReading, RunReading } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';

/** `data.js` of https://github.com/benchmark-action/github-action-benchmark: the whole history of a repository. */
const githubActionBenchmark: Format = {
  id: 'github-action-benchmark',
  title: 'github-action-benchmark (data.js)',
  recognizes: [
    /^\uFEFF?\s*(?:window\.BENCHMARK_DATA\s*=\s*)?\{/,
    /^\uFEFF?\s*window\.BENCHMARK_DATA|"lastUpdate"\s*:/,
    /^\uFEFF?\s*window\.BENCHMARK_DATA|"entries"\s*:\s*\{/,
  ],
  read: (text) => newestOf(runsOf(text)),
  readRuns: runsOf,
};

const HINT =
  'Give the data.js of the action, or its content as JSON: {"lastUpdate": ..., "entries": {SUITE: [...]}}.';

function runsOf(text: string): readonly RunReading[] {
  const root = parseResultJson(
    text.replace(/^\uFEFF?\s*window\.BENCHMARK_DATA\s*=\s*/, '').replace(/;\s*$/, ''),
    HINT,
  );
  const suites = isJsonObject(root) ? root['entries'] : undefined;
  const repository = isJsonObject(root) ? repositoryOf(root) : undefined;
  const runs = isJsonObject(suites)
    ? Object.entries(suites).flatMap(([suite, entries]) =>
        (Array.isArray(entries) ? (entries as readonly JsonValue[]) : []).map((entry, index) =>
          readEntry(entry, { suite, place: `${suite}, entry ${index + 1}`, repository }),
        ),
      )
    : [];
  if (runs.length > 0) return runs;
  throw new NightmarkError('IMPORT_SHAPE', 'There is no suite with at least one entry in "entries".', {
    hint: HINT,
  });
}

/** As results of one run: the last entry of each suite. */
function newestOf(runs: readonly RunReading[]): FormatReading {
  const newest = new Map(runs.map((run) => [run.suite ?? '', run]));
  const isOne = newest.size === 1;
  const kept = [...newest.values()];
  const older = runs.length - kept.length;
  return {
    samples: kept.flatMap(({ samples, suite = '' }) =>
      samples.map((set) => (isOne ? set : { ...set, benchmark: [suite, ...set.benchmark] })),
    ),
    failed: kept.flatMap(({ failed }) => failed),
    skipped:
      older === 0
        ? []
        : [`${counted(older, 'older entry', 'older entries')}: "nightmark import" reads them all`],
  };
}

interface EntryPlace {
  readonly suite: string;
  readonly place: string;
  readonly repository: string | undefined;
}

function readEntry(entry: JsonValue, { suite, place, repository }: EntryPlace): RunReading {
  const reading = createReading();
  const fields = isJsonObject(entry) ? entry : {};
  const benches = fields['benches'];
  if (!Array.isArray(benches)) reading.failed.push(`${place} has no list "benches"`);
  const better = HIGHER.has(String(fields['tool'])) ? 'higher' : 'lower';
  for (const [index, bench] of (Array.isArray(benches) ? (benches as readonly JsonValue[]) : []).entries())
    readBench(bench, { better, where: `${place}, bench ${index + 1}`, reading });
  const commit = isJsonObject(fields['commit']) ? fields['commit'] : {};
  const { id, timestamp } = commit as Record<string, unknown>;
  const at = timeOf(fields['date']) ?? timeOf(timestamp);
  return {
    ...reading.finish(),
    suite,
    ...(at !== undefined && { at }),
    ...(typeof id === 'string' && id !== '' && { commit: id, commitFacts: factsOf(commit) }),
    ...(repository !== undefined && { repository }),
  };
}

const MOST_TEXT = 300;

/** Author, first line and page of the commit. */
function factsOf(commit: JsonObject): CommitFacts {
  const { message, url, timestamp } = commit as Record<string, unknown>;
  const who = isJsonObject(commit['author']) ? commit['author'] : {};
  const author = [who['name'], who['username']].find((name) => typeof name === 'string' && name !== '');
  const at = timeOf(timestamp);
  return {
    ...(typeof message === 'string' && { subject: (message.split('\n', 1)[0] ?? '').slice(0, MOST_TEXT) }),
    ...(typeof author === 'string' && { author: author.slice(0, MOST_TEXT) }),
    ...(at !== undefined && { at }),
    ...(typeof url === 'string' && /^https?:\/\//i.test(url) && { link: url }),
  };
}

/** Tools whose numbers are rates; the others give times and sizes. */
const HIGHER = new Set(['benchmarkjs', 'pytest', 'customBiggerIsBetter']);

interface BenchPlace {
  readonly better: 'lower' | 'higher';
  readonly where: string;
  readonly reading: ReadingBuilder;
}

function readBench(bench: JsonValue, { better, where, reading }: BenchPlace): void {
  const fields: JsonObject = isJsonObject(bench) ? bench : {};
  const { name, unit } = fields as Record<string, unknown>;
  const value = numberOf(fields['value']);
  if (typeof name !== 'string' || name === '') reading.failed.push(`${where} has no "name"`);
  else if (value === undefined) reading.failed.push(`${where} (${name}): its value is not a number`);
  else
    reading.set({ benchmark: [name], metric: 'value', unit: typeof unit === 'string' ? unit : '', better })(
      value,
      () => name,
    );
}

/** Some tools write numbers as text. */
function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*-?[\d.]+(?:e[+-]?\d+)?\s*$/i.test(value)
    ? Number(value)
    : undefined;
}

function timeOf(value: unknown): number | undefined {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) && at > 0 ? at : undefined;
}

function repositoryOf(root: JsonObject): string | undefined {
  const url = root['repoUrl'];
  const name = typeof url === 'string' ? /([^/]+?)(?:\.git)?\/*$/.exec(url)?.[1] : undefined;
  return name === '' ? undefined : name;
}

export default githubActionBenchmark;
