import assert from 'node:assert/strict';
import { test } from 'node:test';
import { s3Escape, signedHeaders } from './sign.ts';

test('signs an object that is put as Amazon shows it', () => {
  const request = {
    method: 'PUT',
    url: new URL(`https://examplebucket.s3.amazonaws.com/${s3Escape('test$file.text')}`),
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    bodyHash: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
  };
  const keys = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
  const { authorization } = signedHeaders(request, {
    keys,
    region: 'us-east-1',
    at: new Date('2013-05-24T00:00:00Z'),
  });
  assert.match(
    authorization ?? '',
    /Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/,
  );
});
