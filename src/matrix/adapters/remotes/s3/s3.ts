import { shownUrl } from '../../../../platform/adapters/http.ts';
import {
  bucketAddress,
  LARGEST_PAGE,
  listPages,
  objectUrl,
  readPrefix,
  type S3Settings,
  s3Settings,
  signedHeaders,
} from '../../../../platform/adapters/s3.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type {
  RemoteEntry,
  RemoteFile,
  RemoteFolder,
  RemoteFolders,
  RemoteOptions,
  Resume,
} from '../../../core/remote-folder.ts';
import { rangeHeaders, refusedError, toRemoteFile, type WebAnswer, webGet } from '../download-http.ts';

/** Amazon S3 and compatible servers. */
const s3: RemoteFolders = {
  id: 's3',
  accepts: (url) => /^s3:\/\//i.test(url),
  open(url, options) {
    const place = readPrefix(url.replace(/^s3:\/\//i, ''));
    if (place === undefined) {
      throw new NightmarkError('DOWNLOAD_BAD_URL', `${url} has no bucket.`, {
        hint: 'For example s3://bucket/path/of/results.',
      });
    }
    const fromEnv = s3Settings(options.env);
    const settings = { ...fromEnv, endpoint: options.endpoint ?? fromEnv.endpoint };
    const address = bucketAddress(place.bucket, settings);
    if (address === undefined) {
      throw new NightmarkError('DOWNLOAD_BAD_URL', `Invalid S3 endpoint: ${settings.endpoint}`, {
        hint: 'For example https://minio.example:9000.',
      });
    }
    return new S3Folder({ address, prefix: place.prefix, settings, options });
  },
};

interface Place {
  /** Of the bucket; ends with "/". */
  readonly address: string;
  readonly prefix: string;
  readonly settings: S3Settings;
  readonly options: RemoteOptions;
}

class S3Folder implements RemoteFolder {
  readonly hidesDotFiles = false;
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  async list(path: string): Promise<readonly RemoteEntry[]> {
    const { address } = this.#place;
    const prefix = path === '' ? this.#place.prefix : `${this.#place.prefix}${path}/`;
    const get = async (url: URL) => (await this.#get(url)).text(LARGEST_PAGE);
    const entries: RemoteEntry[] = [];
    for await (const page of listPages({ address, prefix, delimiter: '/', get, refuse })) {
      entries.push(...page.folders.map((name): RemoteEntry => ({ name, type: 'folder' })));
      for (const { name, size } of page.files)
        entries.push({ name, type: 'file', ...(size !== undefined && { size }) });
    }
    if (entries.length === 0) throw refusedError(new URL(prefix, address), 'it is empty or does not exist');
    return entries;
  }

  async open(path: string, resume?: Resume): Promise<RemoteFile> {
    const url = objectUrl(this.#place.address, `${this.#place.prefix}${path}`);
    return toRemoteFile(await this.#get(url, rangeHeaders(resume)), resume);
  }

  async #get(url: URL, given: Readonly<Record<string, string>> = {}): Promise<WebAnswer> {
    const { settings, options } = this.#place;
    const { allowedHosts, signal, idleMs } = options;
    const headers = await signedHeaders({ method: 'GET', url, headers: given }, settings);
    return webGet(url, { headers, allowedHosts, signal, idleMs, followsRedirects: false });
  }
}

function refuse(url: URL, why: 'no-listing' | 'too-long'): NightmarkError {
  if (why === 'too-long') return refusedError(url, 'its listing does not end');
  return new NightmarkError('DOWNLOAD_NO_LISTING', `${shownUrl(url)} is not an S3 server.`, {
    hint: 'Check the endpoint: it is the address of the server, without the bucket.',
  });
}

export default s3;
