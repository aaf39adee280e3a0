import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fieldsOf } from '../../cli/config/definition-fields.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { seededRandom } from '../../stats/random.ts';
import { checkHome } from './check-home.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nightmark-hostile-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Values that somebody could write for any key, by mistake or on purpose. */
const HOSTILE: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  '\0',
  '../../x',
  '~',
  '-rf',
  'x'.repeat(5000),
  '\u001b[31m',
  [],
  [null],
  [[]],
  ['..'],
  [{}],
  {},
  { '': '' },
  { '..': { git: '..' } },
  { a: null },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}') as JsonValue,
];

/** Keys below a name of one's own, and those whose reading is that of a sibling. */
const ALIKE = /\*|timeout\.(?!run)|retention\.(?!raw)|source\.(?!name|git)|results\.(?!path|value)/;

/** Keys without "*": {"timeout": {"run": value}} for timeout.run. */
function nested(key: string, value: JsonValue): Record<string, JsonValue> {
  return Object.fromEntries(
    [key.split('.')].map(([first = '', ...rest]) => [
      first,
      rest.length > 0 ? nested(rest.join('.'), value) : value,
    ]),
  );
}

const check = () => checkHome(home, {}, { disk: localDisk, userHome: '/users/me', env: {} });
/** Taken away first: a file that is written over waits for the disk, and there are thousands. */
function write(file: string, text: string): void {
  rmSync(join(home, file), { force: true });
  writeFileSync(join(home, file), text);
}

for (const dialect of ['native', 'dashboard'] as const) {
  test(`no value of any key of the ${dialect} dialect makes reading fail by our fault`, async () => {
    mkdirSync(join(home, 'config/experiments/x'), { recursive: true });
    const top = dialect === 'native' ? {} : { tmp_data_dir: 't', backup_dir: 'b', setup_dir: 's' };
    const file = dialect === 'native' ? 'nightmark.yml' : 'config.json';
    for (const { scope, key } of fieldsOf(dialect)) {
      if (scope === 'subsystem' || ALIKE.test(key)) continue;
      for (const value of HOSTILE) {
        const given = nested(key, value);
        const config = { active: true, ...(dialect === 'native' ? { run: 'true' } : {}), ...given };
        const experiments: Record<string, JsonValue> =
          dialect === 'native' ? { experiments: { x: config } } : {};
        write(file, JSON.stringify(scope === 'top' ? { ...top, ...given } : { ...top, ...experiments }));
        write(
          'config/experiments/x/config.json',
          JSON.stringify(scope === 'top' ? { active: true } : config),
        );
        const { reading, problems } = await check();
        if (reading === undefined) assert.ok(problems.some(({ severity }) => severity === 'error'));
        for (const task of reading?.home.tasks ?? []) {
          assert.equal(
            task.state === 'broken',
            task.problem !== undefined,
            `${key}: ${JSON.stringify(value)}`,
          );
          for (const source of task.sources) assert.match(source.name, /^(?!\.\.?$)[^/\0]+$/);
        }
      }
    }
  });
}

test('a file with random damage is read or refused, never more', async () => {
  const good =
    'project: p\nexperiments:\n  a: &x {run: "echo", timeout: 2h}\n  b: *x\ntasks:\n  - &y [a, b]\n';
  const random = seededRandom(11);
  const pieces = [...'{}[]:,&*!|>-\'"#%@`\n\t ?\0\u{1F600}', '<<', '---', '\r\n'];
  for (let round = 0; round < 400; round++) {
    let text = good;
    for (let edit = 0; edit < 4; edit++) {
      const at = Math.floor(random() * text.length);
      const piece = pieces[Math.floor(random() * pieces.length)] ?? '';
      text = `${text.slice(0, at)}${piece}${text.slice(at + Math.floor(random() * 3))}`;
    }
    write('nightmark.yml', text);
    const { reading, problems } = await check();
    assert.ok(reading !== undefined || problems.length > 0, JSON.stringify(text));
  }
});
