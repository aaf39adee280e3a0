import type { Definition } from '../../../platform/config/definition.ts';
import { describeValue, problemAt } from '../../../platform/config/definition-problems.ts';
import type { Problem } from '../../../platform/core/errors.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { isTruthy } from '../../core/status.ts';
import { CORES, parseCores } from '../pinning.ts';
import { toSources } from '../sources.ts';
import type { CommonSettings, TaskPlace } from './read-task.ts';
import type { ExperimentInput } from './schema.ts';

/** What types alone cannot tell. */
export function whyRefused(
  { kind, name }: TaskPlace,
  input: ExperimentInput,
  { definition, common }: { readonly definition: Definition; readonly common: CommonSettings },
): readonly Problem[] {
  const problems: Problem[] = [];
  if (kind === 'subsystem') return problems;
  if (name === 'telemetry') {
    const hint = 'Give the experiment another name.';
    problems.push(
      problemAt(definition, [], 'the name "telemetry" is taken by the folder of raw telemetry', { hint }),
    );
  }
  if (wantsPinning(input) && parseCores(input.process_pinning?.cores) === undefined) {
    const cores = describeValue(input.process_pinning?.cores as JsonValue);
    const message = `process_pinning.cores: expected ${CORES}, found ${cores}`;
    problems.push(problemAt(definition, ['process_pinning', 'cores'], message));
  }
  const { tvm_remote: remote = 'origin', tvm_branch: branch = 'master' } = input;
  if (remote === 'origin' && branch !== 'master' && !common.context.env['TVM_HOME']) {
    const message = `tvm_branch is ${JSON.stringify(branch)}, but TVM_HOME is not set`;
    problems.push(
      problemAt(definition, ['tvm_branch'], message, { hint: 'Set TVM_HOME to a checkout of TVM.' }),
    );
  }
  for (const unknown of toSources(input.sources, common.sources, common.context).unknown) {
    const message = `sources: there is no source ${JSON.stringify(unknown)} in the top file`;
    problems.push(problemAt(definition, ['sources'], message));
  }
  return problems;
}

/** Both fields are needed, as in the original. */
export function wantsPinning({ process_pinning: pinning }: ExperimentInput): boolean {
  return (pinning?.enable ?? false) && isTruthy((pinning?.cores ?? null) as JsonValue);
}
