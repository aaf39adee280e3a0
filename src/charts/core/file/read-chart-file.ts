import { NightmarkError } from '../../../platform/core/errors.ts';
import { nearestFirst } from '../../../platform/core/text/nearest.ts';
import type { ChartFile } from './chart-file.ts';

/** A chart file from its text; `origin` names it in messages. */
export function readChartFile(text: string, origin: string): ChartFile {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NightmarkError('CHART_NOT_JSON', `${origin} is not JSON: ${reason}.`, {
      hint: 'A chart file begins so: {"chart": "bar", "bars": [{"label": "a", "value": 1.5}]}',
      cause,
    });
  }
  return checkChartFile(content, origin);
}

/** Checked by hand: a library of schemas would take longer to load than the chart to draw. Schema: config/chart. */
export function checkChartFile(content: unknown, origin: string): ChartFile {
  try {
    const kind = (content as { readonly chart?: unknown } | null)?.chart;
    const check = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : ANY_KIND;
    check?.(content, '');
  } catch (error) {
    if (error instanceof FieldProblem) throw fieldError(error, origin);
    throw error;
  }
  return content as ChartFile;
}

/** "C3" or "#1f77b4". */
function isColor(value: unknown, path: string): void {
  if (typeof value !== 'string' || !/^(?:C\d|#[0-9a-fA-F]{6})$/.test(value)) {
    throw new FieldProblem(path, value, 'a colour: "C0" to "C9" or "#rrggbb"');
  }
}

function isTime(value: unknown, path: string): void {
  const isRight = typeof value === 'string' ? !Number.isNaN(parseTime(value)) : Number.isFinite(value);
  if (!isRight) throw new FieldProblem(path, value, 'a number or a time such as "2026-01-31T02:00"');
}

/** Milliseconds since 1970 of an ISO time; one that names no zone is taken as it stands, as on a chart it is read so. */
export function parseTime(text: string): number {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(
    text,
  );
  if (!parts) return Number.NaN;
  const [, day, clock = '00:00', zone = 'Z'] = parts;
  const time = clock.replace(/(\.\d{3})\d+$/, '$1');
  return Date.parse(`${day}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
}

/** Whether a text names its zone. */
export function hasZone(text: string): boolean {
  return /T.*(?:Z|[+-]\d\d:?\d\d)$/.test(text.replace(' ', 'T'));
}

const FRAME: Readonly<Record<string, Check>> = {
  $schema: isText,
  chart: oneOf('bar', 'grouped-bar', 'line'),
  title: isText,
  xTitle: isText,
  yTitle: isText,
  yScale: oneOf('linear', 'log'),
  xScale: oneOf('linear', 'log', 'time'),
  unit: isText,
  width: between(100, 8000),
  height: between(100, 8000),
  fontScale: between(0.2, 10),
  significantFigures: between(1, 17, true),
  valueLabels: isFlag,
  colors: listOf(isColor, 'a list of colours'),
};

const ANY_KIND = fieldsOf({ chart: oneOf('bar', 'grouped-bar', 'line') }, ['chart']);

const KINDS: Readonly<Record<string, Check>> = {
  bar: fieldsOf(
    {
      ...FRAME,
      bars: listOf(
        fieldsOf({ label: isText, value: isNumber, offset: isNumber }, ['label', 'value']),
        'a list of bars: {"label", "value"}',
      ),
    },
    ['bars'],
  ),
  'grouped-bar': fieldsOf(
    {
      ...FRAME,
      legendTitle: isText,
      groups: listOf(isText, 'a list of names'),
      series: listOf(
        fieldsOf(
          {
            label: isText,
            values: listOf(isNumberOrNull, 'a list of numbers, one for each group'),
            offsets: listOf(isNumberOrNull, 'a list of numbers'),
            labelOffsets: listOf(isNumberOrNull, 'a list of numbers'),
          },
          ['label', 'values'],
        ),
        'a list of series: {"label", "values"}',
      ),
    },
    ['groups', 'series'],
  ),
  line: fieldsOf(
    {
      ...FRAME,
      points: isFlag,
      series: listOf(
        fieldsOf(
          {
            label: isText,
            x: listOf(isTime, 'a list of numbers or times'),
            y: listOf(isNumberOrNull, 'a list of numbers'),
          },
          ['x', 'y'],
        ),
        'a list of series: {"x", "y"}',
      ),
    },
    ['series'],
  ),
};

/** Checks one value of a file; throws a FieldProblem. */
export type Check = (value: unknown, path: string) => void;

/** Refuses a value: file, field, value, and what was expected. */
class FieldProblem extends Error {
  readonly path: string;
  readonly value: unknown;
  readonly expected: string;
  constructor(path: string, value: unknown, expected: string) {
    super(`${path}: expected ${expected}`);
    this.path = path;
    this.value = value;
    this.expected = expected;
  }
}

/** The problem for people, with the file it is in. */
function fieldError({ path, value, expected }: FieldProblem, origin: string): NightmarkError {
  const field = path === '' ? 'the file' : path;
  const message =
    value === undefined
      ? `${origin}: ${field} is missing: expected ${expected}.`
      : `${origin}: ${field} is ${shown(value)}: expected ${expected}.`;
  return new NightmarkError('CHART_FIELD', message, {
    hint: 'docs/guide/charts.md has an example of each kind of chart; schema/chart.schema.json lists every field.',
  });
}

function isText(value: unknown, path: string): void {
  if (typeof value !== 'string') throw new FieldProblem(path, value, 'a text');
}

function isFlag(value: unknown, path: string): void {
  if (typeof value !== 'boolean') throw new FieldProblem(path, value, 'true or false');
}

function isNumber(value: unknown, path: string): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new FieldProblem(path, value, 'a number');
}

function isNumberOrNull(value: unknown, path: string): void {
  if (value !== null && (typeof value !== 'number' || !Number.isFinite(value))) {
    throw new FieldProblem(path, value, 'a number, or null for a gap');
  }
}

function between(low: number, high: number, isWhole = false): Check {
  return (value, path) => {
    const isRight =
      typeof value === 'number' && value >= low && value <= high && (!isWhole || Number.isInteger(value));
    if (!isRight)
      throw new FieldProblem(path, value, `a ${isWhole ? 'whole ' : ''}number from ${low} to ${high}`);
  };
}

function oneOf(...names: readonly string[]): Check {
  return (value, path) => {
    if (typeof value !== 'string' || !names.includes(value)) {
      throw new FieldProblem(path, value, `one of ${names.map((name) => `"${name}"`).join(', ')}`);
    }
  };
}

function listOf(check: Check, what: string): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw new FieldProblem(path, value, what);
    for (let index = 0; index < value.length; index++) check(value[index], `${path}[${index}]`);
  };
}

/** An object with these fields and no others; those that `needed` names must be there. */
function fieldsOf(fields: Readonly<Record<string, Check>>, needed: readonly string[]): Check {
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new FieldProblem(path, value, `an object with ${needed.join(', ')}`);
    }
    const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
    for (const [name, content] of Object.entries(value)) {
      if (!Object.hasOwn(fields, name))
        throw unknownField(inside(name), content, [name, Object.keys(fields)]);
      fields[name]?.(content, inside(name));
    }
    for (const name of needed) {
      if (!Object.hasOwn(value, name)) fields[name]?.(undefined, inside(name));
    }
  };
}

function unknownField(
  path: string,
  value: unknown,
  [name, known]: readonly [string, readonly string[]],
): FieldProblem {
  const [nearest = ''] = nearestFirst(name, known);
  return new FieldProblem(path, value, `no field of that name (did you mean "${nearest}"?)`);
}

/** Enough of a value to find it again. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
