import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { s3Escape, signedHeaders } from './sign.ts';

// The worked examples of Amazon's description of the signature.
const signing = {
  keys: { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
  region: 'us-east-1',
  at: new Date('2013-05-24T00:00:00Z'),
  hashes: {
    sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
    hmacSha256: (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text).digest(),
  },
};
const signatureOf = (address: string, headers: Record<string, string> = {}) =>
  signedHeaders({ method: 'GET', url: new URL(address), headers }, signing)['authorization'];

test('signs an object that is put as Amazon shows it', () => {
  const request = {
    method: 'PUT',
    url: new URL(`https://examplebucket.s3.amazonaws.com/${s3Escape('test$file.text')}`),
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    bodyHash: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
  };
  assert.match(
    signedHeaders(request, signing)['authorization'] ?? '',
    /Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/,
  );
});

test('signs a part of an object as Amazon shows it', () => {
  assert.equal(
    signatureOf('https://examplebucket.s3.amazonaws.com/test.txt', { range: 'bytes=0-9' }),
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

test('signs a listing as Amazon shows it, whatever the order of the query', () => {
  for (const query of ['max-keys=2&prefix=J', 'prefix=J&max-keys=2']) {
    assert.match(
      signatureOf(`https://examplebucket.s3.amazonaws.com/?${query}`) ?? '',
      /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/,
    );
  }
});

test('a session token is signed along', () => {
  const keys = { ...signing.keys, token: 'session' };
  const request = { method: 'GET', url: new URL('https://b.example/k'), headers: {} };
  const headers = signedHeaders(request, { ...signing, keys });
  assert.equal(headers['x-amz-security-token'], 'session');
  assert.match(
    headers['authorization'] ?? '',
    /SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,/,
  );
});

test('escapes as S3 does', () => assert.equal(s3Escape("a b!'()*~é/"), 'a%20b%21%27%28%29%2A~%C3%A9%2F'));
