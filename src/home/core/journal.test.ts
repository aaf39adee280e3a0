import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JournalEvent, parseJournal, trustedEvents } from './journal.ts';

const line = (event: object) => `${JSON.stringify(event)}\n`;
const skip = (task: string): JournalEvent => ({ type: 'skip', task, kind: 'experiment', reason: '' });
const begin = (bootId?: string) => ({ type: 'begin', ...(bootId && { bootId }) }) as unknown as JournalEvent;
const resume = (bootId: string): JournalEvent => ({ type: 'resume', at: 0, bootId });
const flushed: JournalEvent = { type: 'flushed' };
const names = (events: readonly JournalEvent[]) =>
  events.flatMap((event) => (event.type === 'skip' ? [event.task] : []));

test('a line that was cut off is left out, wherever it stands', () => {
  const text = `${line(begin('1'))}${line(skip('a'))}{"type":"ski\n${line(resume('1'))}${line(skip('b'))}{"type"`;
  assert.deepEqual(names(parseJournal(text)), ['a', 'b']);
  assert.deepEqual(parseJournal(''), []);
});

test('after a kill every line counts', () => {
  assert.deepEqual(names(trustedEvents([begin('1'), skip('a'), flushed, skip('b')], '1')), ['a', 'b']);
});

test('after another boot only what was flushed counts', () => {
  assert.deepEqual(names(trustedEvents([begin('1'), skip('a'), flushed, skip('b')], '2')), ['a']);
  assert.deepEqual(trustedEvents([begin('1'), skip('a')], '2'), []);
});

test('what a power cut took stays lost, also after a kill in the boot that followed', () => {
  const events = [begin('1'), skip('a'), flushed, skip('lost'), resume('2'), skip('b'), flushed, skip('c')];
  assert.deepEqual(names(trustedEvents(events, '2')), ['a', 'b', 'c']);
  assert.deepEqual(names(trustedEvents(events, '3')), ['a', 'b']);
});

test('where boots cannot be distinguished, only what was flushed counts', () => {
  assert.deepEqual(names(trustedEvents([begin(), skip('a'), flushed, skip('b')], undefined)), ['a']);
});
