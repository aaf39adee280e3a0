import { createHash, createHmac } from 'node:crypto';

export interface S3Keys {
  readonly id: string;
  readonly secret: string;
  readonly token?: string;
}

export interface Signing {
  readonly keys: S3Keys;
  readonly region: string;
  readonly at: Date;
}

const NO_BODY = sha256('');

/**
 * Headers that sign a GET: Signature Version 4,
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signedHeaders(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { keys, region, at }: Signing,
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': NO_BODY,
    'x-amz-date': time,
    ...(keys.token !== undefined && { 'x-amz-security-token': keys.token }),
  };
  const names = Object.keys(all).sort();
  const lines = names.map((name) => `${name}:${all[name]?.trim()}\n`).join('');
  const request = ['GET', url.pathname, sortedQuery(url), lines, names.join(';'), NO_BODY].join('\n');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secret}`);
  const { host: _, ...sent } = all; // the client sends it by itself
  const signature = hmac(key, text).toString('hex');
  const credential = `${keys.id}/${scope}`;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names.join(';')},Signature=${signature}`,
  };
}

/** As S3 wants names and paths: everything but letters, digits and -._~ as bytes in percent. */
export function s3Escape(text: string): string {
  const more = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, more);
}

/** The address must have been made with `s3Escape`: what is sent is what is signed. */
function sortedQuery({ search }: URL): string {
  return search.slice(1).split('&').sort().join('&');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
