import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { parseIsoTime } from '../../../platform/core/text/parse-date.ts';
import { directionOf, toBase } from '../../../platform/core/units.ts';
import type { Format, FormatReading, RunReading } from '../../core/format.ts';
import { type AddValue, createReading, requireNumbers, type SetKey } from '../../core/reading-builder.ts';
import type { Better, SampleSet } from '../../core/sample.ts';
import { printedLines } from '../../core/text-lines.ts';
import { type GoResult, type GoRun, goRuns } from './go-lines.ts';

/** `go test -bench`, as text or with -json, and other text that benchstat reads: https://go.dev/design/14313-benchmark-format */
const goBench: Format = {
  id: 'go-bench',
  title: 'go test -bench (text or -json)',
  recognizes(head) {
    const text = unwrap(head).text;
    const results = text.match(RESULT_LINE)?.length ?? 0;
    return results > 1 || (results > 0 && AROUND_RESULTS.test(text)) || FAILED_LINE.test(text)
      ? 'sure'
      : 'no';
  },
  read(text) {
    const runs = readAll(text);
    const last = runs.at(-1) ?? { samples: [], failed: [], skipped: [] };
    const others = runs
      .slice(0, -1)
      .map(({ commit }) => `commit ${commit ?? '(none)'} is not the last one in it`);
    return { samples: last.samples, failed: last.failed, skipped: [...others, ...last.skipped] };
  },
  readRuns: readAll,
};

export default goBench;

const HINT =
  'Use what "go test -run \'^$\' -bench . -benchmem -count 10 ./..." prints, and check that -bench matches a benchmark.';
const RESULT_LINE = /^Benchmark(?![a-z])\S*[ \t]+\d+[ \t]+[-+.\d]\S*[ \t]+\S/gm;
const AROUND_RESULTS = /^(?:goos|goarch|pkg|cpu): |^(?:PASS|FAIL|ok)\b|^Unit \S+ \w+=/m;
const FAILED_LINE = /^--- FAIL: Benchmark|^FAIL\t\S+ \[(?:build|setup) failed\]/m;

function readAll(text: string): readonly RunReading[] {
  const { text: output, at, failed } = unwrap(text);
  const { runs, better } = goRuns(printedLines(output));
  const readings = runs.map((run) => ({
    ...readRun(run, better),
    ...run.facts,
    ...(at !== undefined && { at }),
  }));
  const [first, ...rest] = readings;
  const all = first ? [{ ...first, failed: [...failed, ...first.failed] }, ...rest] : [];
  requireNumbers(
    {
      samples: all.flatMap(({ samples }) => samples),
      failed: all.flatMap((one) => one.failed),
      skipped: all.flatMap(({ skipped }) => skipped),
    },
    HINT,
  );
  return all;
}

/** What -json wraps: the output by package, since packages run side by side and one line may come in two pieces. */
function unwrap(text: string): { text: string; at?: number; failed: readonly string[] } {
  if (!/^\uFEFF?\s*\{[^\n]*"Action":/.test(text)) return { text, failed: [] };
  const outputs = new Map<string, string>();
  const failed: string[] = [];
  let at: number | undefined;
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const event = parseLine(line);
    if (!isJsonObject(event)) {
      failed.push(`line ${index + 1} is not JSON`);
      continue;
    }
    const { Package: name = '', Output: output, Time: time } = event;
    if (typeof time === 'string') at ??= parseIsoTime(time);
    if (typeof output === 'string') outputs.set(String(name), (outputs.get(String(name)) ?? '') + output);
  }
  return { text: [...outputs.values()].join('\n'), failed, ...(at !== undefined && { at }) };
}

function parseLine(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    return undefined;
  }
}

function readRun({ results, failed, skipped }: GoRun, better: ReadonlyMap<string, Better>): FormatReading {
  const reading = createReading();
  const splitters = new Map<string, ReturnType<typeof procsSplitter>>();
  const adders = new Map<string, AddValue>();
  for (const { package: name, name: full, values } of results) {
    for (const [value, unit] of values) {
      const id = `${name} ${full} ${unit}`;
      let add = adders.get(id);
      if (!add) {
        const splitter = splitters.get(name) ?? procsSplitter(results.filter((one) => one.package === name));
        splitters.set(name, splitter);
        add = reading.set({ ...identityOf(name, splitter(full)), ...metricOf(unit, better.get(unit)) });
        adders.set(id, add);
      }
      add(value, () => `${full}: ${unit}`);
    }
  }
  const { samples, failed: unusable } = reading.finish();
  return { samples, failed: [...failed, ...unusable], skipped };
}

type Split = readonly [name: string, procs: number | undefined];

/**
 * GOMAXPROCS is a suffix -N, which go leaves out when it is 1. That of "SHA-256" is not one: it counts where all names of a
 * package have one, or where the same name, or another one with that suffix, is there without it.
 */
function procsSplitter(results: readonly GoResult[]): (name: string) => Split {
  const names = new Set(results.map(({ name }) => name));
  const parts = (name: string) => /^(.+)-(\d+)$/.exec(name);
  const isEverywhere = [...names].every(parts);
  const known = new Set(
    [...names].flatMap((name) => {
      const [, base = '', procs = ''] = parts(name) ?? [];
      return procs !== '' && (isEverywhere || names.has(base)) ? [procs] : [];
    }),
  );
  return (name) => {
    const [, base = name, procs = ''] = parts(name) ?? [];
    if (known.has(procs)) return [base, Number(procs)];
    return [name, known.size > 0 ? 1 : undefined];
  };
}

/** Parts k=v of a name are settings, the others are the path below the package. */
function identityOf(name: string, [full, procs]: Split): Pick<SampleSet, 'benchmark' | 'settings'> {
  const parts = full.split('/');
  const isSetting = (part: string, index: number) => index > 0 && /^[^=]+=/.test(part);
  const names = parts.filter((part, index) => part !== '' && !isSetting(part, index));
  const settings = parts
    .filter(isSetting)
    .map((part): [string, string] => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]);
  return {
    benchmark: [
      ...(name === '' ? [] : [name]),
      ...names.map((part, index) => (index === 0 ? bare(part) : part)),
    ],
    settings: { ...Object.fromEntries(settings), ...(procs !== undefined && { gomaxprocs: procs }) },
  };
}

function bare(name: string): string {
  return name.replace(/^Benchmark(?=.)/, '');
}

const METRICS = new Map<string, Omit<SetKey, 'benchmark'>>([
  ['ns/op', { metric: 'time', unit: 'ns', better: 'lower' }],
  ['sec/op', { metric: 'time', unit: 's', better: 'lower' }],
  ['B/op', { metric: 'memory', unit: 'B', better: 'lower' }],
  ['allocs/op', { metric: 'allocs', unit: 'allocs/op', better: 'lower' }],
  ['MB/s', { metric: 'throughput', unit: 'MB/s', better: 'higher' }],
  ['B/s', { metric: 'throughput', unit: 'B/s', better: 'higher' }],
]);

/** Units of the program itself name the metric; what is behind the last dash may be a unit: "p99-ns", "out-bytes". */
function metricOf(text: string, declared: Better | undefined): Omit<SetKey, 'benchmark'> {
  const known = METRICS.get(text);
  if (known) return { ...known, ...(declared && { better: declared }) };
  const tail = text.slice(text.lastIndexOf('-') + 1);
  const unit = tail.includes('/') || directionOf(toBase(tail).unit) !== 'unknown' ? tail : '';
  const guess = unit.endsWith('/op') ? 'lower' : unit.endsWith('/s') ? undefined : 'unknown';
  const better = declared ?? guess;
  return { metric: text, unit, ...(better && { better }) };
}
