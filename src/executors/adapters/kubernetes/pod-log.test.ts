import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StampedLines } from './pod-log.ts';

const stamp = (fraction: string) => `2026-01-02T03:04:05${fraction}Z`;
const LOG = `${stamp('.1')} one\n${stamp('.12')} two words\n${stamp('.12')} \n${stamp('.120000001')} four\n`;
const TEXT = 'one\ntwo words\n\nfour\n';

test('stamps are taken off, wherever the bytes are cut', () => {
  for (let cut = 0; cut <= LOG.length; cut++) {
    const lines = new StampedLines();
    lines.begin();
    const parts = [LOG.slice(0, cut), LOG.slice(cut)].map((part) => lines.take(Buffer.from(part)).toString());
    assert.equal(parts.join(''), TEXT);
  }
});

test('after a break anywhere nothing is doubled and nothing is lost', () => {
  for (let cut = 0; cut <= LOG.length; cut++) {
    const lines = new StampedLines();
    lines.begin();
    const before = lines.take(Buffer.from(LOG.slice(0, cut))).toString();
    assert.equal(lines.since, before === '' && !LOG.slice(0, cut).includes(' ') ? undefined : stamp(''));
    lines.begin();
    // The second is asked for again, whole.
    const again = lines.take(Buffer.from(LOG)).toString();
    assert.equal(before + again, TEXT, `cut at ${cut}`);
  }
});

test('a clock that goes back takes no lines away', () => {
  const lines = new StampedLines();
  lines.begin();
  assert.equal(lines.take(Buffer.from(`${stamp('.5')} a\n${stamp('.1')} b\n`)).toString(), 'a\nb\n');
});

test('what a node says in place of a log is kept', () => {
  const lines = new StampedLines();
  lines.begin();
  assert.equal(
    lines.take(Buffer.from('unable to retrieve container logs\n')).toString(),
    'unable to retrieve container logs\n',
  );
  assert.equal(lines.since, undefined);
});
