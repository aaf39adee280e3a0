import { isJsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import type { Reading } from '../../../core/machine/telemetry.ts';

/** Readings in the output of "sensors -j"; undefined when that is not JSON. */
export function readSensorsJson(output: string): readonly Reading[] | undefined {
  const chips = parse(output);
  if (!isJsonObject(chips)) return undefined;
  return Object.entries(chips).flatMap(([group, features]) =>
    isJsonObject(features)
      ? Object.entries(features).flatMap(([label, feature]) => toReading(group, label, feature))
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

function toReading(group: string, label: string, feature: JsonValue): readonly Reading[] {
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
