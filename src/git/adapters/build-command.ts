import { existsSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Executor } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { SourceRequest } from '../core/source-control.ts';
import type { PairBuild, Side, Version } from '../core/version-pairs.ts';
import { withoutGitState } from './git-command.ts';
import { type CommandResult, openShell, type Shell } from './shell.ts';

/** Runs the build command in the checkout. */
export async function buildCheckout(
  shell: Shell,
  dir: string,
  { source, env }: SourceRequest,
): Promise<void> {
  if (source.build === undefined || source.build.trim() === '') return;
  const { isOk, lastLines } = await runBuild(shell, source.build, { cwd: dir, root: dir, env });
  if (isOk) return;
  throw new NightmarkError(
    'SOURCE_BUILD_FAILED',
    `The source ${source.name} could not be built:\n${lastLines}`,
    {
      hint: `The folder is kept for inspection: ${dir}. The next run builds it again from a fresh checkout.`,
    },
  );
}

export interface SideBuild {
  readonly side: Side;
  readonly version: Version;
  readonly build: PairBuild;
  /** Root of the version, and the folder in it to build in. */
  readonly dir: string;
  readonly cwd: string;
  readonly logFile: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the build command; its output is kept in the log. */
export async function buildSide(
  executor: Executor,
  { side, version, build, dir, cwd, logFile, env }: SideBuild,
  signal: CancelSignal,
): Promise<void> {
  if (!existsSync(cwd)) throw noFolder(side, version, cwd.slice(dir.length + 1));
  rmSync(logFile, { force: true });
  const shell = openShell({ executor, logFile, signal });
  const { isOk, lastLines } = await runBuild(shell, build.command, { cwd, root: dir, env });
  if (isOk) return;
  throw new NightmarkError(
    'DUET_BUILD_FAILED',
    `${sideName(side, version)} could not be built by ${JSON.stringify(build.command)}:\n${lastLines}`,
    { hint: `The whole output: ${logFile}\nThe folder is kept for inspection: ${cwd}` },
  );
}

export function noFolder(side: Side, version: Version, folder: string): NightmarkError {
  return new NightmarkError('DUET_NO_FOLDER', `${sideName(side, version)} has no folder ${folder}.`, {
    hint: 'Run it from a folder that both versions have.',
  });
}

function sideName(side: Side, { shortCommit, isChanged }: Version): string {
  const what = isChanged ? `the working tree on ${shortCommit}` : shortCommit;
  return side === 'A' ? `A (the baseline, ${what})` : `B (${what})`;
}

interface BuildPlace {
  readonly cwd: string;
  /** Root of the checkout. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

function runBuild(shell: Shell, command: string, { cwd, root, env }: BuildPlace): Promise<CommandResult> {
  const program = hasBash(env['PATH'] ?? '') ? 'bash' : 'sh';
  return shell.run([program, '-c', command], {
    cwd,
    env: { ...withoutGitState(env), NIGHTMARK_SOURCE_DIR: root },
  });
}

function hasBash(path: string): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, 'bash')));
}
