import type { Exit } from '../../executors/core/executor.ts';
import { joinPath } from '../../platform/core/path.ts';
import { shellWords } from '../../platform/core/text/shell.ts';
import type { DuetArtifact } from '../core/duet.ts';
import type { ResultsFolder } from './results-folder.ts';
import type { DuetRunEffects } from './run-effects.ts';
import { describeExit } from './run-job.ts';

interface ArtifactsRequest {
  readonly artifacts: readonly DuetArtifact[];
  readonly folder: ResultsFolder;
  warn(text: string): void;
  /** Called for each artifact that was gathered now. */
  gathered(artifact: DuetArtifact, exit: Exit): void;
}

/**
 * Keeps what commands of the host print, once for each folder: an artifact that is there stays as it is. When one
 * fails there is a warning, and what it printed is kept.
 */
export async function gatherArtifacts(request: ArtifactsRequest, effects: DuetRunEffects): Promise<void> {
  const { artifacts, folder, warn, gathered } = request;
  const { disk, signal } = effects;
  await disk.makeDir(folder.artifacts);
  for (const artifact of artifacts) {
    const target = joinPath(folder.artifacts, artifact.name);
    if (signal.aborted || (await disk.stat(target)) !== undefined) continue;
    const incoming = joinPath(folder.incoming, `artifact.${artifact.name}`);
    const exit = await runArtifact(artifact, incoming, { folder, effects });
    if (signal.aborted) continue;
    if ((await disk.stat(incoming)) === undefined) await disk.writeText(incoming, '');
    await disk.rename(incoming, target);
    if (exit.type !== 'code' || exit.code !== 0) {
      warn(`The artifact ${artifact.name} failed: "${artifact.command}" ${describeExit(exit)}.`);
    }
    gathered(artifact, exit);
  }
}

async function runArtifact(
  { name, command }: DuetArtifact,
  stdoutFile: string,
  { folder, effects }: { readonly folder: ResultsFolder; readonly effects: DuetRunEffects },
): Promise<Exit> {
  const { executor, env, cwd, signal } = effects;
  const split = shellWords(command);
  if (split.state === 'unclosed') return { type: 'not-started', reason: `it has an unclosed ${split.quote}` };
  const [program, ...args] = split.words;
  if (program === undefined) return { type: 'not-started', reason: 'the command is empty' };
  const logFile = folder.log(`artifact.${name}.log`);
  const { exit } = await executor
    .start({ argv: [program, ...args], cwd, env, logFile, stdoutFile }, signal)
    .wait();
  return exit;
}
