import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BothServers, openBoth } from './both-servers.ts';

let both: BothServers | undefined;
before(async () => {
  both = await openBoth();
});
after(() => both?.close());

const SKIP = 'no InfluxDB here: apt-get install influxdb influxdb-client';
const LINES = `cpu,host=a,core=0 v=1.5,n=3i,s="x<y",b=true 1000000000
cpu,host=a,core=0 v=2.5,n=4i 2000000000
cpu,host=b v=10,n=9007199254740993i 1500000000
cpu,host=b v=20 12000000000
mem,host=a v=1e21 1000000000
mem,host=a v=1e-7 2000000000
str,host=a v="a,\\"c" 1000000000`;

/** Answered with the same status, headers and bytes. */
const SAME: readonly string[] = [
  'FOO',
  'SELECT FROM cpu',
  'SELECT * FRM cpu',
  'SELECT v FROM cpu foo',
  'SELECT v FROM cpu GROUP host',
  'SELECT v FROM cpu ORDER BY v',
  'SELECT v FROM',
  'SELECT v FROM 5',
  'SELECT v FROM cpu WHERE',
  "SELECT v FROM cpu WHERE (host = 'a'",
  'SELECT v, FROM cpu',
  'SELECT "v FROM cpu',
  "SELECT v FROM cpu WHERE host =~ 'a'",
  'SELECT mean(v FROM cpu',
  'SELECT mean() FROM cpu',
  'SELECT mean(v, 2) FROM cpu',
  'SELECT percentile(v) FROM cpu',
  'SELECT top(v) FROM cpu',
  'SELECT v AS FROM cpu',
  'SELECT v FROM cpu fill(foo)',
  'SELECT mean(v) FROM cpu GROUP BY time(5)',
  'SELECT mean(v) FROM cpu GROUP BY 5',
  'SELECT v FROM cpu LIMIT -1',
  'SHOW',
  'SHOW TAG',
  'SHOW TAG VALUES',
  'SHOW TAG VALUES WITH KEY',
  'SHOW TAG VALUES WITH KEY > a',
  'SHOW FIELD',
  'SHOW RETENTION',
  'SHOW MEASUREMENTS WITH FOO',
  'CREATE',
  'CREATE DATABASE',
  'DROP',
  'DROP SERIES',
  'DELETE',
  'DELETE FROM',
  ';',
  'SELECT v FROM cpu SELECT v FROM cpu',
  "SELECT v FROM cpu WHERE time > 'foo'",
  'SELECT foo(v) FROM cpu',
  'SELECT mean(v), v FROM cpu',
  'SELECT v FROM cpu GROUP BY time(1s)',
  'SELECT 1 FROM cpu',
  'SELECT mean(v*2) FROM cpu',
  'SELECT derivative(mean(v)) FROM cpu',
  'SELECT top(v, 2), max(v) FROM cpu',
  'SELECT max(*::tag) FROM cpu',
  'SELECT time FROM cpu',
  'SELECT * FROM cpu',
  'SELECT v FROM /.*/',
  'SELECT v FROM cpu GROUP BY *',
  'SELECT * FROM /.*/ GROUP BY *',
  'SELECT s FROM cpu',
  'SELECT v FROM str',
  'SELECT v/0, n/0, n%0 FROM cpu',
  'SELECT v FROM cpu WHERE core = 0',
  "SELECT v FROM cpu WHERE nosuch = ''",
  "SELECT v FROM cpu WHERE nosuch != 'x'",
  'SELECT nothing FROM cpu',
  'SELECT mean(m) FROM (SELECT max(v) AS m FROM cpu GROUP BY host)',
  'SELECT max(m) FROM (SELECT mean(v) AS m FROM cpu) GROUP BY host',
  "SELECT mean(v) FROM (SELECT v FROM cpu) WHERE host = 'a'",
  'SELECT mean(m) FROM (SELECT max(v) AS m FROM cpu) WHERE time >= 0 AND time < 20s GROUP BY time(5s)',
  'SHOW SERIES',
  'SHOW SERIES FROM /c.*/ WHERE host =~ /b/',
  'SHOW FIELD KEYS',
  'SHOW TAG KEYS',
  'SHOW SERIES ON nope',
  'SHOW MEASUREMENTS LIMIT 1 OFFSET 1',
  'SELECT v FROM cpu; SHOW MEASUREMENTS; SELECT v FROM mem',
  'SELECT v FROM nope.autogen.cpu',
  'SELECT "v" FROM d."autogen"."cpu"',
  'SELECT v FROM d..cpu',
  'SELECT integral(v) FROM cpu',
  'SELECT v FROM cpu -- a comment',
  'CREATE DATABASE other',
  'DROP MEASUREMENT nope',
  "DELETE WHERE host = 'zzz'",
];

test('the same words, errors and numbers as InfluxDB, byte by byte', async (context) => {
  if (!both) return context.skip(SKIP);
  await both.reset(LINES);
  const differing: string[] = [];
  for (const q of SAME) {
    const [ours, theirs] = await both.askText({ q });
    if (JSON.stringify(ours) !== JSON.stringify(theirs))
      differing.push(`${q}\n  ours   ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}`);
  }
  assert.deepEqual(differing, [], differing.join('\n'));
});

test('epochs, chunks, pretty JSON, CSV and forms are as InfluxDB has them', async (context) => {
  if (!both) return context.skip(SKIP);
  await both.reset(LINES);
  const q = 'SELECT v, s FROM cpu; SHOW SERIES; SELECT mean(v) FROM cpu GROUP BY host';
  for (const epoch of ['n', 'ns', 'u', 'ms', 's', 'm', 'h']) await same({ q, epoch });
  await same({ q, chunked: 'true', chunk_size: '2' });
  await same({ q, chunked: 'true', chunk_size: '1', epoch: 'ms' });
  await same({ q, pretty: 'true' });
  await same({ q }, { accept: 'application/csv' });
  await same({ q: 'SELECT v FROM /.*/', epoch: 's' }, { accept: 'application/csv' });
  await same({ q }, { method: 'POST' });
  await same({ q: '' });
  await same({ q: 'CREATE DATABASE other; DROP DATABASE other' }, { method: 'POST' });

  async function same(...asked: Parameters<BothServers['askText']>): Promise<void> {
    const [ours, theirs] = (await both?.askText(...asked)) ?? [];
    assert.deepEqual(ours, theirs, JSON.stringify(asked));
  }
});

test('what is deleted is gone on both', async (context) => {
  if (!both) return context.skip(SKIP);
  await both.reset(LINES);
  for (const q of [
    "DELETE FROM cpu WHERE host = 'a' AND time < 2s",
    "DROP SERIES FROM mem WHERE host = 'a'",
    'DROP MEASUREMENT str',
    "DELETE WHERE host = 'b'",
  ]) {
    const [done, real] = await both.askText({ q }, { method: 'POST' });
    assert.deepEqual(done, real, q);
    const [ours, theirs] = await both.askText({
      q: 'SELECT v FROM /.*/ GROUP BY *; SHOW MEASUREMENTS; SHOW SERIES',
    });
    assert.deepEqual(ours, theirs, q);
  }
});
