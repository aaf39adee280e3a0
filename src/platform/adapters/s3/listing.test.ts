import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPages, type S3Page } from './listing.ts';

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
