import type { MatrixDefinition, MatrixExperiment } from '../../home/core/matrix-definition.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { nearest } from '../../platform/core/text/nearest.ts';

export interface Selection {
  readonly experiments: readonly MatrixExperiment[];
  /** The first name that no experiment has; nothing after it is selected. */
  readonly unknown?: string;
}

/** The experiments with these names, in that order; empty names and names that begin with "_" are disabled. */
export function selectExperiments({ experiments }: MatrixDefinition, names?: readonly string[]): Selection {
  const wanted = names ?? experiments.map(({ name }) => name);
  const selected = new Set<MatrixExperiment>();
  for (const name of wanted.map((one) => one.trim())) {
    if (name === '' || name.startsWith('_')) continue;
    const found = experiments.find((experiment) => experiment.name === name);
    if (!found) return { experiments: [...selected], unknown: name };
    selected.add(found);
  }
  return { experiments: [...selected] };
}

export function unknownExperiment(name: string, { file, experiments }: MatrixDefinition): NightmarkError {
  const names = experiments.map((experiment) => experiment.name);
  const close = nearest(name, names);
  return new NightmarkError('MATRIX_UNKNOWN_EXPERIMENT', `${file} has no experiment "${name}".`, {
    hint: close === undefined ? `It has: ${names.join(', ')}.` : `Did you mean "${close}"?`,
  });
}
