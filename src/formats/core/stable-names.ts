import type { SampleSet, SeriesValue } from './sample.ts';

/** What belongs to one run alone, and must not be in names that are the same in every run. */
export interface RunTraces {
  /** Hashes of commits, by the name of their source. */
  readonly commits?: Readonly<Record<string, string>>;
  /** Folders of this run, and what stands for each. */
  readonly folders?: readonly { readonly path: string; readonly name: string }[];
}

/**
 * A name without checkouts, temporary folders and hashes of the run: the name of the source, "{tmp}" and "{source}" stand for
 * them. Only what surely is one of these is replaced, for two things must not get one name.
 */
export function stableName(name: string, { commits = {}, folders = [] }: RunTraces): string {
  if (!/[/\\]|[0-9a-f]{7}/.test(name)) return name;
  const byLength = [...folders].sort((a, b) => b.path.length - a.path.length);
  const own = byLength.reduce((text, { path, name: short }) => replacePath(text, path, short), name);
  return own
    .replace(CHECKOUT, '$1')
    .replace(TEMPORARY, '{tmp}')
    .replace(HASH, (hash) => {
      const source = Object.keys(commits).find((one) => isSameCommit(hash, commits[one] ?? ''));
      return source === undefined ? hash : `{${source}}`;
    });
}

/** HOME/.nightmark/cache/sources/NAME/COMMIT-KEY: see checkoutDir in src/git. */
const CHECKOUT = /[^\s'"`=,;:()]*\/cache\/sources\/([^/\s'"`]+)\/[0-9a-f]{40,64}-[0-9a-f]{8}(?![0-9a-z])/g;
/** As mktemp and Python's tempfile make them, and those of macOS. */
const TEMPORARY =
  /(?<![\w/.])(?:\/private)?(?:\/var)?\/tmp\/(?:tmp\.[A-Za-z0-9]{10}|tmp[a-z0-9_]{8})(?![\w.])|(?<![\w/.])(?:\/private)?\/var\/folders\/\w{2}\/\w+\/T(?=\/)/g;
const HASH = /(?<![0-9a-zA-Z])[0-9a-f]{7,64}(?![0-9a-zA-Z])/g;
const SHORTEST_HASH = 7;

/** One may be the beginning of the other. */
function isSameCommit(one: string, other: string): boolean {
  const hash = /^[0-9a-f]+/.exec(other)?.[0] ?? '';
  return hash.length >= SHORTEST_HASH && (hash.startsWith(one) || one.startsWith(hash));
}

/** Whole folders only: "/a/b" is not in "/a/bc". */
function replacePath(text: string, path: string, name: string): string {
  if (path === '' || path === '/') return text;
  let result = '';
  let rest = text;
  for (let at = rest.indexOf(path); at >= 0; at = rest.indexOf(path)) {
    const after = rest[at + path.length] ?? '';
    const isWhole = !/[\w.-]/.test(after) && !/[\w.-]/.test(rest[at - 1] ?? '');
    result += rest.slice(0, at) + (isWhole ? name : path);
    rest = rest.slice(at + path.length);
  }
  return result + rest;
}

/**
 * Samples under names that are the same in every run; those that were renamed know how the results call them. Of two
 * things that would have one name the second is "(2)".
 */
export function stableSamples(samples: readonly SampleSet[], traces: RunTraces): readonly SampleSet[] {
  const originals = new Map<string, string[]>();
  return samples.map((set) => {
    const benchmark = set.benchmark.map((name) => stableName(name, traces));
    const settings = Object.fromEntries(
      Object.entries(set.settings).map(([key, value]) => [
        key,
        typeof value === 'string' ? stableName(value, traces) : value,
      ]),
    );
    const original = originalOf(set);
    const same = originals.get(JSON.stringify([benchmark, settings])) ?? [];
    originals.set(JSON.stringify([benchmark, settings]), same);
    if (!same.includes(original)) same.push(original);
    if (isEqual(benchmark, set.benchmark) && isEqual(settings, set.settings)) return set;
    const number = same.indexOf(original) + 1;
    const named =
      number === 1 ? benchmark : [...benchmark.slice(0, -1), `${benchmark.at(-1) ?? ''} (${number})`];
    return { ...set, benchmark: named, settings, original: set.original ?? original };
  });
}

function originalOf({ benchmark, settings }: SampleSet): string {
  return [...benchmark, ...Object.entries(settings).map(([key, value]) => `${key}=${value}`)].join(' / ');
}

/** The same for numbers of a data file. */
export function stableValues(values: readonly SeriesValue[], traces: RunTraces): readonly SeriesValue[] {
  const taken = new Set<string>();
  const isRenamed = (value: SeriesValue) => value.path.some((name) => stableName(name, traces) !== name);
  // Who has such a name already keeps it.
  for (const value of values) if (!isRenamed(value)) taken.add(JSON.stringify(value.path));
  return values.map((value) => {
    if (!isRenamed(value)) return value;
    const path = value.path.map((name) => stableName(name, traces));
    const [last = '', ...outer] = path.toReversed();
    let free: readonly string[] = path;
    for (let number = 2; taken.has(JSON.stringify(free)); number++)
      free = [...outer.toReversed(), `${last} (${number})`];
    taken.add(JSON.stringify(free));
    return { ...value, path: free };
  });
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
