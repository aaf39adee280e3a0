import type { Reading } from '../../../core/machine/telemetry.ts';
import { telemetryNumber } from '../../../core/machine/telemetry-value.ts';

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
    const reading = group === '' ? undefined : toReading(group, line);
    if (!reading) continue;
    // Two features of one name cannot be told apart: the first is the series.
    const key = `${group}\n${reading.label}`;
    if (!readings.has(key)) readings.set(key, reading);
  }
  return [...readings.values()];
}

/** `sensors` scales voltages and powers as it likes; a series has one unit. */
const PREFIXES: Readonly<Record<string, number>> = { u: 1e-6, m: 1e-3, k: 1e3, M: 1e6 };

function toReading(group: string, line: string): Reading | undefined {
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
