import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const FOLDER = new URL('../page/', import.meta.url);
const MOST_BYTES = 100_000;

test('the first load of every page is small, and none draws in ECharts', () => {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as {
    readonly script: string;
    readonly style: string;
    readonly preload: readonly string[];
    readonly routes: Readonly<Record<string, readonly string[]>>;
  };
  const sizes = new Map<string, number>();
  const sizeOf = (name: string) => {
    const size = sizes.get(name) ?? gzipSync(readFileSync(new URL(name, FOLDER))).length;
    sizes.set(name, size);
    return size;
  };
  assert.ok(Object.keys(manifest.routes).length > 15);
  for (const [route, chunks] of Object.entries(manifest.routes)) {
    const all = [manifest.script, manifest.style, ...manifest.preload, ...chunks];
    const bytes = all.reduce((sum, name) => sum + sizeOf(name), 0);
    assert.ok(bytes < MOST_BYTES, `${route}: ${bytes} bytes in ${all.join(' ')}`);
  }
});
