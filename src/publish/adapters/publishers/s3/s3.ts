import { createHash } from 'node:crypto';
import type { Publication, Publisher, PublisherOptions, PutFile } from '../../../core/site/publisher.ts';
import { isForeignName, ROOT_PATH } from '../../../core/site/site-map.ts';
import { InFlight } from '../in-flight.ts';
import {
  conflict,
  givenUpText,
  judgeLease,
  LEASE_PATH,
  leaseText,
  RENEW_MS,
  refuseHeld,
  refuseTaken,
} from '../lease.ts';
import { type Bucket, openBucket, readTarget } from './s3-bucket.ts';

/** Amazon S3, and servers that speak its language. */
const s3: Publisher = {
  id: 's3',
  title: 'S3-compatible storage',
  scheme: 's3',
  capabilities: { isWhole: false, isRemote: true },
  async open(target, options) {
    const place = readTarget(target, options.env);
    const bucket = openBucket(place, options.signal);
    const lease = judgeLease((await bucket.get(LEASE_PATH))?.text, options.holder, options.now());
    if (options.mode === 'write') {
      refuseHeld(lease, place.shown);
      await takeLease(bucket, lease.state === 'free', { ...options, shown: place.shown });
    }
    const root = await bucket.get(ROOT_PATH);
    const wasInterrupted = lease.state === 'left-over';
    const holdsOther = root === undefined && !wasInterrupted && (await hasOther(bucket));
    return new BucketPublication({
      bucket,
      shown: place.shown,
      etag: root?.header('etag'),
      wasInterrupted,
      holdsOther,
      options,
    });
  },
};

async function takeLease(
  bucket: Bucket,
  isFree: boolean,
  options: PublisherOptions & { readonly shown: string },
) {
  const file = textFile(LEASE_PATH, leaseText(options.holder, options.now()));
  const isOurs = isFree ? await bucket.putIf(file, { etag: undefined }) : true;
  if (!isFree) await bucket.put(file);
  // Servers without conditional writes let the last writer win: the lease names it.
  const now = judgeLease((await bucket.get(LEASE_PATH))?.text, options.holder, options.now());
  refuseHeld(now, options.shown);
  if (!isOurs) throw conflict(options.shown);
}

async function hasOther(bucket: Bucket): Promise<boolean> {
  for await (const path of bucket.list()) if (isForeignName(path.split('/')[0] ?? '')) return true;
  return false;
}

interface Opened {
  readonly bucket: Bucket;
  readonly shown: string;
  /** Of the root that we found. */
  readonly etag: string | undefined;
  readonly wasInterrupted: boolean;
  readonly holdsOther: boolean;
  readonly options: PublisherOptions;
}

/** Requests under way at a time. */
const AT_ONCE = 8;

class BucketPublication implements Publication {
  readonly holdsOther: boolean;
  readonly wasInterrupted: boolean;
  readonly #opened: Opened;
  readonly #requests = new InFlight(AT_ONCE);
  readonly #renewal: NodeJS.Timeout | undefined;

  constructor(opened: Opened) {
    this.#opened = opened;
    this.holdsOther = opened.holdsOther;
    this.wasInterrupted = opened.wasInterrupted;
    const { mode, holder, now } = opened.options;
    if (mode !== 'write') return;
    const renew = () => opened.bucket.put(textFile(LEASE_PATH, leaseText(holder, now())));
    // A failed renewal is noticed when the lease is read before the commit.
    this.#renewal = setInterval(() => void renew().catch(() => undefined), RENEW_MS).unref();
  }

  async read(path: string): Promise<string | undefined> {
    return (await this.#opened.bucket.get(path))?.text;
  }

  put(file: PutFile): Promise<void> {
    return this.#requests.start(() => this.#opened.bucket.put(file));
  }

  async remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.#requests.start(() => this.#opened.bucket.remove(path));
    await this.#requests.drain();
  }

  async commit(files: readonly PutFile[]): Promise<void> {
    const { bucket, shown, etag, options } = this.#opened;
    await this.#requests.drain();
    refuseTaken(judgeLease(await this.read(LEASE_PATH), options.holder, options.now()), shown);
    for (const file of files) {
      if (file.path !== ROOT_PATH) await bucket.put(file);
      else if ((await bucket.get(ROOT_PATH))?.header('etag') !== etag) throw conflict(shown);
      else if (!(await bucket.putIf(file, { etag }))) throw conflict(shown);
    }
  }

  list(): AsyncIterable<string> {
    return this.#opened.bucket.list();
  }

  async close(outcome: 'done' | 'given-up'): Promise<void> {
    clearInterval(this.#renewal);
    await this.#requests.end();
    const { bucket, options } = this.#opened;
    if (options.mode !== 'write') return;
    if (outcome === 'done') await bucket.remove(LEASE_PATH);
    else await this.#leave().catch(() => undefined); // the lease runs out by itself
  }

  async #leave(): Promise<void> {
    const { bucket, options } = this.#opened;
    const lease = judgeLease(await this.read(LEASE_PATH), options.holder, options.now());
    if (lease.state === 'ours') await bucket.put(textFile(LEASE_PATH, givenUpText(options.holder)));
  }
}

function textFile(path: string, text: string): PutFile {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    path,
    size: bytes.length,
    sha256,
    async *bytes() {
      yield bytes;
    },
  };
}

export default s3;
