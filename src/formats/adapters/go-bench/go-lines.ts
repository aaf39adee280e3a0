import { parseIsoTime } from '../../../platform/core/text/parse-date.ts';
import type { RunReading } from '../../core/format.ts';
import type { Better } from '../../core/sample.ts';

/** One result line: a benchmark with its values and their units, as printed. */
export interface GoResult {
  readonly package: string;
  readonly name: string;
  readonly values: readonly (readonly [value: number, unit: string])[];
}

/** What belongs to one commit, or all where no line names a commit. */
export interface GoRun {
  readonly facts: Pick<RunReading, 'commit' | 'commitFacts' | 'branch'>;
  readonly results: GoResult[];
  readonly failed: string[];
  readonly skipped: string[];
}

const CONFIG_LINE = /^(pkg|commit|commit-time|branch):\s*(\S*)/;
const UNIT_LINE = /^Unit\s+(\S+)\s.*\bbetter=(higher|lower)\b/;
/** Lines of a stack that may stand between a panic and the benchmark it was in. */
const STACK_LINES = 60;

/** Reads the lines of one or several `go test -bench`; directions are those of "Unit" lines. */
export function goRuns(lines: readonly string[]): {
  runs: readonly GoRun[];
  better: ReadonlyMap<string, Better>;
} {
  const config = new Map<string, string>();
  const better = new Map<string, Better>();
  const runs: GoRun[] = [];
  const failedPackages = new Set<string>();
  let commit: string | undefined;
  /** A name whose numbers were not on its line: the benchmark printed something itself. */
  let open: string | undefined;

  const current = () => {
    const last = runs.at(-1);
    if (last && commit === config.get('commit')) return last;
    commit = config.get('commit');
    const run: GoRun = { facts: factsOf(config), results: [], failed: [], skipped: [] };
    runs.push(run);
    return run;
  };
  const fail = (sentence: string) => {
    failedPackages.add(config.get('pkg') ?? '');
    current().failed.push(sentence);
  };
  const close = () => {
    if (open !== undefined) fail(`${open} has no result`);
    open = undefined;
  };
  const add = (name: string, values: GoResult['values']) => {
    open = undefined;
    current().results.push({ package: config.get('pkg') ?? '', name, values });
  };

  for (const [index, line] of lines.entries()) {
    const fields = line.trim().split(/\s+/);
    const [first = ''] = fields;
    if (/^Benchmark(?![a-z])/.test(line)) {
      const values = valuesIn(fields.slice(1));
      // With -v a name is alone on its line, before that of its result.
      const isAlone = line === first;
      if (!isAlone) close();
      if (values) add(first, values);
      else if (!isAlone) open = first;
      continue;
    }
    const late = open === undefined ? undefined : valuesIn(fields);
    if (open !== undefined && late) {
      add(open, late);
      continue;
    }
    const [, key, value = ''] = CONFIG_LINE.exec(line) ?? [];
    if (key !== undefined) {
      close();
      if (key === 'commit') config.delete('commit-time');
      if (value === '') config.delete(key);
      else config.set(key, value);
      continue;
    }
    const [, unit, direction] = UNIT_LINE.exec(line) ?? [];
    if (unit !== undefined) better.set(unit, direction as Better); // one of both words
    const [, verdict, name] = /^\s*--- (FAIL|SKIP): (Benchmark\S*)/.exec(line) ?? [];
    if (verdict !== undefined) {
      const reason = [lines[index + 1], lines[index - 1]].find((near) =>
        /^\s+\S+\.go:\d+: /.test(near ?? ''),
      );
      const why = reason?.trim() ?? 'no reason is printed';
      if (verdict === 'SKIP') current().skipped.push(`${name} was skipped: ${why}`);
      else fail(`${name} failed: ${why}`);
    }
    if (/^(?:panic|fatal error): /.test(line)) {
      const stack = lines.slice(index + 1, index + STACK_LINES).join('\n');
      fail(`${open ?? /\.(Benchmark\w+)/.exec(stack)?.[1] ?? config.get('pkg') ?? 'the package'}: ${line}`);
      open = undefined;
    }
    if (/^(?:PASS|FAIL|ok)(?:\s|$)/.test(line)) close();
    if (first === 'FAIL' && line.startsWith('FAIL')) failPackage(fields.slice(1));
  }
  close();
  return { runs, better };

  /** Only where no sentence says why it failed. A last line "FAIL" alone is of all packages. */
  function failPackage([name, ...why]: readonly string[]): void {
    const isKnown = name === undefined ? failedPackages.size > 0 : failedPackages.has(name);
    if (isKnown) return;
    const reason = why
      .join(' ')
      .replace(/^\[(.*)\]$/, ': $1')
      .replace(/^(?=\d)/, ' after ');
    current().failed.push(name === undefined ? 'go test ended with FAIL' : `${name} failed${reason}`);
    failedPackages.add(name ?? '');
  }
}

function factsOf(config: ReadonlyMap<string, string>): GoRun['facts'] {
  const [commit, branch] = [config.get('commit'), config.get('branch')];
  const at = parseIsoTime(config.get('commit-time') ?? '');
  return {
    ...(commit !== undefined && { commit }),
    ...(commit !== undefined && at !== undefined && { commitFacts: { at } }),
    ...(branch !== undefined && { branch }),
  };
}

const NUMBER = /^[-+]?(?:\d[\d.]*|\.\d+)(?:e[-+]?\d+)?$|^(?:NaN|[-+]?Inf)$/i;

/** The count of iterations and pairs of value and unit; undefined for any other line. */
function valuesIn(fields: readonly string[]): GoResult['values'] | undefined {
  const [count = '', ...rest] = fields;
  if (!/^\d+$/.test(count) || rest.length < 2 || rest.length % 2 !== 0) return undefined;
  const values: [number, string][] = [];
  for (let index = 0; index < rest.length; index += 2) {
    const [value = '', unit = ''] = rest.slice(index, index + 2);
    if (!NUMBER.test(value)) return undefined;
    values.push([Number(value.replace(/inf$/i, 'Infinity')), unit]);
  }
  return values;
}
