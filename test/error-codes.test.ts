import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const listed = readFileSync('docs/reference/errors.md', 'utf8');
const used = new Set<string>();
/** First words of codes, one to an area. */
const AREAS = [
  'ARCHIVE',
  'BACKUP',
  'BARRIER',
  'BISECT',
  'CHANGES',
  'CHART',
  'CLI',
  'COMPARE',
  'CONFIG',
  'CURVE',
  'DISK',
  'DOWNLOAD',
  'DUET',
  'EXPORT',
  'FOLLOW',
  'FORWARD',
  'IMPORT',
  'INIT',
  'JOBS',
  'KIT',
  'KPI',
  'LOCK',
  'MATRIX',
  'NOTIFY',
  'PATTERN',
  'PICTURE',
  'PLAN',
  'POINTS',
  'PUBLISH',
  'QUERY',
  'REINDEX',
  'REPORT',
  'RESTORE',
  'RUN',
  'SCHEDULE',
  'SEARCH',
  'SERVE',
  'SOURCE',
  'STATS',
  'STORE',
  'TELEMETRY',
  'TOKEN',
  'WORKLOAD',
];
for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
  const text = readFileSync(`src/${file}`, 'utf8');
  for (const [, code = ''] of text.matchAll(new RegExp(`'((?:${AREAS.join('|')})_[A-Z_]+)'`, 'g')))
    used.add(code);
}

test('every error code is explained', () => {
  assert.ok(used.size > 10);
  assert.deepEqual([...used].filter((code) => !listed.includes(`\`${code}\``)).sort(), []);
});

test('every explained code exists', () => {
  const codes = [...listed.matchAll(/^\| `([A-Z]+_[A-Z_]+)`/gm)].map(([, code = '']) => code);
  assert.ok(codes.length > 100, `${codes.length} codes`);
  assert.deepEqual(
    codes.filter((code) => !used.has(code)),
    [],
  );
});
