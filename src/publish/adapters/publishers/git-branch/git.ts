import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { PutFile } from '../../../core/site/publisher.ts';
import { type Ended, runProgram, withoutSecrets } from '../run-program.ts';

/** git on one bare repository of ours: never prompts, and prints English. */
export interface Git {
  run(args: readonly string[], input?: AsyncIterable<Uint8Array | string>): Promise<Ended>;
  /** stdout; a failure is an error for people. */
  must(args: readonly string[]): Promise<string>;
  failure(what: string, stderr: string): NightmarkError;
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

function failure(what: string, stderr: string): NightmarkError {
  return new NightmarkError('PUBLISH_FAILED', `git ${withoutSecrets(what)} failed: ${stderr}`, {
    hint: 'The earlier site is still in place. Check the address, and that git can write there without a password prompt.',
  });
}

/** Writes blobs, and one commit of them, by one process: a site has thousands of files. */
export interface TreeWriter {
  add(file: PutFile): Promise<void>;
  commit(tree: TreeCommit): Promise<void>;
  /** Ends the process; only unreferenced objects are left in the repository. */
  end(): Promise<void>;
}

export interface TreeCommit {
  readonly ref: string;
  /** Commit whose files are kept where they are neither added nor removed. */
  readonly base: string | undefined;
  readonly removed: readonly string[];
  readonly at: number;
}

/** https://git-scm.com/docs/git-fast-import */
export function writeTree(git: Git): TreeWriter {
  const channel = new Channel();
  const ended = git.run(['fast-import', '--quiet', '--force', '--done'], channel);
  // The failure is reported at the next write or at the end.
  ended.catch(() => undefined).then(() => channel.close());
  const marks = new Map<string, number>();
  return {
    async add(file) {
      marks.set(file.path, marks.size + 1);
      await channel.send(`blob\nmark :${marks.size}\ndata ${file.size}\n`);
      for await (const piece of file.bytes()) await channel.send(piece);
      await channel.send('\n');
    },
    async commit({ ref, base, removed, at }) {
      const message = 'Publish the site\n';
      const seconds = Math.floor(at / 1000);
      await channel.send(`commit ${ref}\ncommitter Nightmark <nightmark@localhost> ${seconds} +0000\n`);
      await channel.send(`data ${message.length}\n${message}`);
      if (base !== undefined)
        await channel.send(`M 040000 ${(await git.must(['rev-parse', `${base}^{tree}`])).trim()} \n`);
      for (const path of removed) await channel.send(`D ${quoted(path)}\n`);
      for (const [path, mark] of marks) await channel.send(`M 100644 :${mark} ${quoted(path)}\n`);
      await channel.send('\ndone\n');
      channel.close();
      const { code, stderr } = await ended;
      if (code !== 0) throw git.failure('fast-import', stderr);
    },
    async end() {
      channel.close();
      await ended.catch(() => undefined);
    },
  };
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Passes pieces from a writer to a reader, one at a time. */
class Channel implements AsyncIterable<Uint8Array | string> {
  #piece: Uint8Array | string | undefined;
  #isClosed = false;
  #taken: (() => void) | undefined;
  #given: (() => void) | undefined;

  /** Resolves when the piece was taken; after the end pieces are dropped. */
  send(piece: Uint8Array | string): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#piece = piece;
    return new Promise((resolve) => {
      this.#taken = resolve;
      this.#given?.();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#given?.();
    this.#taken?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array | string> {
    for (;;) {
      if (this.#piece === undefined) {
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => {
          this.#given = resolve;
        });
        this.#given = undefined;
        continue;
      }
      const piece = this.#piece;
      this.#piece = undefined;
      // The writer copies the piece; only then may the next one be made.
      yield piece;
      this.#taken?.();
    }
  }
}
