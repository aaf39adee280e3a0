import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCycles, orderTasks } from './task-order.ts';

const task = (name: string, after: readonly string[] = [], priority = 0) => ({ name, after, priority });
const names = (tasks: readonly { readonly name: string }[]) => tasks.map(({ name }) => name);

test('finds no cycle where there is none', () => {
  assert.deepEqual(findCycles([]), new Map());
  assert.deepEqual(findCycles([task('a', ['b', 'c']), task('b', ['c']), task('c', ['unknown'])]), new Map());
});

test('names a cycle the same way for all of its members, and for no others', () => {
  const cycles = findCycles([task('c', ['a']), task('b', ['c']), task('a', ['b']), task('d', ['a'])]);
  assert.deepEqual([...cycles.keys()].sort(), ['a', 'b', 'c']);
  for (const cycle of cycles.values()) assert.deepEqual(cycle, ['a', 'b', 'c', 'a']);
});

test('a task that waits for itself is a cycle of its own', () => {
  assert.deepEqual(findCycles([task('a', ['a'])]), new Map([['a', ['a', 'a']]]));
});

test('the shortest of several cycles is named', () => {
  const cycles = findCycles([task('a', ['b', 'c']), task('b', ['c']), task('c', ['a'])]);
  assert.deepEqual(cycles.get('a'), ['a', 'c', 'a']);
  assert.deepEqual(cycles.get('b'), ['a', 'b', 'c', 'a']);
});

test('orders by falling priority, then name', () => {
  const tasks = [task('alpha', [], 1), task('gamma', [], 5), task('beta', [], 5)];
  assert.deepEqual(names(orderTasks(tasks, { order: 'priority', seed: 0 })), ['beta', 'gamma', 'alpha']);
});

test('what a task waits for comes before it', () => {
  const tasks = [task('a', ['d'], 9), task('b', [], 5), task('c', [], 1), task('d', ['c'], 0)];
  assert.deepEqual(names(orderTasks(tasks, { order: 'priority', seed: 0 })), ['c', 'd', 'a', 'b']);
});

test('a random order depends on the seed alone and keeps dependencies', () => {
  const tasks = Array.from({ length: 20 }, (_, index) => task(`t${index}`, index === 0 ? ['t19'] : []));
  const first = names(orderTasks(tasks, { order: 'random', seed: 1 }));
  assert.deepEqual(names(orderTasks(tasks, { order: 'random', seed: 1 })), first);
  assert.notDeepEqual(names(orderTasks(tasks, { order: 'random', seed: 2 })), first);
  assert.deepEqual([...first].sort(), names(tasks).sort());
  for (let seed = 0; seed < 50; seed++) {
    const order = names(orderTasks(tasks, { order: 'random', seed }));
    assert.ok(order.indexOf('t19') < order.indexOf('t0'));
  }
});

test('a chain of 20,000 tasks and a cycle neither overflow nor hang', () => {
  const chain = Array.from({ length: 20_000 }, (_, index) => task(`t${index}`, [`t${index + 1}`]));
  assert.deepEqual(findCycles(chain), new Map());
  assert.equal(orderTasks(chain, { order: 'priority', seed: 0 })[0]?.name, 't19999');
  const cycle = [task('a', ['b']), task('b', ['a'])];
  assert.deepEqual(names(orderTasks(cycle, { order: 'priority', seed: 0 })), ['b', 'a']);
});
