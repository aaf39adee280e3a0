import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYamlValue } from '../../platform/config/parse-yaml.ts';
import { yamlText } from './yaml-text.ts';

test('what is written is read as it was, and moves no cursor', () => {
  const bad = 'a\u001b[2J\u009b31m\u202ex\u0007\r\n\u007f\u2028: #"\\';
  const value = { [bad]: bad, lines: 'one\ntwo\n', yes: 'yes', number: '1', list: [1, { inner: bad }] };
  const text = yamlText(value);
  assert.doesNotMatch(text, /(?!\n)[\p{Cc}\u2028-\u202e]/u);
  assert.deepEqual(parseYamlValue(text), value);
});
