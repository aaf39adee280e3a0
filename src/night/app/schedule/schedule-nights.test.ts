import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { Schedule } from '../../../home/core/home.ts';
import timetable from '../../../platform/adapters/cron.ts';
import localDisk from '../../../platform/adapters/local-disk/local-disk.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { planNext } from './run-due.ts';
import { runDueNight, scheduleNights } from './schedule-nights.ts';
import type { ScheduleEffects, ScheduleEvent } from './schedule-state.ts';

const nightly: Schedule = { cron: '0 2 * * *', timezone: 'UTC', pull: false };
const at = (text: string) => Date.parse(`2026-${text}:00Z`);

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nightmark-schedule-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface World {
  now: number;
  readonly nights: string[];
  readonly sleeps: number[];
  readonly events: ScheduleEvent[];
  readonly abort: AbortController;
  readonly effects: ScheduleEffects;
}

/** A clock that jumps over each sleep; the schedule is stopped when it reaches `end`. */
function world(start: string, end: string, rest: Partial<ScheduleEffects> = {}): World {
  const abort = new AbortController();
  const it: World = {
    now: at(start),
    nights: [],
    sleeps: [],
    events: [],
    abort,
    effects: {
      clock: {
        now: () => it.now,
        async sleep(ms: number) {
          it.sleeps.push(ms);
          it.now += ms;
          if (it.now >= at(end)) abort.abort();
        },
      } as Partial<Clock> as Clock,
      timetable,
      disk: localDisk,
      signal: abort.signal,
      holder: { pid: 1 },
      readSchedule: async () => nightly,
      async runNight() {
        it.nights.push(new Date(it.now).toISOString().slice(5, 16));
        it.now += 3600_000;
        return { exitCode: 0, message: 'fine' };
      },
      report: (event) => it.events.push(event),
      ...rest,
    },
  };
  return it;
}

test('runs each night at its time, in steps of at most a minute', async () => {
  const it = world('11-15T12:00', '11-18T00:00');
  await scheduleNights(home, it.effects);
  assert.deepEqual(it.nights, ['11-16T02:00', '11-17T02:00']);
  assert.ok(Math.max(...it.sleeps) <= 60_000);
  const waits = it.events.flatMap((event) => (event.type === 'waiting' ? [event.until] : []));
  assert.deepEqual(waits, [at('11-16T02:00'), at('11-17T02:00'), at('11-18T02:00')]);
});

test('catches a missed night up once, however many were missed', async () => {
  await scheduleNights(home, world('11-10T12:00', '11-11T12:00').effects);
  const it = world('11-15T12:00', '11-16T12:00');
  await scheduleNights(home, it.effects);
  assert.deepEqual(it.nights, ['11-15T12:00', '11-16T02:00']);
  assert.deepEqual(
    it.events.flatMap((event) => (event.type === 'night-started' ? [event.missed] : [])),
    [4, 1],
  );
});

test('a machine that sleeps through the night runs it on waking', async () => {
  const it = world('11-15T23:00', '11-17T12:00');
  const { sleep } = it.effects.clock;
  let isAsleep = true;
  const clock = {
    ...it.effects.clock,
    async sleep(ms: number) {
      await sleep(ms);
      if (isAsleep && it.now >= at('11-16T01:00')) {
        it.now = at('11-16T08:30');
        isAsleep = false;
      }
    },
  };
  await scheduleNights(home, { ...it.effects, clock });
  assert.deepEqual(it.nights, ['11-16T08:30', '11-17T02:00']);
});

test('a clock that is set back by an hour does not run the night twice', async () => {
  const it = world('11-16T01:30', '11-17T12:00');
  let isSetBack = false;
  const runNight: ScheduleEffects['runNight'] = async () => {
    it.nights.push(new Date(it.now).toISOString().slice(5, 16));
    it.now += isSetBack ? 60_000 : -3_600_000;
    isSetBack = true;
    return { exitCode: 0, message: '' };
  };
  await scheduleNights(home, { ...it.effects, runNight });
  assert.deepEqual(it.nights, ['11-16T02:00', '11-17T02:00']);
});

test('a clock that was years ahead does not stop the schedule', async () => {
  const state = { cron: '0 2 * * *', timezone: 'UTC', plannedAt: Date.parse('2031-01-01T00:00:00Z') };
  await localDisk.writeText(join(home, '.nightmark/schedule.json'), JSON.stringify(state));
  const it = world('11-15T12:00', '11-16T12:00');
  await scheduleNights(home, it.effects);
  assert.deepEqual(it.nights, ['11-16T02:00']);
});

test('a night that fails or throws does not stop the schedule', async () => {
  let count = 0;
  const it = world('11-15T12:00', '11-18T12:00');
  const runNight = async () => {
    it.now += 1;
    if (++count === 1) throw new Error('out of memory');
    return { exitCode: 4, message: 'some failed' };
  };
  await scheduleNights(home, { ...it.effects, runNight });
  assert.equal(count, 3);
  assert.deepEqual(
    it.events.flatMap((event) =>
      event.type === 'night-ended' ? [`${event.exitCode} ${event.message}`] : [],
    ),
    ['1 out of memory', '4 some failed', '4 some failed'],
  );
});

test('a failed pull is tried three times more, then the night runs with the warning', async () => {
  let pulls = 0;
  const warnings: (string | undefined)[] = [];
  const it = world('11-15T12:00', '11-16T12:00', {
    pull: async () => {
      pulls++;
      throw new Error('no route to host');
    },
    runNight: async ({ pullWarning }) => {
      warnings.push(pullWarning);
      return { exitCode: 0, message: '' };
    },
  });
  await scheduleNights(home, it.effects);
  assert.equal(pulls, 4);
  assert.deepEqual(warnings, ['Not pulled, so this night measures what was there before. no route to host']);
});

test('a pull that works at the second try leaves no warning with the night', async () => {
  let pulls = 0;
  const facts: object[] = [];
  const it = world('11-15T12:00', '11-16T12:00', {
    pull: async () => {
      if (++pulls === 1) throw new Error('busy');
    },
    runNight: async (given) => {
      facts.push(given);
      return { exitCode: 0, message: '' };
    },
  });
  await scheduleNights(home, it.effects);
  assert.deepEqual([pulls, facts], [2, [{}]]);
});

test('a changed schedule counts from now: what the old one did not plan was not missed', async () => {
  await scheduleNights(home, world('11-10T12:00', '11-11T12:00').effects);
  const readSchedule = async () => ({ ...nightly, cron: '0 10 * * *' });
  const it = world('11-15T12:00', '11-16T12:00', { readSchedule });
  await scheduleNights(home, it.effects);
  assert.deepEqual(it.nights, ['11-16T10:00']);
});

test('a definition that breaks between nights leaves the schedule as it was', async () => {
  let reads = 0;
  const readSchedule = async () => {
    if (++reads > 1) throw new Error('nightmark.yml:3: not understood');
    return nightly;
  };
  const it = world('11-15T12:00', '11-17T12:00', { readSchedule });
  await scheduleNights(home, it.effects);
  assert.deepEqual(it.nights, ['11-16T02:00', '11-17T02:00']);
  assert.ok(it.events.some((event) => event.type === 'warning' && event.message.includes('nightmark.yml:3')));
});

test('a disk that takes no state does not make a night run again and again', async () => {
  const disk = { ...localDisk, writeText: async () => Promise.reject(new Error('No space left')) };
  const it = world('11-15T12:00', '11-17T12:00', { disk });
  await scheduleNights(home, it.effects);
  assert.deepEqual(it.nights, ['11-16T02:00', '11-17T02:00']);
});

test('a damaged state is replaced', async () => {
  for (const text of ['', '{', '[]', '{"cron": 5}', 'x'.repeat(1000)]) {
    await localDisk.writeText(join(home, '.nightmark/schedule.json'), text);
    const it = world('11-15T12:00', '11-16T12:00');
    await scheduleNights(home, it.effects);
    assert.deepEqual(it.nights, ['11-16T02:00']);
    const file = readFileSync(join(home, '.nightmark/schedule.json'), 'utf8');
    assert.equal(JSON.parse(file).startedAt, at('11-16T02:00'));
  }
});

test('a night that was cut off is a warning', async () => {
  const it = world('11-15T12:00', '11-16T02:30');
  const runNight = async () => {
    it.abort.abort();
    return { exitCode: 130, message: 'interrupted' };
  };
  await scheduleNights(home, { ...it.effects, runNight });
  const next = world('11-16T12:00', '11-16T13:00');
  await scheduleNights(home, next.effects);
  assert.deepEqual(next.events[0], {
    type: 'warning',
    message: `The last night did not end. "nightmark run ${home} --resume" completes it.`,
  });
  assert.deepEqual(next.nights, []);
});

test('once: begins to count the first time, runs what is due, then reports when', async () => {
  const first = world('11-15T12:00', '12-31T00:00');
  assert.deepEqual(await runDueNight(home, first.effects), {
    state: 'not-due',
    until: at('11-16T02:00'),
    schedule: nightly,
  });
  const late = world('11-17T09:00', '12-31T00:00');
  const outcome = { exitCode: 0, message: 'fine' };
  assert.deepEqual(await runDueNight(home, late.effects), { state: 'ran', outcome });
  assert.deepEqual(await runDueNight(home, late.effects), {
    state: 'not-due',
    until: at('11-18T02:00'),
    schedule: nightly,
  });
  assert.deepEqual(late.nights, ['11-17T09:00']);
});

test('a second schedule on the home is refused with who holds it', async () => {
  const files: string[] = [];
  const locks = {
    acquire: async (file: string) => {
      files.push(file);
      return { state: 'held', holder: { pid: 4711, host: 'bench1' } } as const;
    },
  };
  await assert.rejects(scheduleNights(home, world('11-15T12:00', '11-16T12:00', { locks }).effects), {
    code: 'SCHEDULE_HELD',
    message: `${home} is scheduled already, by process 4711 on bench1.`,
  });
  assert.deepEqual(files, [join(home, '.nightmark/schedule.lock')]);
});

/** A source whose commits are "c0" and then one more at each of these moments. */
function movingSource(it: () => World, ...moments: string[]) {
  const asked: string[] = [];
  const checkSources = async () => {
    asked.push(new Date(it().now).toISOString().slice(5, 16));
    const count = moments.filter((moment) => at(moment) <= it().now).length;
    return { commits: { app: `c${count}` }, problems: [] };
  };
  return { asked, checkSources };
}

test('a new commit starts a night, checked as often as the schedule says', async () => {
  const readSchedule = async (): Promise<Schedule> => ({ commitsEveryMs: 1_800_000, pull: false });
  const { asked, checkSources } = movingSource(() => it, '11-15T14:10', '11-15T17:59');
  const it: World = world('11-15T12:00', '11-15T20:00', { readSchedule, checkSources });
  await scheduleNights(home, it.effects);
  // Each night takes an hour.
  assert.deepEqual(it.nights, ['11-15T12:00', '11-15T14:30', '11-15T18:00']);
  assert.deepEqual(asked.slice(0, 4), ['11-15T12:00', '11-15T13:00', '11-15T13:30', '11-15T14:00']);
  const [first] = it.events;
  assert.deepEqual(first?.type === 'waiting' && first.until, undefined);

  const later = world('11-15T21:00', '11-15T22:00', {
    readSchedule,
    checkSources: async () => ({ commits: { app: 'c2' }, problems: [] }),
  });
  await scheduleNights(home, later.effects);
  assert.deepEqual(later.nights, [], 'what the last night measured is remembered');
});

test('nights of the timetable measure new commits, too: no second night follows for them', async () => {
  const readSchedule = async (): Promise<Schedule> => ({ ...nightly, commitsEveryMs: 4 * 3_600_000 });
  const { checkSources } = movingSource(() => it, '11-16T01:59');
  const it: World = world('11-15T12:00', '11-17T12:00', { readSchedule, checkSources });
  await scheduleNights(home, it.effects);
  assert.deepEqual(it.nights, ['11-15T12:00', '11-16T02:00', '11-17T02:00']);
});

test('a source that does not answer is one warning, and not a new commit', async () => {
  const readSchedule = async (): Promise<Schedule> => ({ commitsEveryMs: 600_000, pull: false });
  const isAway = () => it.now > at('11-15T13:30') && it.now < at('11-15T15:00');
  const checkSources = async () =>
    isAway() ? { commits: {}, problems: ['away'] } : { commits: { app: 'c0' }, problems: [] };
  const it: World = world('11-15T12:00', '11-15T17:00', { readSchedule, checkSources });
  await scheduleNights(home, it.effects);
  assert.deepEqual(it.nights, ['11-15T12:00']);
  assert.deepEqual(
    it.events.flatMap((event) => (event.type === 'warning' ? [event.message] : [])),
    ['away'],
  );
});

test('once: a new commit is a reason, none is not', async () => {
  const readSchedule = async (): Promise<Schedule> => ({ commitsEveryMs: 600_000, pull: false });
  const checkSources = async () => ({ commits: { app: 'c0' }, problems: [] });
  const once = () =>
    runDueNight(home, world('11-15T12:00', '11-15T17:00', { readSchedule, checkSources }).effects);
  assert.equal((await once()).state, 'ran');
  const second = await once();
  assert.deepEqual([second.state, 'until' in second], ['not-due', false]);
});

test('a day that never comes is refused', () => {
  const schedule = { ...nightly, cron: '0 2 30 2 *' };
  assert.throws(() => planNext({ schedule, now: at('11-15T12:00') }, timetable), {
    code: 'SCHEDULE_INVALID',
  });
});

test('counting what was missed has an end', () => {
  const schedule = { ...nightly, cron: '* * * * *' };
  const plan = planNext({ schedule, now: at('11-15T12:00'), lastPlannedAt: at('01-01T00:00') }, timetable);
  assert.ok(plan.state === 'catch-up' && plan.missed === 1000);
});

test('a state that cannot be read is an error, not a night', async () => {
  rmSync(home, { recursive: true });
  writeFileSync(home, 'a file where the home should be');
  const it = world('11-15T12:00', '11-15T13:00');
  await scheduleNights(home, it.effects);
  assert.deepEqual(it.nights, []);
  assert.ok(it.events.some((event) => event.type === 'warning'));
});
