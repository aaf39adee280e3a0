import type { Definition } from '../../../platform/config/definition.ts';
import { problemAt } from '../../../platform/config/definition-problems.ts';
import type { Problem } from '../../../platform/core/errors.ts';
import { isJsonObject } from '../../../platform/core/text/json.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';
import type { Definitions } from '../inspection.ts';
import { experimentSchema, subsystemSchema, topSchema } from './schema.ts';

/** Fields that scripts of the original read for themselves: no typing mistakes, however near to one of ours. */
const OF_SCRIPTS = new Set([
  'devices',
  'networks',
  'frameworks',
  'dry_run',
  'n_inputs',
  'n_times_per_input',
  'set_seed',
  'seed',
  'batch_sizes',
  'relay_methods',
  'relay_configs',
  'deadlines',
  'time_window',
  'score_confs',
  'our_name',
]);

/** Unknown fields are fine in this dialect; one that is nearly ours deserves a question. */
export function findTypos({ top, tasks }: Definitions): readonly Problem[] {
  return [
    ...typosIn(top, Object.keys(topSchema.shape)),
    ...tasks.flatMap(({ task, definition }) => {
      if (!definition) return [];
      const schema = task.kind === 'experiment' ? experimentSchema : subsystemSchema;
      return typosIn(definition, Object.keys(schema.shape));
    }),
  ];
}

function typosIn(definition: Definition, known: readonly string[]): readonly Problem[] {
  const fields = isJsonObject(definition.value) ? Object.keys(definition.value) : [];
  return fields.flatMap((field) => {
    if (known.includes(field) || OF_SCRIPTS.has(field)) return [];
    const close = nearest(field, known);
    if (close === undefined) return [];
    const hint = `Did you mean "${close}"? Nightmark does not look at this field.`;
    const message = `${JSON.stringify(field)} looks like a typing mistake`;
    return [{ ...problemAt(definition, [field], message, { hint, part: 'key' }), severity: 'warning' }];
  });
}
