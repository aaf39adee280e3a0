import type { Definition } from '../../../platform/config/definition.ts';
import { dotted, problemAt } from '../../../platform/config/issues.ts';
import type { Problem } from '../../../platform/core/problem.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { MatrixExperiment } from '../../core/matrix-definition.ts';
import { pointsProblem } from '../../core/sweep/plan-points.ts';
import { readExperiment } from './native-experiment.ts';
import type { Input } from './read-native-task.ts';

interface MatrixPlace {
  readonly name: string;
  /** The experiment as it is written. */
  readonly value: JsonObject;
  readonly definition: Definition;
  readonly path: readonly string[];
}

/** The matrix of an experiment of a home, in the words of matrix files. Undefined where it has none. */
export function readMatrixBlock(
  { matrix: input, run }: Input,
  { name, value, definition, path }: MatrixPlace,
): { readonly matrix?: MatrixExperiment; readonly problems: readonly Problem[] } {
  // An experiment without a command was told so already.
  if (input === undefined || run === undefined) return { problems: [] };
  const block = { name, input: { matrix: input, run }, raw: value, path };
  const { experiment: matrix, problems } = readExperiment(block, definition);
  if (problems.length > 0) return { problems };
  const why = pointsProblem(matrix, run);
  if (why === undefined) return { matrix, problems };
  const at = [...path, 'matrix'];
  return { problems: [problemAt(definition, at, `${dotted(at)} ${why}`, { part: 'key' })] };
}
