import assert from 'node:assert/strict';
import { test } from 'node:test';
import { artifactValue } from './iteration-table.ts';

test('of lscpu and meminfo one line is meant, of the others the text', () => {
  assert.equal(
    artifactValue('lscpu', 'Architecture: x\nModel name:   Xeon @ 2.1\nBIOS Model name: a: b\n'),
    'Xeon @ 2.1',
  );
  assert.equal(artifactValue('lscpu', 'BIOS Model name: first: second\n'), 'first');
  assert.equal(artifactValue('lscpu', 'lscpu: not found'), '');
  assert.equal(artifactValue('meminfo', 'MemTotal:       16375728 kB\nMemFree: 1 kB\n'), '16375728 kB');
  assert.equal(artifactValue('uname', ' Linux x \n'), 'Linux x');
  assert.equal(artifactValue('compiler', 'gcc 12\nfree\n'), 'gcc 12\nfree');
  assert.equal(artifactValue('env', `PATH=/bin\n${'x'.repeat(300)}`), 'PATH=/bin');
  assert.equal(artifactValue('constructor', 'a'), 'a');
});
