import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const kit = join(process.cwd(), 'kit');
const golden = join(process.cwd(), 'test/golden/relay/expected/21-bash-helpers');

const recorded = (name: string) => readFileSync(join(golden, name), 'utf8');
const folder = () => mkdtempSync(join(tmpdir(), 'nightmark-helpers-'));

/** Runs a script that has sourced the kit; its arguments are $1, $2 ... */
function bash(script: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const source = `source "$BENCHMARK_DEPS/bash/common.sh"\n${script}`;
  const result = spawnSync('bash', ['-c', source, 'bash', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'], // with a socket as stdin bash takes itself for a remote shell and reads ~/.bashrc
    env: { PATH: process.env['PATH'] ?? '', BENCHMARK_DEPS: kit, ...env },
  });
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

/** Writes a status with the message and returns the bytes and the parsed file. */
function emit(flag: string, message: string, dir = folder()) {
  const input = join(folder(), 'message');
  writeFileSync(input, message);
  const script = 'IFS= read -r -d "" message < "$2" || true; emit_status_file "$1" "$message" "$3"';
  assert.deepEqual(bash(script, [flag, input, dir]), { status: 0, stdout: '', stderr: '' });
  assert.deepEqual(readdirSync(dir), ['status.json'], 'no temporary file stays');
  const text = readFileSync(join(dir, 'status.json'), 'utf8');
  return { text, status: JSON.parse(text) as { success: boolean; message: string } };
}

test('case 21.1: a plain message', () => {
  assert.equal(emit('true', 'plain').text, recorded('1-plain.json'));
});

test('case 21.2: newlines and quotes are escaped, non-ASCII characters are dropped', () => {
  assert.equal(emit('false', 'two\nlines "quoted" café').text, recorded('2-escaped.json'));
});

test('case 21.3: a backslash and a tab make valid JSON', () => {
  assert.throws(() => JSON.parse(recorded('3-backslash-tab.json')), 'the original does not');
  const { status } = emit('false', 'back\\slash\ttab');
  assert.deepEqual(status, { success: false, message: 'back\\slash\ttab\n' });
});

test('case 21.4: a failed command leaves the last 50 lines and ends the script with 1', () => {
  const dir = folder();
  const command = 'for i in $(seq 60); do echo "line $i"; done; exit 3';
  const { status, stdout } = bash('wrap_command_status "$1" "$2"; echo not reached', [dir, command]);
  assert.equal(`exit ${status}\n`, recorded('4-wrap-exit'));
  assert.equal(stdout, '');
  assert.equal(readFileSync(join(dir, 'status.json'), 'utf8'), recorded('4-wrap-fail.json'));
  const lines = readFileSync(join(dir, 'out.log'), 'utf8').split('\n').length - 1;
  assert.equal(`${lines}\n`, recorded('4-outlog-lines'));
});

test('case 21.5: a command that succeeds leaves its output and no status', () => {
  const dir = folder();
  const { status } = bash('wrap_command_status "$1" echo ok', [dir]);
  const exists = existsSync(join(dir, 'status.json')) ? 'y' : 'n';
  assert.equal(`exit ${status} status_exists=${exists}\n`, recorded('5-wrap-ok'));
  assert.equal(readFileSync(join(dir, 'out.log'), 'utf8'), recorded('out.log'));
});

test('only false and 0 mean failure; an empty flag is success', () => {
  const flags = ['false', '0', 'true', '1', '', 'False', 'two words', '-n'];
  const successes = flags.map((flag) => emit(flag, 'x').status.success);
  assert.deepEqual(successes, [false, false, true, true, true, true, true, true]);
});

test('every ASCII character survives', () => {
  const all = Array.from({ length: 127 }, (_, code) => String.fromCharCode(code + 1)).join('');
  assert.equal(emit('true', all).status.message, `${all}\n`);
});

test('hostile messages stay messages', () => {
  const hostile = [
    '',
    '-n',
    '%s %n',
    '$(touch x) `id`',
    '", "success": true, "x": "',
    '\u001b[31mred\u001b[0m',
    '&\\&\\1/',
  ];
  for (const message of [...hostile, '\n\n', 'ends in a backslash\\', 'a\r\nb', '\\u0041\\n']) {
    assert.deepEqual(emit('false', message).status, { success: false, message: `${message}\n` });
  }
});

test('a message of 1 MB is written whole', () => {
  const message = '\\"\t\u0001 line\n'.repeat(120_000);
  assert.equal(emit('false', message).status.message, `${message}\n`);
});

test('folders with spaces, quotes and a leading dash work, and are made when they are not there', () => {
  for (const name of ['with space', `quote ' and "`, '-dash', 'new\nline']) {
    const { status } = emit('true', 'here', join(folder(), name, 'deeper'));
    assert.equal(status.message, 'here\n');
  }
});

test('a status that cannot be written is an error and leaves nothing', () => {
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  assert.equal(bash('emit_status_file true x "$1/below"', [file]).status, 1);
});

test('a failure that printed binary, nothing, or one endless line still makes valid JSON', () => {
  const read = (command: string) => {
    const dir = folder();
    assert.equal(bash('wrap_command_status "$1" "$2"', [dir, command]).status, 1);
    return (JSON.parse(readFileSync(join(dir, 'status.json'), 'utf8')) as { message: string }).message;
  };
  assert.equal(read(String.raw`printf 'a\0b\377\n'; exit 1`), 'ab\n');
  assert.equal(read('exit 1'), '\n');
  assert.equal(read('echo first; echo; echo last; echo; exit 1'), 'first\n\nlast\n');
  const endless = read('head -c 3000000 /dev/zero | tr "\\0" x; exit 1');
  assert.equal(endless.length, 256 * 1024 + 1);
});

test('wrap_command_status joins its words, wrap_script_status keeps them', () => {
  const dir = folder();
  const script = join(folder(), 'a script.sh');
  writeFileSync(script, 'for word; do echo "<$word>"; done');
  assert.equal(bash('wrap_script_status "$1" "$2" "two words" "" "*"', [dir, script]).status, 0);
  assert.equal(readFileSync(join(dir, 'out.log'), 'utf8'), '<two words>\n<>\n<*>\n');
  assert.equal(bash(`IFS=,; wrap_command_status "$1" printf '%s,' a b`, [dir]).status, 0);
  assert.equal(readFileSync(join(dir, 'out.log'), 'utf8'), 'a,b,');
});

test('the functions work in strict scripts and in child scripts', () => {
  const dir = folder();
  const script =
    'set -euo pipefail -o noclobber\nfor i in 1 2; do bash -c "emit_status_file true $i \\"$1\\""; done';
  assert.deepEqual(bash(script, [dir]), { status: 0, stdout: '', stderr: '' });
  assert.equal(readFileSync(join(dir, 'status.json'), 'utf8'), '{"success": true, "message": "2\\n"}\n');
  assert.equal(bash('set -eu; wrap_command_status "$1" false', [dir]).status, 1);
});

test('script_dir sets dir_val to an absolute folder and stays where it is', () => {
  const dir = join(folder(), 'with space');
  const { stdout } = bash('mkdir -p "$1"; cd "$1/.."; script_dir "with space/x.sh"; echo "$dir_val"; pwd', [
    dir,
  ]);
  assert.equal(stdout, `${dir}\n${join(dir, '..')}\n`);
});

test('PYTHONPATH grows at its front and has no empty entry', () => {
  const script = 'include_shared_python_deps; add_to_pythonpath "/a b"; bash -c "echo \\$PYTHONPATH"';
  const withoutStandins = (text: string) => text.replaceAll(/:[^:\n]*\/standin\/\w+/g, '');
  assert.equal(withoutStandins(bash(script).stdout), `/a b:${kit}/python\n`);
  assert.equal(withoutStandins(bash(script, [], { PYTHONPATH: '/old' }).stdout), `/a b:${kit}/python:/old\n`);
});

test('python_run_trial and check_python_exit_code pass arguments on and end the script when Python fails', () => {
  const bin = folder();
  writeFileSync(join(bin, 'python3'), '#!/bin/sh\nfor a; do echo "<$a>"; done\ntest "$1" != bad.py\n', {
    mode: 0o755,
  });
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const trial = bash('python_run_trial run.py "c d" out --n 3; echo after', [], env);
  assert.equal(trial.stdout, '<run.py>\n<--config-dir>\n<c d>\n<--output-dir>\n<out>\n<--n>\n<3>\nafter\n');
  assert.deepEqual(bash('python_run_trial bad.py c o; echo after', [], env).status, 1);
  assert.equal(bash('check_python_exit_code bad.py x; echo after', [], env).stdout, '<bad.py>\n<x>\n');
});

test('only dir_val is left behind in the caller', () => {
  const script = [
    'before=$(compgen -v | sort)',
    'emit_status_file true x "$1"; wrap_command_status "$1" true; script_dir /tmp/x',
    'comm -13 <(echo "$before") <(compgen -v | sort)',
  ].join('\n');
  const left = bash(script, [folder()]).stdout.split('\n');
  assert.deepEqual(
    left.filter((name) => !/^(BASH|PIPESTATUS|_$|$|before)/.test(name)),
    ['dir_val'],
  );
});

test('sourced by hand, the kit finds itself', () => {
  const result = spawnSync('bash', ['-c', 'source kit/bash/common.sh; echo "$BENCHMARK_DEPS"'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  assert.equal(result.stdout, `${kit}\n`);
});
