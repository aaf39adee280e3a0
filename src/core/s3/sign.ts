export interface S3Keys {
  readonly id: string;
  readonly secret: string;
  readonly token?: string;
}

/** The address as a URL has it; made with `s3Escape`: what is sent is what is signed. */
export interface S3Address {
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: S3Address;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body; absent: there is none. */
  readonly bodyHash?: string;
}

export interface Signing {
  readonly keys: S3Keys;
  readonly region: string;
  readonly at: Date;
  readonly hashes: SigningHashes;
}

/** From outside: core has no cryptography of its own. */
export interface SigningHashes {
  /** In hexadecimal. */
  sha256(text: string): string;
  hmacSha256(key: string | Uint8Array, text: string): Uint8Array;
}

/** Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export function signedHeaders(request: SignedRequest, signing: Signing): Record<string, string> {
  const { keys, region, at, hashes } = signing;
  const { method, url, headers, bodyHash = hashes.sha256('') } = request;
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
  const text = ['AWS4-HMAC-SHA256', time, scope, hashes.sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Uint8Array>(
    (before, word) => hashes.hmacSha256(before, word),
    `AWS4${keys.secret}`,
  );
  const signature = hexOf(hashes.hmacSha256(key, text));
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

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
