import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { Publication, Publisher, PublisherOptions, PutFile } from '../../../core/site/publisher.ts';
import { isForeignName, OWN_FOLDER, ROOT_PATH } from '../../../core/site/site-map.ts';
import {
  givenUpText,
  judgeLease,
  LEASE_PATH,
  type LeaseState,
  leaseText,
  RENEW_MS,
  refuseHeld,
  refuseTaken,
} from '../lease.ts';
import { withoutSecrets } from '../run-program.ts';
import { openTransfer, type Transfer } from './rsync-transfer.ts';

/** Whatever rsync reaches: a folder, a machine by ssh, an rsync server. */
const rsync: Publisher = {
  id: 'rsync',
  title: 'a folder that rsync reaches',
  scheme: 'rsync',
  capabilities: { isWhole: false, isRemote: true },
  async open(target, options) {
    if (target === '' || target.startsWith('-')) {
      throw new NightmarkError('PUBLISH_BAD_TARGET', `rsync:${withoutSecrets(target)} names no place.`, {
        hint: 'For example rsync:user@host:/var/www/bench.',
      });
    }
    const address = (/^[^/]*:/.test(target) ? target : resolve(options.cwd, target)).replace(/\/+$/, '');
    const staging = join(options.workFolder, `rsync-${options.holder.id}`);
    await mkdir(staging, { recursive: true });
    try {
      return await begin(openTransfer(address, { ...options, staging }), {
        staging,
        options,
        shown: withoutSecrets(target),
      });
    } catch (error) {
      await rm(staging, { recursive: true, force: true });
      throw error;
    }
  },
};

interface Opening {
  readonly staging: string;
  readonly options: PublisherOptions;
  readonly shown: string;
}

async function begin(transfer: Transfer, opening: Opening): Promise<Publication> {
  const { options, shown } = opening;
  const lease = await readLease(transfer, options);
  const names = await transfer.top();
  if (options.mode === 'write') {
    refuseHeld(lease, shown);
    await takeLease(transfer, opening, lease);
  }
  const wasInterrupted = lease.state === 'left-over';
  const hasSite = names.includes(ROOT_PATH) || wasInterrupted;
  return new RsyncPublication(transfer, {
    ...opening,
    wasInterrupted,
    holdsOther: !hasSite && names.some(isForeignName),
  });
}

async function readLease(transfer: Transfer, { holder, now }: PublisherOptions): Promise<LeaseState> {
  return judgeLease(await transfer.read(LEASE_PATH), holder, now());
}

/** rsync cannot create a file exclusively and report a conflict: the last writer wins, so the lease is read back, and again before the commit. */
async function takeLease(
  transfer: Transfer,
  { staging, options, shown }: Opening,
  before: LeaseState,
): Promise<void> {
  await mkdir(join(staging, OWN_FOLDER), { recursive: true });
  await writeFile(join(staging, LEASE_PATH), leaseText(options.holder, options.now()));
  await transfer.send([LEASE_PATH], { onlyNew: before.state === 'free' });
  const now = await readLease(transfer, options);
  refuseHeld(now, shown);
  refuseTaken(now, shown);
}

interface Opened extends Opening {
  readonly wasInterrupted: boolean;
  readonly holdsOther: boolean;
}

class RsyncPublication implements Publication {
  readonly holdsOther: boolean;
  readonly wasInterrupted: boolean;
  readonly #transfer: Transfer;
  readonly #opened: Opened;
  #staged: string[] = [];
  #renewedAt: number;

  constructor(transfer: Transfer, opened: Opened) {
    this.#transfer = transfer;
    this.#opened = opened;
    this.holdsOther = opened.holdsOther;
    this.wasInterrupted = opened.wasInterrupted;
    this.#renewedAt = opened.options.now();
  }

  read(path: string): Promise<string | undefined> {
    return this.#transfer.read(path);
  }

  async put({ path, bytes }: PutFile): Promise<void> {
    const place = join(this.#opened.staging, path);
    await mkdir(dirname(place), { recursive: true });
    const file = await open(place, 'w', 0o644);
    try {
      for await (const piece of bytes()) await file.writeFile(piece);
    } finally {
      await file.close();
    }
    this.#staged.push(path);
    await this.#renew();
  }

  async remove(paths: readonly string[]): Promise<void> {
    await this.#flush();
    await this.#transfer.remove(paths);
  }

  async commit(files: readonly PutFile[]): Promise<void> {
    const { options, shown } = this.#opened;
    await this.#flush();
    refuseTaken(await readLease(this.#transfer, options), shown);
    for (const file of files) {
      await this.put(file);
      await this.#flush();
    }
  }

  list(): AsyncIterable<string> {
    return this.#transfer.list();
  }

  async close(outcome: 'done' | 'given-up'): Promise<void> {
    const { options, staging } = this.#opened;
    try {
      if (options.mode !== 'write') return;
      if (outcome === 'done') await this.#transfer.remove([LEASE_PATH]);
      else await this.#leave().catch(() => undefined); // the lease runs out by itself
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  async #leave(): Promise<void> {
    const { staging, options } = this.#opened;
    if ((await readLease(this.#transfer, options)).state !== 'ours') return;
    await writeFile(join(staging, LEASE_PATH), givenUpText(options.holder));
    await this.#transfer.send([LEASE_PATH], {});
  }

  async #flush(): Promise<void> {
    const staged = this.#staged;
    this.#staged = [];
    if (staged.length > 0) await this.#transfer.send(staged, {});
  }

  async #renew(): Promise<void> {
    const { staging, options } = this.#opened;
    if (options.now() - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = options.now();
    const before = await readFile(join(staging, LEASE_PATH), 'utf8');
    const text = leaseText(options.holder, options.now());
    if (text === before) return;
    await writeFile(join(staging, LEASE_PATH), text);
    await this.#transfer.send([LEASE_PATH], {});
  }
}

export default rsync;
