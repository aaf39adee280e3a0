import type { Format, FormatReading, RunReading } from '../../core/format.ts';
import { createReading, type ReadingBuilder, requireNumbers } from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';
import { printedLines } from '../../core/text-lines.ts';

/** `stress-ng --metrics --yaml FILE`, or what --metrics and --metrics-brief print: https://github.com/ColinIanKing/stress-ng */
const stressNg: Format = {
  id: 'stress-ng',
  title: 'stress-ng (--yaml, --metrics or --metrics-brief)',
  recognizes: (head) =>
    isYaml(head) || (PRINTED.test(head) && /\] stressor\s+bogo ops\s/.test(head)) ? 'sure' : 'no',
  read: (text) => (isYaml(text) ? readYaml(text) : readPrinted(text)),
  readRuns: (text) => [isYaml(text) ? { ...readYaml(text), ...factsOf(fieldsOf(text)) } : readPrinted(text)],
};

export default stressNg;

const HINT = 'Run stress-ng with --metrics, and use the file of --yaml, or what it prints with 2>&1.';
const PRINTED = /^stress-ng: \w+:\s+\[\d+\] /m;

function isYaml(text: string): boolean {
  return /^system-info:/m.test(text) && /^[ \t]+stress-ng-version:/m.test(text);
}

/** Plain "key: value" lines. A YAML reader would take the times in it for numbers of base 60. */
function fieldsOf(text: string): readonly (readonly [key: string, value: string])[] {
  return printedLines(text).flatMap((line) => {
    const [, key, value = ''] = /^\s+(?:- )?([\w-]+): (.*)$/.exec(line) ?? [];
    return key === undefined ? [] : [[key, value.trim().replace(/^'(.*)'$/, '$1')] as const];
  });
}

function factsOf(fields: ReturnType<typeof fieldsOf>): Pick<RunReading, 'at' | 'machine'> {
  const { 'epoch-secs': seconds = '', hostname = '', cpus } = Object.fromEntries(fields);
  return {
    ...(/^\d{1,12}$/.test(seconds) && { at: Number(seconds) * 1000 }),
    ...(hostname !== '' && {
      machine: { name: hostname, facts: /^\d+$/.test(cpus ?? '') ? { cpus: Number(cpus) } : {} },
    }),
  };
}

function readYaml(text: string): FormatReading {
  const reading = createReading();
  const fields = fieldsOf(text);
  const version = fields.find(([key]) => key === 'stress-ng-version')?.[1];
  // What a bogo operation is may change with the version.
  const settings = version === undefined ? {} : { 'stress-ng': version };
  let stressor: string | undefined;
  for (const [key, value] of fields) {
    if (key === 'stressor') stressor = value;
    else if (stressor !== undefined) add({ stressor, settings, key, value }, reading);
  }
  return requireNumbers(reading.finish(), HINT);
}

/** Columns of the table, as the keys of the file; --metrics-brief has the first seven. */
const COLUMNS = [
  'stressor',
  'bogo-ops',
  'wall-clock-time',
  'user-time',
  'system-time',
  'bogo-ops-per-second-real-time',
  'bogo-ops-per-second-usr-sys-time',
  'cpu-usage-per-instance',
  'max-rss',
];

function readPrinted(text: string): FormatReading {
  const reading = createReading();
  for (const line of printedLines(text)) {
    const [, kind = '', message = ''] = /^stress-ng: (\w+):\s+\[\d+\] (.*)$/.exec(line) ?? [];
    if (kind === 'fail' || kind === 'error' || /^unsuccessful run/.test(message))
      reading.failed.push(message.trim());
    if (kind !== 'metrc' && kind !== 'info') continue;
    const cells = message.trim().split(/\s+/);
    const [stressor = ''] = cells;
    const [, other, name = ''] = /^\S+\s+(\d[\d.]*) ([A-Za-z].*?)(?: \(.*)?$/.exec(message) ?? [];
    if (
      cells.length >= 7 &&
      cells.length <= COLUMNS.length &&
      cells.slice(1).every((cell) => /^\d[\d.]*$/.test(cell))
    )
      for (const [index, value] of cells.entries())
        add({ stressor, settings: {}, key: COLUMNS[index] ?? '', value }, reading);
    else if (kind === 'metrc' && other !== undefined)
      add({ stressor, settings: {}, key: name.replaceAll(' ', '-'), value: other }, reading);
  }
  return requireNumbers(reading.finish(), HINT);
}

interface Field {
  readonly stressor: string;
  readonly settings: SampleSet['settings'];
  readonly key: string;
  readonly value: string;
}

const METRICS = new Map([
  ['bogo-ops-per-second-real-time', { metric: 'bogo-ops', unit: '1/s', better: 'higher' as const }],
  [
    'bogo-ops-per-second-usr-sys-time',
    { metric: 'bogo-ops.cpu-time', unit: '1/s', better: 'higher' as const },
  ],
  ['max-rss', { metric: 'max-rss', unit: 'KiB', better: 'lower' as const }],
]);
/** How much was done and for how long is as asked for; the rates say how quick it was. */
const GIVEN = new Set([
  'stressor',
  'bogo-ops',
  'wall-clock-time',
  'user-time',
  'system-time',
  'cpu-usage-per-instance',
]);

function add({ stressor, settings, key, value }: Field, reading: ReadingBuilder): void {
  if (GIVEN.has(key)) return;
  const where = () => `${stressor}: ${key}`;
  if (!/^\d/.test(value)) reading.failed.push(`${where()} is ${JSON.stringify(value)}, not a number`);
  else
    reading.set({ benchmark: [stressor], settings, ...(METRICS.get(key) ?? ownMetric(key)) })(
      Number(value),
      where,
    );
}

/** Metrics of one stressor have their unit in words. */
function ownMetric(key: string): { metric: string; unit: string; better?: 'unknown' } {
  const [, size] = /^([KMG]B)-per-sec/.exec(key) ?? [];
  if (size !== undefined) return { metric: key, unit: `${size}/s` };
  return /-per-sec(?:ond)?$/.test(key)
    ? { metric: key, unit: '1/s' }
    : { metric: key, unit: '', better: 'unknown' };
}
