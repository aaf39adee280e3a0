import { createHash, createHmac } from 'node:crypto';

export interface S3Keys {
  readonly id: string;
  readonly secret: string;
  readonly token?: string;
}

export interface SignedRequest {
  readonly method: string;
  /** Made with `s3Escape`: what is sent is what is signed. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body. */
  readonly bodyHash: string;
}

export interface Signing {
  readonly keys: S3Keys;
  readonly region: string;
  readonly at: Date;
}

export const NO_BODY = sha256('');

/** Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export function signedHeaders(request: SignedRequest, { keys, region, at }: Signing): Record<string, string> {
  const { method, url, headers, bodyHash } = request;
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
    ...(keys.token !== undefined && { 'x-amz-security-token': keys.token }),
  };
  const names = Object.keys(all).sort();
  const lines = names.map((name) => `${name}:${all[name]?.trim()}\n`).join('');
  const query = url.search.slice(1).split('&').sort().join('&');
  const canonical = [method, url.pathname, query, lines, names.join(';'), bodyHash].join('\n');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secret}`);
  const signature = hmac(key, text).toString('hex');
  const credential = `${keys.id}/${scope}`;
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names.join(';')},Signature=${signature}`,
  };
}

/** As S3 wants names: everything but letters, digits and -._~ as bytes in percent. */
export function s3Escape(text: string): string {
  const more = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, more);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
