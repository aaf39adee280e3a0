import { findProgram } from '../../../../platform/adapters/programs.ts';
import { isJsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import { telemetryNumber } from '../../../core/machine/telemetry-file.ts';
import type { Reading, TelemetrySource } from '../../../core/machine/telemetry-source.ts';
import { type Captured, capture } from '../run-program.ts';

export interface SensorsOptions {
  /** Name or path of the program. */
  readonly program: string;
  readonly searchPath: string;
  readonly timeoutMs: number;
}

/** Temperatures, fans and voltages by the program of lm-sensors. */
export function sensorsTelemetry(options: Partial<SensorsOptions> = {}): TelemetrySource {
  const { program = 'sensors', timeoutMs = 10_000, searchPath } = options;
  return {
    id: 'sensors',
    title: 'Temperatures, fans and voltages from sensors (lm-sensors)',
    switch: 'cpu',
    async open() {
      const path = findProgram(program, searchPath ?? process.env['PATH'] ?? '');
      if (path === undefined) return { state: 'missing', reason: 'not found' };
      const closing = new AbortController();
      const run = (...args: readonly string[]) =>
        capture([path, ...args], { timeoutMs, signal: closing.signal });
      return { state: 'open', sample: makeSample(run), close: () => closing.abort() };
    },
  };
}

/** Versions before 3.5 do not know -j: they are run again without it, and then always so. */
function makeSample(run: (...args: readonly string[]) => Promise<Captured>) {
  let knowsJson = true;
  return async (): Promise<readonly Reading[]> => {
    if (knowsJson) {
      const captured = await run('-j');
      const readings = read(captured.stdout);
      if (readings.length > 0) return readings;
      if (captured.code === 0) throw new Error(whyNothing(captured));
    }
    const captured = await run();
    const readings = read(captured.stdout);
    if (readings.length === 0) throw new Error(whyNothing(captured));
    knowsJson = false;
    return readings;
  };
}

function read(output: string): readonly Reading[] {
  return readSensorsJson(output) ?? readSensorsText(output);
}

function whyNothing({ code, stderr }: Captured): string {
  const [line = ''] = stderr.trim().split('\n');
  return line === '' ? `no reading in its output (exit code ${code})` : line.slice(0, 200);
}

export default sensorsTelemetry();

/** Readings in the output of "sensors -j"; undefined when that is not JSON. */
export function readSensorsJson(output: string): readonly Reading[] | undefined {
  const chips = parse(output);
  if (!isJsonObject(chips)) return undefined;
  return Object.entries(chips).flatMap(([group, features]) =>
    isJsonObject(features)
      ? Object.entries(features).flatMap(([label, feature]) => jsonReading(group, label, feature))
      : [],
  );
}

/** The unit of a feature by the first part of its subfeature's name: "temp1_input". */
const UNITS: Readonly<Record<string, string>> = {
  temp: '°C',
  fan: 'RPM',
  in: 'V',
  curr: 'A',
  power: 'W',
  energy: 'J',
  humidity: '%',
};

/** `sensors` itself leaves a comma before a brace, or prints nan, where a chip does not answer. */
function parse(output: string): JsonValue | undefined {
  const repaired = () => output.replace(/,(?=\s*[}\]])/g, '').replace(/:\s*-?(?:nan|inf)\b/gi, ': null');
  for (const text of [() => output, repaired]) {
    try {
      return JSON.parse(text()) as JsonValue;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

function jsonReading(group: string, label: string, feature: JsonValue): readonly Reading[] {
  if (!isJsonObject(feature)) return [];
  for (const suffix of ['input', 'average']) {
    for (const [name, value] of Object.entries(feature)) {
      const kind = new RegExp(`^([a-z]+)\\d*_${suffix}$`).exec(name)?.[1];
      if (kind !== undefined && typeof value === 'number') {
        return [{ group, label, value, unit: UNITS[kind] ?? '' }];
      }
    }
  }
  return [];
}

/**
 * Readings in the text form of `sensors`: a line without a space opens a chip, "label: value" lines follow.
 * The label is all before the colon ("Core 0"); without a colon it is the first word.
 */
export function readSensorsText(output: string): readonly Reading[] {
  const readings = new Map<string, Reading>();
  let group = '';
  for (const line of output.split('\n').map((text) => text.trim())) {
    if (line === '' || line.includes('N/A')) continue;
    if (!/[\s:]/.test(line)) {
      group = line;
      continue;
    }
    const reading = group === '' ? undefined : textReading(group, line);
    if (!reading) continue;
    // Two features of one name cannot be distinguished: the first is the series.
    const key = `${group}\n${reading.label}`;
    if (!readings.has(key)) readings.set(key, reading);
  }
  return [...readings.values()];
}

/** `sensors` scales voltages and powers as it likes; a series has one unit. */
const PREFIXES: Readonly<Record<string, number>> = { u: 1e-6, m: 1e-3, k: 1e3, M: 1e6 };

function textReading(group: string, line: string): Reading | undefined {
  const [, label, rest = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? /^([^\s:]+)\s+(.*)$/.exec(line) ?? [];
  if (label === undefined || label === 'Adapter') return undefined;
  const [first = '', second = ''] = rest.split(/\s+/);
  const number = telemetryNumber(first);
  if (!number || /^P\d/.test(first)) return undefined;
  const { unit, factor } = baseUnit(number.unit || (/^[°%A-Za-z]+$/.test(second) ? second : ''));
  return { group, label, value: factor === 1 ? number.value : round(number.value * factor), unit };
}

function baseUnit(unit: string): { readonly unit: string; readonly factor: number } {
  if (/^°?[CF]$/.test(unit)) return { unit: `°${unit.at(-1)}`, factor: 1 }; // no "°" in the C locale
  const [, prefix = '', base = ''] = /^([umkM])([VAWJ])$/.exec(unit) ?? [];
  return base === '' ? { unit, factor: 1 } : { unit: base, factor: PREFIXES[prefix] ?? 1 };
}

/** 856 * 0.001 is 0.856 and not 0.8560000000000001. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}
