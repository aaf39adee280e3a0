import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunView, TaskView } from '../../app/runs/read-run.ts';
import { timelineOf, timeTicks } from './timeline-rows.ts';

const run = (state: string, endedAt?: number) =>
  ({ id: 'r', state, startedAt: 1000, ...(endedAt !== undefined && { endedAt }) }) as RunView['run'];
const task = (name: string, state: string, more: Partial<TaskView> = {}) =>
  ({ trial: { kind: 'experiment', task: name, state }, stages: [], ...more }) as unknown as TaskView;
const stage = (name: string, startedAt: number, durationMs: number, success = true) =>
  ({ stage: name, startedAt, durationMs, success }) as TaskView['stages'][number];

test('stages are bars, and the span is that of the run', () => {
  const tasks = [
    task('a', 'failed', { stages: [stage('precheck', 1000, 1), stage('run', 2000, 500, false)] }),
    task('b', 'succeeded', { stages: [stage('run', 3000, 1000)] }),
  ];
  const timeline = timelineOf({ run: run('finished', 9000), tasks }, 99_999);
  assert.deepEqual(timeline?.span, [1000, 9000]);
  assert.deepEqual(
    timeline?.rows.map(({ key, bars }) => [key, bars]),
    [
      ['experiment/a', [{ name: 'run', state: 'failed', from: 2000, to: 2500 }]],
      ['experiment/b', [{ name: 'run', state: 'succeeded', from: 3000, to: 4000 }]],
    ],
  );
});

test('while it runs, what is at work grows, and what waits is expected as long as it took before', () => {
  const tasks = [
    task('a', 'running', { atWork: { stage: 'run', startedAt: 2000 } }),
    task('b', 'waiting'),
    task('c', 'waiting'),
    task('d', 'waiting'),
  ];
  const sinceBefore = {
    durations: { 'experiment/a': 3000, 'experiment/b': 100, 'experiment/d': 50 },
  } as unknown as NonNullable<RunView['sinceBefore']>;
  const timeline = timelineOf({ run: run('running'), tasks, sinceBefore }, 4000);
  assert.deepEqual(
    timeline?.rows.map(({ bars }) => bars.map(({ state, from, to }) => [state, from, to])),
    [[['running', 2000, 4000]], [['expected', 5000, 5100]], [], [['expected', 5100, 5150]]],
  );
  assert.deepEqual(timeline?.span, [1000, 5150]);
});

test('without stages, or with times that are none, there is no timeline', () => {
  assert.equal(timelineOf({ run: run('finished'), tasks: [task('a', 'succeeded')] }, 5), undefined);
  const odd = task('a', 'succeeded', { stages: [stage('run', Number.NaN, 1)] });
  assert.equal(timelineOf({ run: run('finished'), tasks: [odd] }, 5), undefined);
});

test('ticks are round and few', () => {
  assert.deepEqual(timeTicks([500, 4200], 8), [1000, 2000, 3000, 4000]);
  assert.equal(timeTicks([0, 3_600_000], 8).length, 7);
  assert.ok(timeTicks([0, 400 * 86_400_000], 8).length <= 9);
});
