import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bucketAddress,
  listPages,
  readPrefix,
  type S3Page,
  s3Escape,
  s3Settings,
  signedHeaders,
} from './s3.ts';

// The worked examples of Amazon's description of the signature.
const keys = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const settings = { keys, region: 'us-east-1' };
const at = new Date('2013-05-24T00:00:00Z');
const signatureOf = async (address: string, headers: Record<string, string> = {}) =>
  (await signedHeaders({ method: 'GET', url: new URL(address), headers }, settings, at))['authorization'];

test('signs an object that is put as Amazon shows it', async () => {
  const request = {
    method: 'PUT',
    url: new URL(`https://examplebucket.s3.amazonaws.com/${s3Escape('test$file.text')}`),
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    sha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
  } as const;
  assert.match(
    (await signedHeaders(request, settings, at))['authorization'] ?? '',
    /Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/,
  );
});

test('signs a part of an object as Amazon shows it', async () => {
  assert.equal(
    await signatureOf('https://examplebucket.s3.amazonaws.com/test.txt', { range: 'bytes=0-9' }),
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

test('signs a listing as Amazon shows it, whatever the order of the query', async () => {
  for (const query of ['max-keys=2&prefix=J', 'prefix=J&max-keys=2']) {
    assert.match(
      (await signatureOf(`https://examplebucket.s3.amazonaws.com/?${query}`)) ?? '',
      /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/,
    );
  }
});

test('a session token is signed along; without keys nothing is', async () => {
  const request = { method: 'GET', url: new URL('https://b.example/k'), headers: { range: 'x' } } as const;
  const headers = await signedHeaders(request, { region: 'r', keys: { ...keys, token: 'session' } });
  assert.equal(headers['x-amz-security-token'], 'session');
  assert.match(
    headers['authorization'] ?? '',
    /SignedHeaders=host;range;x-amz-content-sha256;x-amz-date;x-amz-security-token,/,
  );
  assert.deepEqual(await signedHeaders(request, { region: 'r', keys: undefined }), { range: 'x' });
});

test('escapes as S3 does', () => assert.equal(s3Escape("a b!'()*~é/"), 'a%20b%21%27%28%29%2A~%C3%A9%2F'));

test('a bucket has a host of its own at Amazon, and a path elsewhere', () => {
  const amazon = s3Settings({ AWS_DEFAULT_REGION: 'eu-west-1' });
  assert.deepEqual(amazon, { region: 'eu-west-1', keys: undefined, endpoint: undefined });
  assert.equal(bucketAddress('b-1', amazon), 'https://b-1.s3.eu-west-1.amazonaws.com/');
  assert.equal(bucketAddress('b.1', amazon), 'https://s3.eu-west-1.amazonaws.com/b.1/');
  const own = { ...amazon, endpoint: 'http://minio:9000/' };
  assert.equal(bucketAddress('b-1', own), 'http://minio:9000/b-1/');
  assert.equal(bucketAddress('b-1', { ...own, endpoint: 'minio' }), undefined);
  assert.deepEqual(readPrefix('bucket/a/b'), { bucket: 'bucket', prefix: 'a/b/' });
  assert.deepEqual(readPrefix('bucket'), { bucket: 'bucket', prefix: '' });
  assert.equal(readPrefix('/no'), undefined);
});

const page = (inner: string) => `<ListBucketResult xmlns="x">${inner}</ListBucketResult>`;
const key = (name: string) => `<Contents><Key>${name}</Key><Size>3</Size></Contents>`;
const token = (text: string) =>
  `<IsTruncated>true</IsTruncated><NextContinuationToken>${text}</NextContinuationToken>`;

async function list(answers: (count: number) => string): Promise<{ pages: S3Page[]; asked: string[] }> {
  const pages: S3Page[] = [];
  const asked: string[] = [];
  const listing = {
    address: 'https://host/bucket/',
    prefix: 'a b/',
    delimiter: '/',
    get: async (url: URL) => {
      asked.push(url.search);
      return answers(asked.length);
    },
    refuse: (_: URL, why: string) => new Error(why),
  } as const;
  for await (const one of listPages(listing)) pages.push(one);
  return { pages, asked };
}

test('names come without the prefix, escaped by XML or as addresses are', async () => {
  const xml = [
    page(key('a b/x&amp;&#233;+') + token('1+2=')),
    page(
      `<EncodingType>url</EncodingType>${key('a+b/y%2Bz')}${key('a+b/')}${key('a+b/%zz')}` +
        '<CommonPrefixes><Prefix>a+b/sub/</Prefix></CommonPrefixes><IsTruncated>false</IsTruncated>',
    ),
  ];
  const { pages, asked } = await list((count) => xml[count - 1] ?? '');
  assert.deepEqual(pages, [
    { folders: [], files: [{ name: 'x&é+', size: 3 }] },
    {
      folders: ['sub'],
      files: [
        { name: 'y+z', size: 3 },
        { name: '%zz', size: 3 },
      ],
    },
  ]);
  const first = '?list-type=2&delimiter=%2F&encoding-type=url&prefix=a%20b%2F';
  assert.deepEqual(asked, [first, `${first}&continuation-token=1%2B2%3D`]);
});

test('a listing that does not go on ends, one without end and one that is none are refused', async () => {
  assert.equal((await list(() => page(token('same')))).pages.length, 2);
  await assert.rejects(
    list((count) => page(token(String(count)))),
    { message: 'too-long' },
  );
  await assert.rejects(
    list(() => '<html></html>'),
    { message: 'no-listing' },
  );
});
