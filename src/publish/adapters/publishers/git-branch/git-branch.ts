import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { Publication, Publisher, PublisherOptions, PutFile } from '../../../core/site/publisher.ts';
import { isForeignName, ROOT_PATH } from '../../../core/site/site-map.ts';
import { conflict } from '../lease.ts';
import { withoutSecrets } from '../run-program.ts';
import { type Git, openGit, type TreeWriter, writeTree } from './git.ts';

/** A branch of a git repository, such as GitHub Pages serves. */
const gitBranch: Publisher = {
  id: 'git-branch',
  title: 'a branch of a git repository',
  scheme: 'git',
  capabilities: { isWhole: true, isRemote: true },
  async open(target, options) {
    const place = readTarget(target, options.cwd);
    const repository = join(options.workFolder, 'site.git');
    await mkdir(repository, { recursive: true });
    const git = openGit(repository, options);
    await git.must(['init', '--bare', '--quiet']);
    const old = await fetchBranch(git, place);
    const names =
      old === undefined ? [] : (await git.must(['ls-tree', '--name-only', '-z', old])).split('\0');
    const holdsOther = !names.includes(ROOT_PATH) && names.some((name) => name !== '' && isForeignName(name));
    return new BranchPublication({ git, place, old, holdsOther, options });
  },
};

interface Place {
  readonly remote: string;
  /** refs/heads/... */
  readonly ref: string;
  /** As it may be shown. */
  readonly shown: string;
}

const USUAL_BRANCH = 'gh-pages';

function readTarget(target: string, cwd: string): Place {
  const hash = target.lastIndexOf('#');
  const remote = hash < 0 ? target : target.slice(0, hash);
  const branch = hash < 0 ? USUAL_BRANCH : target.slice(hash + 1);
  const isUsable =
    remote !== '' &&
    !remote.startsWith('-') &&
    /^(?!-)(?!.*(?:\.\.|\/\/|@\{))[^\s~^:?*[\\\0]+(?<![./])$/.test(branch);
  if (!isUsable) {
    throw new NightmarkError(
      'PUBLISH_BAD_TARGET',
      `git:${withoutSecrets(target)} names no repository and branch.`,
      {
        hint: `For example git:git@github.com:owner/repository.git#${USUAL_BRANCH}.`,
      },
    );
  }
  // A path has no colon before its first slash; anything else git understands by itself.
  const isPath = !/^[^/]*:/.test(remote);
  const address = isPath && !remote.startsWith('/') ? join(cwd, remote) : remote;
  return { remote: address, ref: `refs/heads/${branch}`, shown: `${withoutSecrets(remote)}#${branch}` };
}

/** The commit of the branch, with its content; undefined when there is no such branch yet. */
async function fetchBranch(git: Git, { remote, ref }: Place): Promise<string | undefined> {
  const listed = await git.must(['ls-remote', '--', remote, ref]);
  const [sha = ''] = listed.split(/\s/);
  if (sha === '') return undefined;
  const isHere = (await git.run(['cat-file', '-e', `${sha}^{tree}`])).code === 0;
  // One commit is enough, and what an earlier publication left here is not fetched again.
  if (!isHere) await git.must(['fetch', '--quiet', '--depth=1', '--no-tags', '--', remote, ref]);
  return isHere ? sha : (await git.must(['rev-parse', 'FETCH_HEAD'])).trim();
}

interface Opened {
  readonly git: Git;
  readonly place: Place;
  readonly old: string | undefined;
  readonly holdsOther: boolean;
  readonly options: PublisherOptions;
}

class BranchPublication implements Publication {
  readonly holdsOther: boolean;
  /** Nothing is left in the branch by a publication that did not come to its end. */
  readonly wasInterrupted = false;
  readonly #opened: Opened;
  readonly #removed: string[] = [];
  #tree: TreeWriter | undefined;

  constructor(opened: Opened) {
    this.#opened = opened;
    this.holdsOther = opened.holdsOther;
  }

  async read(path: string): Promise<string | undefined> {
    const { git, old } = this.#opened;
    if (old === undefined) return undefined;
    const { code, stdout } = await git.run(['cat-file', 'blob', `${old}:${path}`]);
    return code === 0 ? stdout : undefined;
  }

  async put(file: PutFile): Promise<void> {
    this.#tree ??= writeTree(this.#opened.git);
    await this.#tree.add(file);
  }

  async remove(paths: readonly string[]): Promise<void> {
    this.#removed.push(...paths);
  }

  async commit(files: readonly PutFile[]): Promise<void> {
    const { git, place, old, options } = this.#opened;
    for (const file of files) await this.put(file);
    const { holder } = options;
    const ref = `refs/nightmark/${holder.id.replace(/[^\w-]/g, '-')}`;
    // Never a parent: a site of months would be a repository of gigabytes.
    await this.#tree?.commit({ ref, base: old, removed: this.#removed, at: options.now() });
    const lease = `--force-with-lease=${place.ref}:${old ?? ''}`;
    const pushed = await git.run(['push', '--quiet', lease, '--', place.remote, `${ref}:${place.ref}`]);
    if (pushed.code !== 0 && /stale info|fetch first|\[(?:remote )?rejected\]/.test(pushed.stderr)) {
      const hasMoved =
        (await git.must(['ls-remote', '--', place.remote, place.ref])).split(/\s/)[0] !== (old ?? '');
      if (hasMoved) throw conflict(place.shown);
    }
    if (pushed.code !== 0) throw git.failure(`push to ${place.shown}`, pushed.stderr);
    // The newest one is kept, so that the next publication has nothing to fetch.
    await git.must(['update-ref', 'refs/nightmark-kept/newest', ref]);
    await git.run(['update-ref', '-d', ref]);
    await git.run(['gc', '--auto', '--quiet']);
  }

  async *list(): AsyncIterable<string> {
    const { git, old } = this.#opened;
    if (old === undefined) return;
    const names = await git.must(['ls-tree', '-r', '--name-only', '-z', old]);
    yield* names.split('\0').filter((name) => name !== '');
  }

  async close(): Promise<void> {
    await this.#tree?.end();
  }
}

export default gitBranch;
