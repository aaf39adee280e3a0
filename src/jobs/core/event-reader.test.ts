import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { EventReader } from './event-reader.ts';

const job = { id: 'a'.repeat(24), user: 'ada', project: 'p', experiment: 'e x', name: 'n', workers: 1 };
const reader = (more: Partial<typeof job> = {}, rank = 0) =>
  new EventReader({
    job: { ...job, ...more },
    rank,
    host: 'h1',
    md5: (text) => createHash('md5').update(text).digest('hex'),
    now: () => 1_500_000_000_000,
  });
const line = (event: object) => `${JSON.stringify(event)}\n`;
const TAGS = 'experiment=e\\ x,host=h1,job=n,job_id=aaaaaaaaaaaaaaaaaaaaaaaa,project=p';

test('a metric becomes a point with the tags of its job, and a summary', () => {
  const events = reader();
  const first = events.read(
    line({ type: 'metric', measurement: 'loss', fields: { value: 2 }, tags: { split: 'train' }, time: 1.5 }),
  );
  assert.deepEqual(first.points, [`loss,${TAGS},split=train,user=ada value=2.0 1500000000`]);
  const again = events.read(
    line({ type: 'metric', measurement: 'loss', fields: { value: 0.5 }, tags: { split: 'train' }, time: 2 }) +
      line({
        type: 'metric',
        measurement: 'loss',
        fields: { value: 'nan' },
        tags: { split: 'train' },
        time: 3,
      }),
  );
  const [metric] = again.news.metrics ?? [];
  assert.deepEqual(metric?.fields, { value: { count: 3, last: 'nan', min: 0.5, max: 2 } });
  assert.deepEqual(metric?.tags, { split: 'train' });
  assert.equal(again.points.length, 2);
  assert.match(again.points[1] ?? '', / value=nan 3000000000$/);
});

test('ids of metrics are those of Python, with the worker only where there are several', () => {
  const event = line({ type: 'metric', measurement: 'naïve', fields: { value: 1 }, tags: { b: true, a: 3 } });
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  assert.equal(
    reader().read(event).news.metrics?.[0]?.id,
    md5('{"a": 3, "b": true, "measurement": "na\\u00efve"}'),
  );
  assert.equal(
    reader({ workers: 2 }, 1).read(event).news.metrics?.[0]?.id,
    md5('{"a": 3, "b": true, "measurement": "na\\u00efve", "worker": 1}'),
  );
});

test('an id that comes with a metric is taken: 1 and 1.0 are two tags in Python', () => {
  const events = reader();
  const metric = (id: unknown, value: number) =>
    line({ type: 'metric', measurement: 'm', fields: { value }, tags: { k: 1 }, id } as object);
  const { news } = events.read(
    metric('a'.repeat(32), 1) + metric('b'.repeat(32), 2) + metric('a'.repeat(32), 3) + metric('no id', 4),
  );
  const md5 = createHash('md5').update('{"k": 1, "measurement": "m"}').digest('hex');
  assert.deepEqual(
    news.metrics?.map(({ id, fields }) => [id, fields['value']?.count, fields['value']?.last]),
    [
      ['a'.repeat(32), 2, 3],
      ['b'.repeat(32), 1, 2],
      [md5, 1, 4],
    ],
  );
});

test('a program says which signal ended it', () => {
  const events = reader();
  assert.equal(events.read(line({ type: 'cancelled', signal: 'SIGTERM' })).cancelledBy, 'SIGTERM');
  assert.equal(events.read(line({ type: 'cancelled', signal: 'rm -rf' })).cancelledBy, undefined);
  assert.equal(events.refused, 1);
});

test('news of one piece are laid together', () => {
  const { news, exception } = reader().read(
    line({ type: 'info', values: { 'state.progress': 0.1, a: 1 } }) +
      line({ type: 'info', values: { 'state.progress': 0.4 } }) +
      line({ type: 'image', key: 'k', path: 'k.png' }) +
      line({ type: 'runtime', event: 'fwd.pass', mean: 1, std: 0.1, instances: 3 }) +
      line({ type: 'config', config: { lr: 1 } }) +
      line({ type: 'exception', exception: "ValueError('x')", traceback: 'T' }),
  );
  assert.deepEqual(news, {
    config: { lr: 1 },
    info: { 'state.progress': 0.4, a: 1 },
    images: { k: 'k.png' },
    timings: [{ event: 'fwd_pass', rank: 0, mean: 1, std: 0.1, instances: 3 }],
  });
  assert.deepEqual(exception, { exception: "ValueError('x')", traceback: 'T' });
});

test('pieces may end anywhere', () => {
  const text = line({ type: 'info', values: { a: 'ü' } }) + line({ type: 'info', values: { b: 2 } });
  const events = reader();
  const infos = [...text].map((letter) => events.read(letter).news.info).filter(Boolean);
  assert.deepEqual(infos, [{ a: 'ü' }, { b: 2 }]);
  assert.deepEqual(events.read('{"type":"info","values":{"c":3}}', true).news.info, { c: 3 });
});

test('what is no event is counted and stops nothing', () => {
  const events = reader();
  const bad = ['nonsense', '[1]', '{"type":"what"}', '{"type":"metric"}', '{"type":"image","key":1}', 'null'];
  const { news } = events.read(`${bad.join('\n')}\n\n${line({ type: 'info', values: { ok: true } })}`);
  assert.deepEqual(news.info, { ok: true });
  assert.equal(events.refused, bad.length);
  assert.match(events.firstRefusal ?? '', /not JSON: nonsense/);
});

test('a line without an end does not fill the memory', () => {
  const events = reader();
  for (let at = 0; at < 6; at++) events.read('x'.repeat(1024 * 1024));
  const { news } = events.read(`y\n${line({ type: 'info', values: { after: 1 } })}`);
  assert.deepEqual(news.info, { after: 1 });
  assert.equal(events.refused, 1);
});
