import type { MatrixEntry } from '../../formats/core/kpi/matrix-entry.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';

/**
 * An entry with the field names of the original's matrix file. `stats` and `processed_key` were always empty there, and
 * `import_settings` the settings as rewritten; `problems` is ours and only there when something was lost.
 */
export function entryJson(entry: MatrixEntry): JsonObject {
  const { settings, location, exitCode, gathered, problems } = entry;
  return {
    is_gathered: gathered !== undefined,
    settings,
    stats: {},
    location,
    results: gathered ? gathered.members.map(entryJson) : entry.results,
    exit_code: exitCode,
    processed_key: {},
    import_settings: settings,
    ...(gathered ? { gathered_keys: gathered.keys } : {}),
    ...(problems.length > 0 ? { problems } : {}),
  };
}
