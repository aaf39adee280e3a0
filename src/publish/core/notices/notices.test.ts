import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTICE_EVENTS } from '../../../home/core/home.ts';
import { type Notice, pageLink } from './notice.ts';
import {
  type Delivery,
  fingerprintOf,
  isQuiet,
  isWanted,
  mergePending,
  type Pending,
  passesQuiet,
  wallIn,
} from './pending-notices.ts';
import { digestOf, planMessages } from './plan-messages.ts';

const make = (more: Partial<Notice> = {}): Notice => ({
  topic: 't',
  event: 'regression',
  state: 'found',
  severity: 'warning',
  at: 0,
  project: 'p',
  title: 'title',
  text: '',
  facts: [],
  mentions: [],
  charts: [],
  strength: 1,
  experiment: 'sort/small',
  ...more,
});
const deliveries = (notice: Notice, more: Partial<Delivery> = {}) =>
  new Map([
    [notice.topic, { state: notice.state, mark: fingerprintOf(notice), at: 0, receipt: 'r', ...more }],
  ]);
const pendingOf = (notice: Notice, isHeld = false): Pending => ({ notice, since: 0, isHeld });
const ALL = { updates: true, threads: true, images: true };
const NONE = { updates: false, threads: false, images: false };
const route = { experiments: [], severity: 'warning', events: NOTICE_EVENTS } as const;
const nobody: ReadonlyMap<string, Delivery> = new Map();

test('quiet hours go over midnight, know weekends, and the clocks of their zone', () => {
  const night = { hours: { from: 22 * 60, until: 7 * 60 }, weekends: false };
  const at = (hour: number, minute = 0, weekday = 3) => ({ weekday, hour, minute });
  assert.deepEqual(
    [at(21, 59), at(22), at(0), at(6, 59), at(7)].map((wall) => isQuiet(night, wall)),
    [false, true, true, true, false],
  );
  assert.equal(isQuiet({ weekends: true }, at(12, 0, 6)), true);
  assert.equal(isQuiet({ weekends: true }, at(12, 0, 1)), false);
  const sunday = Date.UTC(2026, 2, 29, 0, 30);
  assert.deepEqual(wallIn('Europe/Berlin', sunday), { weekday: 0, hour: 1, minute: 30 });
  // The hour after is three o'clock: clocks were set.
  assert.deepEqual(wallIn('Europe/Berlin', sunday + 3_600_000), { weekday: 0, hour: 3, minute: 30 });
});

test('quiet hours let through what is excepted, and not that it is over', () => {
  const passing = (except: Parameters<typeof passesQuiet>[1]['except'], more: Partial<Notice>) =>
    passesQuiet(make(more), { except });
  assert.equal(passing(['night-broken'], { event: 'night-broken', severity: 'warning' }), true);
  assert.equal(passing(['night-broken'], { severity: 'critical' }), false);
  assert.equal(passing(['critical'], { severity: 'critical' }), true);
  assert.equal(passing(['critical'], { severity: 'warning' }), false);
  assert.equal(passing(['warning'], { severity: 'critical' }), true);
  assert.equal(passing(['failed'], { event: 'failed', state: 'recovered' }), false);
  assert.equal(passing([], { event: 'night-broken', severity: 'critical' }), false);
});

test('a destination gets what its route asks for, once, and later states of it', () => {
  const subscriber = { route, deliveries: nobody, canUpdate: true };
  assert.equal(isWanted(make(), subscriber), true);
  assert.equal(isWanted(make({ severity: 'info' }), subscriber), false);
  assert.equal(isWanted(make({ isAfterthought: true }), subscriber), false);
  const only = { ...subscriber, route: { ...route, experiments: ['sort*'] } };
  assert.equal(isWanted(make(), only), true);
  assert.equal(isWanted(make({ experiment: 'parse' }), only), false);
  const { experiment: _, ...whole } = make();
  assert.equal(isWanted(whole, only), false);
  const before = { ...subscriber, deliveries: deliveries(make()) };
  assert.equal(isWanted(make(), before), false, 'the same');
  assert.equal(isWanted(make({ state: 'withdrawn', severity: 'info' }), before), true);
  assert.equal(isWanted(make({ text: 'more' }), before), true, 'a silent change');
  assert.equal(isWanted(make({ text: 'more' }), { ...before, canUpdate: false }), false);
  const closed = { ...subscriber, deliveries: deliveries(make({ state: 'withdrawn' })) };
  assert.equal(isWanted(make(), closed), true, 'it begins anew');
});

test('what ended before its first message is not sent', () => {
  const around = { deliveries: nobody, now: 5 };
  const { pending } = mergePending([pendingOf(make(), true)], [make({ state: 'withdrawn' })], around);
  assert.deepEqual(pending, []);
  const heard = { deliveries: deliveries(make()), now: 5 };
  const merged = mergePending([pendingOf(make())], [make({ state: 'withdrawn' })], heard);
  assert.deepEqual(merged.pending, [{ notice: make({ state: 'withdrawn' }), since: 0, isHeld: false }]);
  const many = Array.from({ length: 600 }, (_, index) => make({ topic: `t${index}` }));
  const bounded = mergePending([], many, around);
  assert.deepEqual(
    [bounded.pending.length, bounded.dropped, bounded.pending[0]?.notice.topic],
    [500, 100, 't100'],
  );
});

test('a few are messages of their own, many are one, and news belong to the first message', () => {
  const kinds = (pending: readonly Pending[], book: ReadonlyMap<string, Delivery>, supports = ALL) =>
    planMessages(pending, book, supports).map(({ as }) => as.map(({ kind }) => kind).join());
  assert.deepEqual(kinds([pendingOf(make())], nobody), ['new']);
  const news = [pendingOf(make({ state: 'confirmed' }))];
  assert.deepEqual(kinds(news, deliveries(make())), ['update,reply']);
  assert.deepEqual(kinds(news, deliveries(make()), { ...NONE, threads: true }), ['reply']);
  assert.deepEqual(kinds(news, deliveries(make()), NONE), ['new']);
  assert.deepEqual(
    kinds(news, deliveries(make(), { isDigest: true })),
    ['reply'],
    'a digest is about others, too',
  );
  assert.deepEqual(kinds([pendingOf(make({ text: 'x' }))], deliveries(make())), ['update']);
  const six = Array.from({ length: 6 }, (_, index) => pendingOf(make({ topic: `t${index}` })));
  assert.deepEqual(kinds(six.slice(1), nobody), ['new', 'new', 'new', 'new', 'new']);
  const [digest, ...rest] = planMessages(six, nobody, ALL);
  assert.deepEqual([digest?.isDigest, digest?.covers.length, rest], [true, 6, []]);
  const held = [pendingOf(make({ topic: 'a' }), true), pendingOf(make({ topic: 'b' }))];
  assert.equal(planMessages(held, nobody, ALL).length, 1);
});

test('notices of one commit are one message, named by it', () => {
  const cause = { key: 'engine c3', title: 'engine c3 Use a slower hash (Ada)' };
  const facts = [
    { name: 'Level', value: '1 -> 2' },
    { name: 'Commits', value: cause.title },
  ];
  const pending = ['a', 'b', 'c'].map((topic) => pendingOf(make({ topic, cause, facts })));
  const other = pendingOf(make({ topic: 'd' }));
  const [first, second, ...rest] = planMessages([...pending, other], nobody, ALL);
  assert.deepEqual([first?.covers.length, second?.covers.length, rest], [3, 1, []]);
  assert.equal(first?.notice.title, '3 regressions: engine c3 Use a slower hash (Ada)');
  assert.deepEqual(
    first?.notice.facts.map(({ name }) => name),
    ['Commits'],
  );
});

test('300 regressions are one message with the ten strongest', () => {
  const all = Array.from({ length: 300 }, (_, index) =>
    make({ topic: `t${index}`, title: `r${index}`, strength: index, charts: [`c${index}`] }),
  );
  const digest = digestOf([
    ...all,
    make({ topic: 'n', event: 'failed', state: 'recovered', severity: 'info' }),
  ]);
  assert.equal(digest.title, '301 notices: 300 regressions, 1 failed experiment recovered');
  const lines = digest.text.split('\n');
  assert.deepEqual([lines.length, lines[0], lines[9], lines[10]], [11, '• r299', '• r290', 'and 291 more.']);
  assert.deepEqual([digest.severity, digest.charts], ['warning', ['c299', 'c298', 'c297']]);
  const small = make({ topic: 'small', title: 'small', severity: 'critical', strength: 0.01 });
  const mixed = digestOf([
    small,
    make({ title: 'large' }),
    make({ topic: 'i', severity: 'info', strength: 9 }),
  ]);
  assert.deepEqual([mixed.severity, mixed.text], ['critical', '• large\n• small\n• title']);
});

test('a name is one part of an address', () => {
  const { link } = pageLink('https://h/x/', 'experiments', '../a b?c#d/\ud800');
  assert.equal(link, 'https://h/x/experiments/..%2Fa%20b%3Fc%23d%2F%EF%BF%BD');
  assert.deepEqual(pageLink(undefined, 'runs', 'a'), {});
});
