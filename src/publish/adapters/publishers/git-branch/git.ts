import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { type Ended, runProgram, withoutSecrets } from '../run-program.ts';

/** git on one bare repository of ours: never asks for anything, speaks English. */
export interface Git {
  run(args: readonly string[], input?: AsyncIterable<Uint8Array | string>): Promise<Ended>;
  /** stdout; a failure is an error for people. */
  must(args: readonly string[]): Promise<string>;
  failure(what: string, said: string): NightmarkError;
}

export function openGit(
  repository: string,
  { env, signal }: { readonly env: Readonly<Record<string, string>>; readonly signal: CancelSignal },
): Git {
  const quiet = quietEnvironment(env, repository);
  const install = 'Install git, or put it on the PATH.';
  const run: Git['run'] = (args, input) =>
    runProgram(['git', ...SETTINGS, ...args], {
      cwd: repository,
      env: quiet,
      signal,
      install,
      ...(input && { input }),
    });
  return {
    run,
    async must(args) {
      const { code, stdout, stderr } = await run(args);
      if (code !== 0) throw failure(args[0] ?? '', stderr);
      return stdout;
    },
    failure,
  };
}

const SETTINGS = [
  // An address may not start programs.
  ...['-c', 'protocol.ext.allow=never', '-c', 'protocol.fd.allow=never'],
  ...[
    '-c',
    'gc.autoDetach=false',
    '-c',
    'core.autocrlf=false',
    '-c',
    'http.lowSpeedLimit=1000',
    '-c',
    'http.lowSpeedTime=60',
  ],
];

/** Variables that a hook or a wrapper left would lead every command to another repository. */
const STATE =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CONFIG_PARAMETERS)$/;

function quietEnvironment(env: Readonly<Record<string, string>>, repository: string): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !STATE.test(name)));
  const hasOwnSsh = 'GIT_SSH_COMMAND' in env || 'GIT_SSH' in env;
  return {
    GIT_ASKPASS: '',
    ...kept,
    ...(hasOwnSsh
      ? {}
      : { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o ConnectTimeout=30 -o ServerAliveInterval=30' }),
    GIT_DIR: repository,
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

function failure(what: string, said: string): NightmarkError {
  return new NightmarkError('PUBLISH_FAILED', `git ${withoutSecrets(what)} failed: ${said}`, {
    hint: 'The earlier site is still in place. Look at the address, and whether git may write there without being asked for a password.',
  });
}
