import type { Disk } from '../core/disk.ts';
import { NightmarkError } from '../core/errors.ts';
import { LARGEST_BYTES, type Parsed, parseJsonDefinition, parseYamlDefinition } from './definition.ts';

/** Reads and parses a file; a file that cannot be read is a problem like any other, a missing one is undefined. */
export async function readDefinition(file: string, disk: Disk): Promise<Parsed | undefined> {
  try {
    const language = file.endsWith('.json') ? 'json' : 'yaml';
    const text = await disk.readText(file, { maxBytes: LARGEST_BYTES[language] });
    if (text === undefined) return undefined;
    return language === 'json' ? parseJsonDefinition(file, text) : parseYamlDefinition(file, text);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    return { state: 'broken', problems: [{ severity: 'error', file, message: error.message, ...hint }] };
  }
}
