import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { encodePng } from './resvg.ts';

test('a picture of two by two pixels is a PNG, byte for byte', async () => {
  const red = [255, 0, 0, 255];
  const blue = [0, 0, 255, 255];
  const png = Buffer.from(
    await encodePng({ width: 2, height: 2, pixels: new Uint8Array([...red, ...blue, ...blue, ...red]) }),
  );
  // Sizes and checks as libpng writes them.
  assert.equal(
    png.subarray(0, 33).toString('hex'),
    '89504e470d0a1a0a0000000d494844520000000200000002080600000072b60d24',
  );
  const size = png.readUInt32BE(33);
  assert.equal(png.toString('latin1', 37, 41), 'IDAT');
  assert.deepEqual([...inflateSync(png.subarray(41, 41 + size))], [0, ...red, ...blue, 0, ...blue, ...red]);
  assert.equal(png.subarray(45 + size).toString('hex'), '0000000049454e44ae426082');
});
