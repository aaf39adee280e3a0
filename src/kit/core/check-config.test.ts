import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConfig, isBoolean, isString, matchValues, nonNegative } from './check-config.ts';
import { checkPrerequisites } from './prerequisites.ts';

const rules = {
  defaults: { devices: ['cpu'], runs: 5, title: 'x' },
  acceptable: { devices: ['cpu', 'gpu'] },
  conditions: { runs: nonNegative, title: isString, quick: isBoolean },
};

test('defaults are filled in, lists lose their duplicates and keep their order', () => {
  const config = { devices: ['gpu', 'cpu', 'gpu'], runs: null, other: [1, 1], notify: [] };
  assert.deepEqual(checkConfig(config, rules), {
    isValid: true,
    config: { devices: ['gpu', 'cpu'], runs: 5, title: 'x', other: [1], notify: [] },
  });
});

test('the first thing that is wrong is the message', () => {
  for (const [config, message] of [
    [{ devices: [] }, 'Config field devices is not permitted to be empty'],
    [{ devices: ['cpu', 'tpu'] }, 'Invalid value tpu for field devices'],
    [{ runs: -1 }, '-1 does not meet precondition "must be non-negative" for field runs'],
    [{ quick: 1 }, '1 does not meet precondition "must be bool" for field quick'],
  ] as const) {
    assert.deepEqual(checkConfig(config, rules), { isValid: false, message });
  }
});

test('values match as Python compares, lists by what is in them', () => {
  assert.ok(matchValues([1, true], [3, 1, 2]));
  assert.ok(matchValues([], [1]));
  assert.ok(matchValues([[1, 2]], [[1, 2], 3]));
  assert.ok(!matchValues([4], [1]));
  assert.ok(!matchValues('cpu', ['cpu']));
});

test('prerequisites name the first thing that is missing', async () => {
  const facts = { isValid: true, config: { active: true, devices: ['cpu'] }, isAnalyzed: true };
  const ask = async (more: object, fields = { devices: ['cpu'] }) =>
    (await checkPrerequisites({ cnn: fields }, async () => ({ ...facts, ...more }))).message;
  assert.equal(await ask({}), 'success');
  assert.equal(await ask({ isValid: false }), 'Config invalid for cnn');
  assert.equal(await ask({ config: {} }), 'Required experiment cnn not active');
  assert.equal(await ask({ config: { active: true } }), 'Config for experiment cnn is missing field devices');
  assert.equal(
    await ask({}, { devices: ['gpu'] }),
    'Config for cnn does not match requirements for entry devices',
  );
  assert.equal(await ask({ isAnalyzed: false }), 'cnn failed to produce analyzed data');
});
