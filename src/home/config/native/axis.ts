import type { Definition } from '../../../platform/config/definition.ts';
import { dotted, problemAt } from '../../../platform/config/issues.ts';
import type { Problem } from '../../../platform/core/problem.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { pythonFloat } from '../../../platform/core/text/python-float.ts';
import type { Axis, AxisValue } from '../../core/matrix-definition.ts';

/** A value of a setting and where it stands. */
export interface SettingPlace {
  readonly definition: Definition;
  readonly path: readonly PropertyKey[];
}

/** A list is an axis of its values, anything else has one value. */
export function readAxis(key: string, value: JsonValue, place: SettingPlace): Axis {
  const values = Array.isArray(value)
    ? (value as readonly JsonValue[]).map((one, index) => axisValue(one, [...place.path, index], place))
    : [axisValue(value, place.path, place)];
  return { type: 'setting', key, values };
}

/** An axis without values makes no test at all, and nobody can have meant that. */
export function checkAxis(value: JsonValue, { definition, path }: SettingPlace): readonly Problem[] {
  if (!Array.isArray(value) || value.length > 0) return [];
  const hint = 'Give it values, or remove the key.';
  return [problemAt(definition, path, `${dotted(path)}: expected at least one value, found []`, { hint })];
}

/** 1.0 and 1 are one number but two texts, in names of folders as in settings.yaml. */
function axisValue(value: JsonValue, path: readonly PropertyKey[], { definition }: SettingPlace): AxisValue {
  if (typeof value !== 'number' || !Number.isInteger(value)) return { value };
  const source = definition.sourceOf?.(path) ?? '';
  return /^[-+\d.][\d_]*[.eE]/.test(source) ? { value, text: pythonFloat(value) } : { value };
}
