import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../core/executor.ts';
import { HERE } from '../core/place.ts';
import { placeCommand } from './place-command.ts';

const command: Command = {
  argv: ['true'],
  cwd: '/h',
  env: { PATH: '/bin', SLURM_JOB_ID: '7', SLURM_CONF: '/etc/s', PGPASSWORD: 'secret', LEVEL: '1' },
  logFile: '/h/log',
  timeoutMs: 60_000,
};

test('a command of this machine stays as it is', () => {
  assert.equal(placeCommand(command, undefined, []), command);
});

test('to a cluster goes neither what says where we are, nor our secrets', () => {
  const at = { ...HERE, executor: 'slurm', resources: { timeMs: 5_000 }, place: { slurm: {} } } as const;
  const placed = placeCommand(command, at, []);
  assert.deepEqual(placed.env, { PATH: '/bin', SLURM_CONF: '/etc/s', LEVEL: '1' });
  assert.deepEqual([placed.timeoutMs, placed.place, placed.container], [5_000, { slurm: {} }, undefined]);
});

test('a container sees each folder once, and more of a right where two differ', () => {
  const at = { ...HERE, executor: 'container', place: { container: { image: 'i' } } } as const;
  const folders = [
    { path: '/h', isReadOnly: false },
    { path: '/h/setup', isReadOnly: false },
    { path: '/h/kit', isReadOnly: true },
    { path: '/x', isReadOnly: true },
    { path: '/x', isReadOnly: false },
    { path: '/hh', isReadOnly: false },
  ];
  assert.deepEqual(placeCommand(command, at, folders).container, {
    image: 'i',
    folders: [
      { path: '/h', isReadOnly: false },
      { path: '/h/kit', isReadOnly: true },
      { path: '/x', isReadOnly: false },
      { path: '/hh', isReadOnly: false },
    ],
  });
});
