import type { PutFile } from '../../../core/publisher.ts';
import type { Git } from './git.ts';

/** Writes blobs, and one commit of them, by one process: a site has thousands of files. */
export interface TreeWriter {
  add(file: PutFile): Promise<void>;
  commit(tree: TreeCommit): Promise<void>;
  /** Lets go of the process; nothing is left in the repository but objects nobody refers to. */
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
  // Told at the next write or at the end.
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

/** Hands pieces from one side to the other, one at a time. */
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
      // A copy is made by who writes it; only then the next piece may be made.
      yield piece;
      this.#taken?.();
    }
  }
}
