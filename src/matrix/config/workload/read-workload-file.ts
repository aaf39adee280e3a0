import { LARGEST_BYTES, parseYamlDefinition } from '../../../platform/config/definition.ts';
import { toError } from '../../../platform/config/definition-problems.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../../platform/core/errors.ts';
import type { WorkloadDefinition } from '../../core/workload/definition.ts';
import { readWorkload } from './read-workload.ts';

/** A workload file that can be used, perhaps with warnings. */
export interface WorkloadFile {
  readonly workload: WorkloadDefinition;
  readonly problems: readonly Problem[];
}

export async function readWorkloadFile(
  file: string,
  { disk }: { readonly disk: Disk },
): Promise<WorkloadFile> {
  const text = await disk.readText(file, { maxBytes: LARGEST_BYTES.yaml });
  if (text !== undefined) return parseWorkloadFile(file, text);
  throw new NightmarkError('WORKLOAD_NO_FILE', `There is no workload ${file}.`, {
    hint: 'nightmark matrix init DIR -o FILE drafts one from an example result.',
  });
}

/** Understands the text of a workload file, or throws one error that names every problem with its place. */
export function parseWorkloadFile(file: string, text: string): WorkloadFile {
  const parsed = parseYamlDefinition(file, text);
  if (parsed.state === 'broken') throw toError('CONFIG_SYNTAX', parsed.problems);
  const { workload, problems } = readWorkload(parsed.definition);
  if (workload === undefined) throw toError('CONFIG_INVALID', inOrder(problems));
  return { workload, problems: inOrder(problems) };
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
