import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import {
  type Filled,
  fillCommand,
  fillTemplate,
  parseTemplate,
  type TemplateStyle,
} from './fill-template.ts';

function filled(text: string, values: Readonly<Record<string, string>>, style: TemplateStyle): Filled {
  const template = parseTemplate(text, style);
  assert.notEqual(typeof template, 'string', String(template));
  return fillTemplate(template as Exclude<typeof template, string>, (name) => values[name]);
}

describe('templates of the original', () => {
  test('names become values, doubled braces braces', () => {
    const values = { model: 'm/1', 'virtual-users': '4' };
    assert.deepEqual(filled('{model}/{virtual-users}u{{x}}', values, 'benchmark'), {
      state: 'filled',
      text: 'm/1/4u{x}',
    });
  });

  test('a missing name is reported', () => {
    assert.deepEqual(filled('a{nope}', {}, 'benchmark'), { state: 'missing', name: 'nope' });
  });

  for (const text of ['{x:>3}', '{x!r}', '{0}', '{}', '{a.b}', '{a[0]}', '{x', 'x}', '{a b}'])
    test(`${text} is refused`, () => assert.equal(typeof parseTemplate(text, 'benchmark'), 'string'));
});

test('our templates leave the braces of the shell alone', () => {
  const text = `awk '{print $1}' \${HOME} { {x}; } {{x}} \${a:-\${b}}`;
  assert.deepEqual(filled(text, { x: '7' }, 'native'), {
    state: 'filled',
    text: `awk '{print $1}' \${HOME} { 7; } {x} \${a:-\${b}}`,
  });
});

describe('a value is one argument for the shell', () => {
  const hostile = `a  b'c"d$(echo no)\`echo no\`\\e\n*;f {x}`;
  for (const template of [
    'printf %s {v}',
    "printf %s '{v}'",
    'printf %s "{v}"',
    'printf %s "$(printf %s "{v}")"',
    'printf %s "$(printf %s {v})"',
    '(printf %s {v})',
    `printf %s "it's" > /dev/null; printf %s {v}`,
  ]) {
    test(template, () => {
      const parts = parseTemplate(template, 'native') as Exclude<ReturnType<typeof parseTemplate>, string>;
      const line = fillCommand(parts, () => hostile);
      assert.ok(line.state === 'filled');
      assert.equal(execFileSync('bash', ['-c', line.text], { encoding: 'utf8' }), hostile);
    });
  }

  test('plain values stay readable', () => {
    const parts = parseTemplate('run_{kind}.sh', 'benchmark') as Exclude<
      ReturnType<typeof parseTemplate>,
      string
    >;
    assert.deepEqual(
      fillCommand(parts, () => 'ok'),
      { state: 'filled', text: 'run_ok.sh' },
    );
  });
});
