import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { homeLayout } from '../core/layout.ts';

/** The few words that an experiment says about its last night. */
export type Summary =
  | { readonly state: 'present'; readonly title: string; readonly text: string }
  | { readonly state: 'missing' }
  | { readonly state: 'unusable'; readonly reason: string };

const MAX_BYTES = 64 * 1024;

export async function readSummary(home: string, experiment: string, disk: Disk): Promise<Summary> {
  const dir = homeLayout(home).summary(experiment);
  let text: string | undefined;
  try {
    text = await disk.readText(joinPath(dir, 'summary.json'), { maxBytes: MAX_BYTES, within: dir });
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    return { state: 'unusable', reason: error.code };
  }
  if (text === undefined) return { state: 'missing' };
  const parsed = parse(text);
  if (!isJsonObject(parsed)) return { state: 'unusable', reason: 'it is no JSON object' };
  return { state: 'present', title: words(parsed['title']), text: words(parsed['value']) };
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The protocol does not check types: a number as a value is shown as one. */
function words(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
