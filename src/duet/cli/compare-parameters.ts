import { NightmarkError } from '../../platform/core/errors.ts';
import { nearest } from '../../platform/core/text/nearest.ts';

/** A name with the values that {name} stands for. */
export interface Parameter {
  readonly name: string;
  readonly values: readonly string[];
}

export type Values = Readonly<Record<string, string>>;

/** Commander takes one word for an option; these take two or three. They are joined by a NUL, which no argument can hold. */
export const JOIN = '\0';
const WORDS: Readonly<Record<string, number>> = {
  '-L': 2,
  '--parameter-list': 2,
  '-P': 3,
  '--parameter-scan': 3,
};

export function joinParameterWords(argv: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') return [...joined, ...argv.slice(index)];
    const count = WORDS[word];
    joined.push(word);
    if (count === undefined) continue;
    joined.push(argv.slice(index + 1, index + 1 + count).join(JOIN));
    index += count;
  }
  return joined;
}

/** -L name a,b,c: a comma that belongs to a value is written \, as in hyperfine. */
export function parseList(text: string): Parameter {
  const [name = '', list] = text.split(JOIN);
  if (list === undefined) throw invalid('-L needs a name and values', '-L threads 1,2,4');
  const values = list.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','));
  return { name: checkName(name), values };
}

/** -P name min max, in steps of -D. */
export function parseScan(text: string, stepText: string | undefined): Parameter {
  const [name = '', minText, maxText] = text.split(JOIN);
  if (minText === undefined || maxText === undefined) {
    throw invalid('-P needs a name, a smallest and a largest value', '-P size 100 500 -D 100');
  }
  const [min, max, step] = [minText, maxText, stepText ?? '1'].map(Number) as [number, number, number];
  const count = Math.floor((max - min) / step + 1e-9) + 1;
  if (!Number.isFinite(min + max + step) || step <= 0 || max < min || count > 10_000) {
    throw invalid(
      `-P ${name} from "${minText}" to "${maxText}" in steps of "${stepText ?? '1'}" is not a range of numbers`,
      '-P size 100 500 -D 100',
    );
  }
  const decimals = Math.max(...[minText, stepText ?? '1'].map((it) => it.split('.')[1]?.length ?? 0));
  const values = Array.from({ length: count }, (_, index) => (min + index * step).toFixed(decimals));
  return { name: checkName(name), values };
}

/** Every combination of values, the last name changing fastest; one empty combination when there are no parameters. */
export function combinations(parameters: readonly Parameter[]): readonly Values[] {
  const names = parameters.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw invalid(`The parameter "${twice}" is given twice`, '-L threads 1,2 -L size 10,20');
  return parameters.reduce<readonly Values[]>(
    (all, { name, values }) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

/** "threads = 4, size = 100" */
export function parametersText(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}

/** Puts the values into a text; other braces stay. */
export function substitute(text: string, values: Values): string {
  return text.replaceAll(/\{([^{}\s]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** A parameter that is in no command is a mistake. */
export function requireUse(parameters: readonly Parameter[], texts: readonly string[]): void {
  const used = new Set(
    texts.flatMap((text) => [...text.matchAll(/\{([^{}\s]+)\}/g)].map(([, name = '']) => name)),
  );
  for (const { name } of parameters) {
    if (used.has(name)) continue;
    const meant = nearest(name, used);
    throw new NightmarkError('CLI_INVALID_OPTION', `The parameter "${name}" is in no command.`, {
      hint:
        meant === undefined
          ? `Write {${name}} where its value belongs: nightmark duet -L ${name} 1,2 "old {${name}}" "new {${name}}"`
          : `The commands have {${meant}}: did you mean -L ${meant}?`,
    });
  }
}

function checkName(name: string): string {
  if (/^[^{}\s,]+$/.test(name)) return name;
  throw invalid(`"${name}" is not a valid parameter name`, '-L threads 1,2,4');
}

function invalid(what: string, example: string): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', `${what}.`, { hint: `For example: ${example}` });
}
