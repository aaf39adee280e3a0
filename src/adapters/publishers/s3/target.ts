import { NightmarkError } from '../../../core/errors.ts';
import type { S3Keys } from '../../../core/s3/sign.ts';
import { withoutSecrets } from '../run-program.ts';

/** Where the site goes: the address of a bucket, and what stands before each key. */
export interface S3Place {
  /** Ends with "/". */
  readonly bucket: string;
  /** Empty, or ends with "/". */
  readonly prefix: string;
  readonly region: string;
  readonly keys: S3Keys;
  readonly shown: string;
}

/** BUCKET/PATH, //BUCKET/PATH, or https://ENDPOINT/BUCKET/PATH. */
export function readTarget(target: string, env: Readonly<Record<string, string>>): S3Place {
  const withServer = /^(https?:\/\/[^/]+)\/(.*)$/s.exec(target);
  const rest = withServer?.[2] ?? target.replace(/^(?:s3:)?\/\//, '');
  const [, bucket, path = ''] = /^([a-z\d][a-z\d._-]{1,62})(?:\/(.*))?$/is.exec(rest) ?? [];
  if (bucket === undefined || /(?:^|\/)\.{0,2}(?:\/|$)/.test(path.replace(/\/$/, '') || 'x'))
    throw badTarget(target);
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = env;
  if (!id || !secret) throw noKeys(target);
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  const endpoint = withServer?.[1] ?? env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  return {
    bucket: bucketAddress(bucket, endpoint, region),
    prefix: path === '' || path.endsWith('/') ? path : `${path}/`,
    region,
    keys: { id, secret, ...(token && { token }) },
    shown: `s3:${withoutSecrets(target)}`,
  };
}

/** Amazon has a host for each bucket; other servers, and names that no certificate covers, have the bucket in the path. */
function bucketAddress(bucket: string, endpoint: string | undefined, region: string): string {
  if (endpoint === undefined && !bucket.includes('.')) return `https://${bucket}.s3.${region}.amazonaws.com/`;
  const server = endpoint ?? `https://s3.${region}.amazonaws.com`;
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) throw badTarget(server);
  return `${server.replace(/\/+$/, '')}/${bucket}/`;
}

function badTarget(target: string): NightmarkError {
  return new NightmarkError('PUBLISH_BAD_TARGET', `s3:${withoutSecrets(target)} names no bucket.`, {
    hint: 'For example s3://bucket/path, or s3:https://minio.example:9000/bucket/path.',
  });
}

function noKeys(target: string): NightmarkError {
  return new NightmarkError(
    'PUBLISH_NO_CREDENTIALS',
    `There are no keys to write to s3:${withoutSecrets(target)}.`,
    {
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN where there is one.',
    },
  );
}
