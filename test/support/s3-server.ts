import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, sendFile } from './listing-server.ts';

export interface S3ServerOptions {
  readonly bucket: string;
  readonly files: Readonly<Record<string, string>>;
  /** Keys in one page. */
  readonly pageSize?: number;
  /** Requests without a right signature are refused. */
  readonly keys?: { readonly id: string; readonly secret: string };
}

/** As much of S3 as reading needs, from Amazon's description: pages, prefixes, ranges and signatures. */
export function serveS3({ bucket, files, pageSize = 1000, keys }: S3ServerOptions): Answer {
  return (request, response) => {
    const [path = '', search = ''] = (request.url ?? '').split('?');
    if (keys && !isSigned(request, keys))
      return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    const [, name, key = ''] = decodeURIComponent(path).match(/^\/([^/]+)\/(.*)$/s) ?? [];
    if (name !== bucket) return void response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
    const query = new URLSearchParams(search);
    if (query.get('list-type') === '2') return void response.end(listing(files, query, pageSize));
    const content = files[key];
    if (content === undefined)
      return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    sendFile(content, request, response);
  };
}

function listing(files: Readonly<Record<string, string>>, query: URLSearchParams, pageSize: number): string {
  const prefix = query.get('prefix') ?? '';
  const isEncoded = query.get('encoding-type') === 'url';
  const shown = (text: string) =>
    isEncoded ? encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', '+') : text;
  const rows = new Map<string, string>();
  for (const key of Object.keys(files).sort()) {
    if (!key.startsWith(prefix)) continue;
    const slash = key.indexOf('/', prefix.length);
    if (slash < 0)
      rows.set(
        key,
        `<Contents><Key>${shown(key)}</Key><Size>${Buffer.byteLength(files[key] ?? '')}</Size></Contents>`,
      );
    else
      rows.set(
        key.slice(0, slash + 1),
        `<CommonPrefixes><Prefix>${shown(key.slice(0, slash + 1))}</Prefix></CommonPrefixes>`,
      );
  }
  const start = Number((query.get('continuation-token') ?? 'at+0=').slice(3, -1));
  const isCut = start + pageSize < rows.size;
  const next = isCut ? `<NextContinuationToken>at+${start + pageSize}=</NextContinuationToken>` : '';
  const encoding = isEncoded ? '<EncodingType>url</EncodingType>' : '';
  return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Prefix>${shown(prefix)}</Prefix>${encoding}<IsTruncated>${isCut}</IsTruncated>${next}${[...rows.values()].slice(start, start + pageSize).join('')}</ListBucketResult>`;
}

/** Written apart from the program, from what arrives. */
function isSigned(
  { headers, url = '', method }: IncomingMessage,
  { id, secret }: { readonly id: string; readonly secret: string },
): boolean {
  const text = headers.authorization ?? '';
  const [, day, region] = new RegExp(`Credential=${id}/(\\d{8})/([^/]+)/s3/aws4_request`).exec(text) ?? [];
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(text) ?? [];
  if (day === undefined || region === undefined || !names.split(';').includes('host')) return false;
  const [path, query = ''] = url.split('?');
  const lines = names
    .split(';')
    .map((name) => `${name}:${String(headers[name])}\n`)
    .join('');
  const canonical = `${method}\n${path}\n${query.split('&').sort().join('&')}\n${lines}\n${names}\n${String(headers['x-amz-content-sha256'])}`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const sign = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest();
  const key = sign(sign(sign(sign(`AWS4${secret}`, day), region), 's3'), 'aws4_request');
  const toSign = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${day}/${region}/s3/aws4_request\n${hash}`;
  return text.endsWith(`Signature=${sign(key, toSign).toString('hex')}`);
}
