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

const CORNER_LINES = `cpu,host=a,core=0 v=1,n=3i,s="x" 1000000000
cpu,host=a,core=1 v=2,n=3i,s="y" 2000000000
cpu,host=b,core=0 v=3,n=5i,s="y" 13000000000
cpu,host=b,core=1 v=2.5,n=7i,s="x",ok=true 14000000000
cpu,host=Ab1,core=1 v=2.5,n=7i,ok=true 25000000000
cpu,host=a,core=0 v=9,n=1i,ok=false 36000000000
cpu,host=b,core=0 v=-3,n=1i 57000000000
mem,host=a used=1.5 1000000000
mem,host=b used=2.5 31000000000
dst v=1 1616799600000000000
dst v=2 1616886000000000000
dst v=3 1616893200000000000
dst v=4 1616968800000000000
dst v=5 1635544800000000000
dst v=6 1635631200000000000
dst v=7 1635640200000000000
dst v=8 1635643800000000000
dst v=9 1635721200000000000`;

/** Less usual questions: time zones, expressions of RE2, subqueries with fill, selectors with tags, names. */
const CORNERS: readonly string[] = [
  `CREATE DATABASE "a\0b"`,
  `CREATE DATABASE "a/b"`,
  `CREATE DATABASE ".."`,
  `CREATE DATABASE ""`,
  `SELECT mode(v) FROM cpu`,
  `SELECT mode(n) FROM cpu`,
  `SELECT mode(s) FROM cpu`,
  `SELECT mode(ok) FROM cpu`,
  `SELECT mode(n) FROM cpu GROUP BY host`,
  `SELECT mode(n) FROM cpu WHERE time >= 0 AND time < 60s GROUP BY time(20s)`,
  `SELECT mode(*) FROM cpu`,
  `SELECT integral(v) FROM cpu`,
  `SELECT integral(n) FROM cpu WHERE time >= 0 AND time < 60s GROUP BY time(20s)`,
  `SELECT integral(s) FROM cpu`,
  `SELECT mean(m) FROM (SELECT max(v) AS m FROM cpu GROUP BY host)`,
  `SELECT mean(m) FROM (SELECT max(v) AS m FROM cpu GROUP BY host) GROUP BY host`,
  `SELECT m FROM (SELECT max(v) AS m FROM cpu GROUP BY host) WHERE host = 'a'`,
  `SELECT m, host FROM (SELECT mean(v) AS m FROM cpu WHERE time >= 0 AND time < 60s GROUP BY time(30s), host fill(null))`,
  `SELECT max(v), host, core FROM cpu`,
  `SELECT max(v), host, core FROM cpu GROUP BY host`,
  `SELECT first(v), host, n FROM cpu WHERE time >= 0 AND time < 60s GROUP BY time(20s)`,
  `SELECT first(v), host, n FROM cpu WHERE time >= 0 AND time < 60s GROUP BY time(20s), core fill(none)`,
  `SELECT top(v, host, core, 3) FROM cpu`,
  `SELECT top(v, 2), host, core FROM cpu`,
  `SELECT bottom(v, host, 2), n FROM cpu`,
  `SELECT last(v), * FROM cpu`,
  `SELECT percentile(v, 50), host FROM cpu`,
  `SELECT min(v), max(v), host FROM cpu`,
  `SELECT v FROM cpu tz('Europe/Berlin')`,
  `SELECT mean(v) FROM cpu WHERE time >= 0 AND time < 60s GROUP BY time(20s) tz('Europe/Berlin')`,
  `SELECT mean(v) FROM cpu WHERE time >= '1970-01-01 01:00:00' AND time < '1970-01-01 01:01:00' GROUP BY time(20s) tz('Europe/Berlin')`,
  `SELECT count(v) FROM cpu WHERE time >= 0 AND time < 3d GROUP BY time(1d) tz('America/New_York')`,
  `SELECT count(v) FROM cpu WHERE time >= 0 AND time < 3d GROUP BY time(12h) tz('Asia/Kolkata')`,
  `SELECT count(v) FROM cpu WHERE time >= '2021-03-27' AND time < '2021-03-30' GROUP BY time(1d) fill(0) tz('Europe/Berlin')`,
  `SELECT count(v) FROM cpu WHERE time >= '2021-10-30' AND time < '2021-11-02' GROUP BY time(1d) fill(0) tz('Europe/Berlin')`,
  `SELECT count(v) FROM cpu WHERE time >= '2021-10-31' AND time < '2021-11-01' GROUP BY time(1h) fill(0) tz('Europe/Berlin')`,
  `SELECT v FROM cpu tz('Nowhere/None')`,
  `SELECT v FROM cpu LIMIT 2 tz('UTC')`,
  `SELECT sample(v, 100) FROM cpu`,
  `SELECT sample(v, 100), host FROM cpu`,
  `SELECT sample(s, 3) FROM cpu GROUP BY host`,
  `SELECT sample(v, 0) FROM cpu`,
  `SELECT sample(v) FROM cpu`,
  `SELECT v FROM cpu WHERE host =~ /(?i)AB/`,
  `SELECT v FROM cpu WHERE host =~ /a(?i)B/`,
  `SELECT v FROM cpu WHERE host =~ /(?i:A)b/`,
  `SELECT v FROM cpu WHERE host =~ /^[[:alpha:]]$/`,
  `SELECT v FROM cpu WHERE host =~ /^[[:upper:]][[:lower:]][[:digit:]]$/`,
  `SELECT v FROM cpu WHERE host =~ /^[^[:upper:]]/`,
  `SELECT v FROM cpu WHERE host =~ /\\Aa\\z/`,
  `SELECT v FROM cpu WHERE host =~ /(?P<x>A)b/`,
  `SELECT v FROM cpu WHERE host =~ /\\pL\\d/`,
  `SELECT v FROM cpu WHERE host =~ /\\QAb\\E1/`,
  `SELECT v FROM cpu WHERE host =~ /a(?=b)/`,
  `SELECT v FROM cpu WHERE host =~ /(a)\\1/`,
  `SELECT v FROM cpu WHERE host =~ /a{1001}/`,
  `SELECT v FROM cpu WHERE host =~ /(a/`,
  `SELECT v FROM cpu WHERE host =~ /[a/`,
  `SELECT v FROM cpu WHERE host =~ /*a/`,
  `SELECT v FROM cpu WHERE host =~ /a**/`,
  `SELECT v FROM cpu WHERE host =~ /a\\-b|_\\_|a/`,
  `SELECT v FROM cpu WHERE host =~ /(a+)+$/`,
  `SELECT v FROM cpu WHERE host =~ /a{,2}b/`,
  `SELECT v FROM cpu WHERE host =~ /}|]/`,
  `SELECT v FROM cpu WHERE host =~ /\\//`,
  `SELECT v FROM cpu WHERE host =~ /x*/`,
  `SELECT v FROM cpu WHERE host =~ /(?s).$/`,
  `SELECT v FROM cpu WHERE host =~ /\\bb\\b/`,
  `SELECT v FROM cpu WHERE host =~ /[\\d]$/`,
  `SELECT v FROM cpu WHERE host =~ /[b-a]/`,
  `SELECT v FROM cpu WHERE host =~ /a+?b??/`,
  `SELECT v FROM cpu WHERE host =~ /\\w+\\S/`,
  `SELECT v FROM cpu WHERE host =~ /(?U)a+/`,
  `SELECT v FROM cpu WHERE host =~ /\\x41\\x{62}/`,
  `SELECT v FROM cpu WHERE host =~ /\\y/`,
  `SELECT v FROM cpu WHERE host =~ /[[:foo:]]/`,
  `SELECT v FROM cpu WHERE host =~ /[]a]/`,
  `SELECT v FROM cpu WHERE host =~ /(?m)^b$/`,
  `SELECT v FROM cpu WHERE host =~ /\\p{Greek}|b/`,
  `SELECT v FROM cpu WHERE host =~ //`,
  `SELECT count(v) FROM dst WHERE time >= '2021-03-27' AND time < '2021-03-30' GROUP BY time(1d) fill(0) tz('Europe/Berlin')`,
  `SELECT count(v) FROM dst WHERE time >= '2021-10-29' AND time < '2021-11-02' GROUP BY time(1d) fill(0) tz('Europe/Berlin')`,
  `SELECT count(v) FROM dst WHERE time >= '2021-10-29' AND time < '2021-11-02' GROUP BY time(1d) fill(0) ORDER BY time DESC tz('Europe/Berlin')`,
  `SELECT count(v) FROM dst WHERE time >= '2021-10-29' AND time < '2021-11-02' GROUP BY time(1d) fill(none) tz('Europe/Berlin')`,
  `SELECT sum(v) FROM dst WHERE time >= '2021-10-31' AND time < '2021-11-01' GROUP BY time(1h) fill(none) tz('Europe/Berlin')`,
  `SELECT sum(v) FROM dst WHERE time >= '2021-10-31' AND time < '2021-11-01' GROUP BY time(6h) tz('Europe/Berlin')`,
  `SELECT sum(v) FROM dst WHERE time >= '2021-03-28' AND time < '2021-03-29' GROUP BY time(6h) tz('Europe/Berlin')`,
  `SELECT sum(v) FROM dst WHERE time >= '2021-03-28' AND time < '2021-03-29' GROUP BY time(6h, 1h) tz('America/New_York')`,
  `SELECT sum(v) FROM dst WHERE time >= '2021-10-01' AND time < '2021-12-01' GROUP BY time(7d) fill(none) tz('Australia/Sydney')`,
  `SELECT v FROM dst WHERE time >= '2021-10-31T00:00:00Z' AND time < '2021-11-01 00:00:00' tz('Europe/Berlin')`,
  `SELECT v FROM dst WHERE time > '2021-10-31 02:30:00' tz('Europe/Berlin')`,
  `SELECT v FROM cpu tz('')`,
  `SELECT v FROM cpu tz(5)`,
  `SELECT sum(m) FROM (SELECT max(v) AS m FROM cpu GROUP BY time(10s), host fill(0)) WHERE time >= 0 AND time < 60s GROUP BY time(20s), host`,
];

test('the same words, errors and numbers as InfluxDB, byte by byte', async (context) => {
  if (!both) return context.skip(SKIP);
  await both.reset(LINES);
  await sameAnswers(SAME);
});

test('corners of the language are as InfluxDB has them, byte by byte', async (context) => {
  if (!both) return context.skip(SKIP);
  await both.reset(CORNER_LINES);
  await sameAnswers(CORNERS);
});

test('a sample has as many points as asked for, of those there are, in their order', async (context) => {
  if (!both) return context.skip(SKIP);
  await both.reset(CORNER_LINES);
  for (const q of ['SELECT sample(v, 2) FROM cpu', 'SELECT sample(v, 1) FROM cpu GROUP BY host']) {
    const shapes: readonly string[] = (await both.ask({ q })).map((answer) =>
      JSON.stringify(answer).replace(/"1970[^\]]*/g, 'point'),
    );
    assert.equal(shapes[0], shapes[1], q);
    assert.deepEqual((await both.ask({ q }))[0], (await both.ask({ q }))[0]);
  }
});

async function sameAnswers(queries: readonly string[]): Promise<void> {
  if (!both) return;
  const differing: string[] = [];
  for (const q of queries) {
    const [ours, theirs] = await both.askText({ q });
    if (JSON.stringify(ours) !== JSON.stringify(theirs))
      differing.push(`${q}\n  ours   ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}`);
  }
  assert.deepEqual(differing, [], differing.join('\n'));
}

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
