import { bucketAddress, readPrefix, type S3Keys, s3Settings } from '../../../../platform/adapters/s3.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { withoutSecrets } from '../run-program.ts';

/** Where the site goes: the address of a bucket, and what stands before each key. */
export interface S3Place {
  /** Of the bucket; ends with "/". */
  readonly address: string;
  /** Empty, or ends with "/". */
  readonly prefix: string;
  readonly region: string;
  readonly keys: S3Keys;
  readonly shown: string;
}

/** BUCKET/PATH, //BUCKET/PATH, or https://ENDPOINT/BUCKET/PATH. */
export function readTarget(target: string, env: Readonly<Record<string, string>>): S3Place {
  const withServer = /^(https?:\/\/[^/]+)\/(.*)$/s.exec(target);
  const place = readPrefix(withServer?.[2] ?? target.replace(/^(?:s3:)?\/\//, ''));
  if (place === undefined || /(?:^|\/)\.{0,2}\//.test(place.prefix)) throw badTarget(target);
  const { keys, region, endpoint } = s3Settings(env);
  if (keys === undefined) throw noKeys(target);
  const server = withServer?.[1] ?? endpoint;
  const address = bucketAddress(place.bucket, { keys, region, endpoint: server });
  if (address === undefined) throw badTarget(server ?? target);
  return { address, prefix: place.prefix, region, keys, shown: `s3:${withoutSecrets(target)}` };
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
