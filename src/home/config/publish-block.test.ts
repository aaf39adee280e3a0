import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schedule, toSchedule } from './native-schema.ts';
import { publish, toTargets } from './publish-block.ts';

const problems = (input: unknown) => {
  const { error } = publish.safeParse(input);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
};

test('a target is a text or a mapping', () => {
  assert.deepEqual(
    toTargets(
      publish.parse([
        'dir:../site',
        { to: 'git:git@host:o/r.git#pages', on: 'good nights', 'max-size': '2MB', 'write-old': true },
      ]),
    ),
    [
      { to: 'dir:../site', on: 'every night', maxBytes: 500 * 1024 ** 2, writesOld: false, tries: 3 },
      {
        to: 'git:git@host:o/r.git#pages',
        on: 'good nights',
        maxBytes: 2 * 1024 ** 2,
        writesOld: true,
        tries: 3,
      },
    ],
  );
});

test('secrets, unknown places and the same place twice are refused', () => {
  for (const to of [
    'git:https://t0ken@host/r#pages',
    'git:ssh://me:pass@host/r',
    's3:http://a:b@host/bucket',
  ])
    assert.match(problems([{ to }]).join(), /without user and password/);
  assert.deepEqual(problems(['git:ssh://git@host/r']), []);
  assert.match(problems(['ftp:host']).join(), /dir:PATH/);
  assert.match(problems([{ to: 'dir:a' }, 'dir:a']).join(), /^1: a target of its own/);
  assert.equal(problems([{ to: 'dir:a', 'max-size': '5' }]).length, 1);
  assert.match(problems('dir:a').join(), /a list of targets/);
});

test('a schedule has times, new commits, or both', () => {
  const read = (input: unknown) => toSchedule(schedule.parse(input), { timezone: 'UTC', pull: false });
  assert.deepEqual(read('0 2 * * *'), { cron: '0 2 * * *', timezone: 'UTC', pull: false });
  assert.deepEqual(read({ 'new-commits': '10m' }), { commitsEveryMs: 600_000, timezone: 'UTC', pull: false });
  assert.deepEqual(read({ cron: '0 2 * * *', 'new-commits': '1h' }), {
    cron: '0 2 * * *',
    commitsEveryMs: 3_600_000,
    timezone: 'UTC',
    pull: false,
  });
  for (const bad of [{}, { 'new-commits': '1s' }, { 'new-commits': true }, { cron: 'daily' }, 5])
    assert.equal(schedule.safeParse(bad).success, false, JSON.stringify(bad));
});
