import { NightmarkError } from '../../../platform/core/errors.ts';
import type { ChartFile } from './chart-file.ts';
import {
  between,
  type Check,
  FieldProblem,
  fieldError,
  fieldsOf,
  isFlag,
  isNumber,
  isNumberOrNull,
  isText,
  listOf,
  oneOf,
} from './fields.ts';

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
const isColor: Check = (value, path) => {
  if (typeof value !== 'string' || !/^(?:C\d|#[0-9a-fA-F]{6})$/.test(value)) {
    throw new FieldProblem(path, value, 'a colour: "C0" to "C9" or "#rrggbb"');
  }
};

const isMoment: Check = (value, path) => {
  const isRight = typeof value === 'string' ? !Number.isNaN(momentOf(value)) : Number.isFinite(value);
  if (!isRight) throw new FieldProblem(path, value, 'a number or a time such as "2026-01-31T02:00"');
};

/** Milliseconds since 1970 of an ISO time; one that names no zone is taken as it stands, as on a chart it is read so. */
export function momentOf(text: string): number {
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
            x: listOf(isMoment, 'a list of numbers or times'),
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
