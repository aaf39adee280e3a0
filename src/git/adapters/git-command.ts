import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEVER_CANCELLED } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { type CommandResult, openShell, type Shell, type ShellOptions } from './shell.ts';

/** The git command line. It never prompts, prints English, and may not start programs named by a URL. */
export interface Git {
  readonly shell: Shell;
  run(cwd: string, args: readonly string[]): Promise<CommandResult>;
  /** As run, with stdout in the result. */
  capture(cwd: string, args: readonly string[]): Promise<CommandResult>;
  /** stdout of a command, without the last newline; undefined when the command failed. */
  query(cwd: string, args: readonly string[]): Promise<string | undefined>;
  /** The same with variables of git's own: another index, another place for objects. */
  with(variables: Environment): Git;
}

export interface GitOptions extends ShellOptions {
  readonly env: Readonly<Record<string, string>>;
  /** The repository is on this machine, so its submodules may be as well. */
  readonly allowLocalSubmodules?: boolean;
}

export async function openGit(options: GitOptions): Promise<Git> {
  const shell = openShell(options);
  const clean = withoutGitState(options.env);
  const config = configArguments(options.allowLocalSubmodules ?? false);
  const run = async (cwd: string, args: readonly string[], env: Environment, capture: boolean) => {
    const ran = await shell.run(['git', ...config, ...args], { cwd, env, capture, timeoutMs: TIMEOUT_MS });
    if (ran.exit.type === 'not-started') throw gitMissing(ran.lastLines);
    return ran;
  };

  const ssh = await run('/', ['config', '--get', 'core.sshCommand'], clean, true);
  const make = (env: Environment): Git => ({
    shell,
    run: (cwd, args) => run(cwd, args, env, false),
    capture: (cwd, args) => run(cwd, args, env, true),
    async query(cwd, args) {
      const ran = await run(cwd, args, env, true);
      return ran.isOk ? ran.stdout.replace(/\n$/, '') : undefined;
    },
    with: (variables) => make({ ...env, ...variables }),
  });
  return make(quietEnvironment(clean, ssh.stdout.trim()));
}

/** For commands whose log is not needed afterwards: it is in a temporary folder. */
export async function withTemporaryGit<T>(
  options: Pick<GitOptions, 'executor'> & Partial<Pick<GitOptions, 'env' | 'signal'>>,
  work: (git: Git, scratch: string) => Promise<T>,
): Promise<T> {
  const { executor, env = processEnvironment(), signal = NEVER_CANCELLED } = options;
  const scratch = mkdtempSync(join(tmpdir(), 'nightmark-git-'));
  try {
    return await work(await openGit({ executor, logFile: join(scratch, 'log'), env, signal }), scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export function processEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Removes variables that a hook or a wrapper set: they would direct git to another repository. */
export function withoutGitState(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !STATE.has(name)));
}

type Environment = Readonly<Record<string, string>>;

/** A clone of the largest public repositories takes less; a stalled connection is noticed much earlier. */
const TIMEOUT_MS = 4 * 3600 * 1000;

const STATE = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_CONFIG_PARAMETERS',
]);

function configArguments(allowLocalSubmodules: boolean): readonly string[] {
  const settings = [
    'protocol.ext.allow=never',
    'protocol.fd.allow=never',
    // Slower than 1 kB/s for a minute is a stalled connection.
    'http.lowSpeedLimit=1000',
    'http.lowSpeedTime=60',
    // Background maintenance would be killed with its command.
    'gc.autoDetach=false',
    'maintenance.autoDetach=false',
    'advice.detachedHead=false',
    // Only where the source itself is local: a foreign repository must not reach into this machine (CVE-2022-39253).
    ...(allowLocalSubmodules ? ['protocol.file.allow=always'] : []),
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}

function quietEnvironment(env: Environment, configuredSsh: string): Environment {
  const ssh = configuredSsh || 'ssh -o BatchMode=yes -o ConnectTimeout=30 -o ServerAliveInterval=30';
  const hasOwnSsh = 'GIT_SSH_COMMAND' in env || 'GIT_SSH' in env;
  return {
    GIT_ASKPASS: '',
    ...env,
    ...(hasOwnSsh ? {} : { GIT_SSH_COMMAND: ssh }),
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    SSH_ASKPASS_REQUIRE: 'never',
    LC_ALL: 'C',
  };
}

function gitMissing(reason: string): NightmarkError {
  return new NightmarkError('SOURCE_GIT_MISSING', `git could not be started (${reason}).`, {
    hint: 'Install git, or put it on the PATH.',
  });
}
