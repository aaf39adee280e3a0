import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EventReader } from '../../src/jobs/core/event-reader.ts';
import { parseYamlValue } from '../../src/platform/config/parse-yaml.ts';
import { KIT, lacks, noPython, PYTHON, removeScripts, runScript } from '../support/python-job.ts';

const skip = noPython;
after(removeScripts);

test('the kit is Python 3.8', { skip }, () => {
  for (const file of ['nightmark_job.py', 'jobmonitor/api.py', 'jobmonitor/command.py'])
    execFileSync(PYTHON, [
      '-c',
      'import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 8))',
      join(KIT, file),
    ]);
});

for (const name of [
  'py_train.py',
  'happy.py',
  'my-run v2.py',
  'py.py',
  'noending',
  'sub/train.py',
  'json.py',
])
  test(`${name} runs as a script`, { skip }, () => {
    const ran = runScript(
      'import os, sys\nconfig = {"a": 1}\ndef main():\n    print(__name__, os.getcwd() == sys.path[0], config["a"])',
      { name, overrides: { a: 2 } },
    );
    const module = name.replace('sub/', '').replace(/\.py$/, '');
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, `${module} True 2\n`, '']);
  });

test('a script finds modules beside it and at the top of its code', { skip }, () => {
  const ran = runScript(
    'import top, beside\nfrom nightmark_job import log_info\ndef main(): log_info({"a": top.x + beside.y})',
    {
      name: 'sub/run.py',
      files: { 'top.py': 'x = 1', 'sub/beside.py': 'y = 2' },
    },
  );
  assert.deepEqual([ran.stderr, ran.told('info')], ['', [{ values: { a: 3 } }]]);
});

test('overrides keep the types of the defaults, and lead into objects', { skip }, () => {
  const ran = runScript(
    `config = {"lr": 0.1, "n": 3, "shape": (1, 2), "opt": {"name": "sgd", "decay": 0.5}, "a.b": 1.5, "bad": 1.0,
          "flag": False, "names": ["x"], "none": None, "gone": {"k": 1}}
def main(): print(repr(config))`,
    {
      overrides: {
        ...{ lr: 1, n: 4.5, shape: [3], opt: { decay: 2, new: 'ü' }, a: { b: 2 }, bad: 'nan', flag: true },
        ...{ names: [1, 'y'], none: { deep: 1 }, gone: 'text', extra: { x: null } },
      },
    },
  );
  const out = `'distributed_init_file': '${ran.folder}/dist_init'`;
  assert.equal(
    ran.stdout,
    "{'lr': 1.0, 'n': 4.5, 'shape': (3,), 'opt': {'name': 'sgd', 'decay': 2.0, 'new': 'ü'}, 'a.b': 2.0, 'bad': nan, " +
      "'flag': True, 'names': [1, 'y'], 'none': {'deep': 1}, 'gone': 'text', 'extra': {'x': None}, 'rank': 0, " +
      `'n_workers': 1, ${out}}\n`,
  );
});

test('a config may be missing, or the arguments of argparse', { skip }, () => {
  assert.equal(runScript('def main(): print(config["a"])', { overrides: { a: 1 } }).stdout, '1\n');
  const ran = runScript(
    'import argparse\nconfig = argparse.Namespace(a=1.0)\ndef main(): print(config.a, config.rank)',
    {
      overrides: { a: 2 },
    },
  );
  assert.deepEqual([ran.stdout, ran.told('config').length], ['2.0 0\n', 1]);
});

const ODD = {
  ...{
    text: 'a: b',
    yes: 'yes',
    no: 'No',
    one: '1',
    tilde: '~',
    empty: '',
    dash: '- x',
    quote: `'"\\`,
    lines: 'a\nb\t',
  },
  ...{
    unicode: 'Zürich 😀\u0085\u2028',
    date: '2020-01-01',
    hex: '0x1f',
    sexagesimal: '1:30',
    float: '1e-5',
    plain: 'a/b.c-d',
  },
  ...{
    list: [[1, [2]], [], {}, { a: [{ b: 1 }] }],
    object: {},
    deep: { a: { b: { c: null } } },
    'odd key: #': 1,
    '1': true,
  },
  ...{
    tiny: 0.00001,
    huge: 1e22,
    big: 123456789012,
    negative: -0.5,
    '#': '#',
    '': 'no name',
    star: '*a',
    null: 'null',
  },
};

test('rank 0 reports and writes the configuration that it runs with', { skip }, () => {
  const ran = runScript('config = {"tiny": 1.0}\ndef main(): pass', { overrides: ODD });
  const added = { rank: 0, n_workers: 1, distributed_init_file: `${ran.folder}/dist_init` };
  assert.deepEqual(ran.told('config'), [{ config: { ...ODD, ...added } }]);
  assert.deepEqual(parseYamlValue(ran.configYml ?? ''), { ...ODD, ...added });
  const other = runScript('def main(): print(config["rank"], config["n_workers"])', {
    env: { NIGHTMARK_RANK: '1', NIGHTMARK_WORKERS: '2' },
  });
  assert.deepEqual([other.stdout, other.events, other.configYml], ['1 2\n', [], undefined]);
});

test('PyYAML reads the same from config.yml', { skip: lacks('yaml') }, () => {
  const ran = runScript('config = {"nan": float("nan"), "inf": -float("inf")}\ndef main(): pass', {
    overrides: ODD,
  });
  const check =
    'import json, math, sys, yaml\nc = yaml.safe_load(open(sys.argv[1], encoding="utf-8"))\n' +
    'assert math.isnan(c.pop("nan")) and c.pop("inf") == -math.inf\nprint(json.dumps(c))';
  const text = execFileSync(PYTHON, ['-c', check, join(ran.folder, 'config.yml')], { encoding: 'utf8' });
  const { rank, n_workers, distributed_init_file, ...rest } = JSON.parse(text);
  assert.deepEqual(rest, ODD);
});

test('each function reports what it was given', { skip }, () => {
  const ran = runScript(`
import os, pathlib
def main():
    log_info({"state.progress": 0.4, "where": pathlib.Path("/x"), "set": {2, 1}, "inf": float("inf")})
    log_metric("loss", 0.5)
    log_metric("eval", {"epoch": 1, "value": float("nan"), "none": None}, {"split": "tëst", "i": 1, "f": 1.0, "b": True})
    log_metric("nothing", None)
    log_metric("many", [1, 2])
    log_runtime("fwd.pass", 0.1, 0.01, 5)
    for path in ["a.png", "code/b.png", "../outside.png"]:
        os.makedirs(os.path.dirname(os.path.join(output_dir, path)) or ".", exist_ok=True)
        open(os.path.join(output_dir, path), "w").close()
    log_image("absolute", os.path.join(output_dir, "a.png"))
    log_image("below output", "a.png")
    log_image("below code", "b.png")
    log_image("out/side", os.path.join(output_dir, "..", "outside.png"))
    log_image("later", "later.png")
    log_image("missing", "/no/such/file.png")
    os.remove(os.path.join(output_dir, "..", "outside.png"))`);
  assert.equal(ran.code, 0);
  assert.deepEqual(ran.told('info'), [
    { values: { 'state.progress': 0.4, where: '/x', set: [1, 2], inf: 'inf' } },
  ]);
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  assert.deepEqual(
    ran.told('metric').map(({ time, ...rest }) => rest),
    [
      { measurement: 'loss', fields: { value: 0.5 }, tags: {}, id: md5('{"measurement": "loss"}') },
      {
        measurement: 'eval',
        fields: { epoch: 1, value: 'nan' },
        tags: { split: 'tëst', i: 1, f: 1, b: true },
        id: md5('{"b": true, "f": 1.0, "i": 1, "measurement": "eval", "split": "t\\u00ebst"}'),
      },
    ],
  );
  assert.deepEqual(ran.told('runtime'), [{ event: 'fwd.pass', mean: 0.1, std: 0.01, instances: 5 }]);
  assert.deepEqual(
    ran.told('image').map(({ key, path }) => [key, path]),
    [
      ['absolute', 'a.png'],
      ['below output', 'a.png'],
      ['below code', 'code/b.png'],
      ['out/side', 'images/out_side.png'],
      ['later', 'later.png'],
    ],
  );
  assert.ok(existsSync(join(ran.folder, 'images/out_side.png')));
  assert.match(ran.stderr, /log_metric\('many'\): 'value' is not a number.*\n.*log_image: FileNotFoundError/);
});

test('ids of metrics are those of json.dumps, whatever the tags', { skip }, () => {
  const script = `
import json, hashlib
def main():
    for tags in [{}, {"ü": "😀\\n\\x7f"}, {"a": 1, "b": 1.0, "c": True, "d": None}, {"e": 1e22, "f": 1e-7, "g": -0.0, "i": 10**20}]:
        log_metric("naïve", 1, tags)
        log_metric("naïve", 2, tags)
        content = dict(tags, measurement="naïve")
        if config["n_workers"] > 1: content["worker"] = config["rank"]
        print(hashlib.md5(json.dumps(content, sort_keys=True).encode()).hexdigest())`;
  for (const workers of [1, 2]) {
    const ran = runScript(script, { env: { NIGHTMARK_RANK: '1', NIGHTMARK_WORKERS: String(workers) } });
    const reader = new EventReader({
      job: { id: 'a'.repeat(24), user: 'u', project: 'p', experiment: 'e', name: 'n', workers },
      rank: 1,
      host: 'h',
      md5: () => assert.fail('the id came with the event'),
      now: () => 0,
    });
    const { news, points } = reader.read(readFileSync(join(ran.folder, 'events.0.ndjson'), 'utf8'));
    assert.deepEqual(news.metrics?.map(({ id }) => id).join('\n'), ran.stdout.trim());
    assert.deepEqual([news.metrics?.[2]?.fields['value']?.count, points.length, reader.refused], [2, 8, 0]);
  }
});

test('numbers of numpy are plain numbers', { skip: lacks('numpy') }, () => {
  const ran = runScript(`
import numpy as np
config = {"lr": np.float64(0.5), "layers": np.array([1, 2]), "on": np.bool_(True)}
def main():
    log_metric("m", np.float32(0.25), {"seed": np.int64(3)})
    log_metric("m", np.array([2]), {"seed": 3})
    log_info({"scalar": np.array(1.5), "name": np.str_("x")})
    log_runtime("r", np.float64(1), np.float64(0), np.int32(4))`);
  const [{ config } = {}] = ran.told('config') as { config: Record<string, unknown> }[];
  assert.deepEqual([config?.['lr'], config?.['layers'], config?.['on']], [0.5, [1, 2], true]);
  const metrics = ran.told('metric');
  assert.deepEqual(
    metrics.map(({ fields }) => fields),
    [{ value: 0.25 }, { value: 2 }],
  );
  assert.equal(metrics[0]?.['id'], metrics[1]?.['id']);
  assert.deepEqual(ran.told('info'), [{ values: { scalar: 1.5, name: 'x' } }]);
  assert.deepEqual(ran.told('runtime'), [{ event: 'r', mean: 1, std: 0, instances: 4 }]);
  assert.equal(ran.stderr, '');
});

test('objects with item() are numbers, and what is no value is reported and harms nothing', { skip }, () => {
  const ran = runScript(`
class Tensor:
    def item(self): return 0.5
class Broken:
    def __repr__(self): raise RuntimeError("no")
    def item(self): return self
ring = {}
ring["self"] = ring
def main():
    log_metric("t", Tensor())
    for _ in range(3): log_info({"object": Broken()})
    log_info({"ring": ring})
    log_info(3)
    log_metric(None, 1, 5)
    log_info({"huge": "x" * 5000000})
    log_info({"\\ud800": "\\udfff", 1: 2})
    print("alive")`);
  assert.deepEqual([ran.code, ran.stdout], [0, 'alive\n']);
  assert.deepEqual(ran.told('metric')[0]?.['fields'], { value: 0.5 });
  assert.equal(ran.told('info').length, 5);
  assert.equal(ran.stderr.match(/a Broken cannot be kept/g)?.length, 1);
  assert.match(ran.stderr, /nested too deeply[\s\S]*TypeError[\s\S]*bytes are too much for one event/);
});

test('an events file that cannot be written is reported once', { skip }, () => {
  for (const file of ['/no/such/folder/events', '/'])
    assert.match(
      runScript('def main():\n    for i in range(9): log_info({"a": 1})\n    print("alive")', {
        env: { NIGHTMARK_JOB_EVENTS: file },
      }).stderr,
      /^nightmark: log_config: \w+Error[^\n]*\nnightmark: log_info: \w+Error[^\n]*\n$/,
    );
});

test('lines of threads and children stay whole, and no moment comes twice', { skip }, () => {
  const ran = runScript(`
import multiprocessing, os, threading
def log(who):
    for i in range(100): log_metric("m", i, {"who": who, "pad": "x" * 5000})
def main():
    threads = [threading.Thread(target=log, args=(n,)) for n in range(4)]
    children = [multiprocessing.get_context("fork").Process(target=log, args=(10 + n,)) for n in range(3)]
    for one in children + threads: one.start()
    for one in children + threads: one.join()`);
  const metrics = ran.told('metric');
  assert.equal(metrics.length, 700);
  const own = metrics.filter(({ tags }) => (tags as { who: number }).who < 10);
  assert.equal(new Set(own.map(({ time }) => Math.floor((time as number) * 1e6))).size, 400);
});

test('an exception ends the job with its text and the frames of the script', { skip }, () => {
  const ran = runScript('def f(): raise ValueError("x")\ndef main():\n    print("before")\n    f()');
  assert.equal(ran.code, 1);
  const [told] = ran.told('exception');
  assert.equal(told?.['exception'], "ValueError('x')");
  assert.equal(told?.['traceback'], ran.stderr);
  assert.match(
    ran.stderr,
    /^Traceback.*\n {2}File ".*code\/train.py", line 4, in main\n[\s\S]*ValueError: x\n$/,
  );
  assert.doesNotMatch(ran.stderr, /nightmark_job/);
});

const ENDS: readonly (readonly [script: string, code: number, exception: RegExp | undefined])[] = [
  ['def main(:', 1, /^SyntaxError/],
  ['import no_such_module', 1, /^ModuleNotFoundError/],
  ['x = 1', 1, /has no function main\(\)/],
  ['import sys\ndef main(): sys.exit(3)', 3, undefined],
  ['import sys\ndef main(): sys.exit()', 0, undefined],
  [
    'def main(): raise type("E", (Exception,), {"__repr__": lambda s: 1 / 0, "__str__": lambda s: 1 / 0})()',
    1,
    /^<E>$/,
  ],
  ['def main(): main()', 1, /^RecursionError/],
];

for (const [script, code, exception] of ENDS)
  test(`exit code ${code} after ${script.replaceAll('\n', '; ').slice(0, 50)}`, { skip }, () => {
    const ran = runScript(script);
    assert.equal(ran.code, code);
    const [told] = ran.told('exception');
    if (exception) assert.match(String(told?.['exception']), exception);
    else assert.equal(told, undefined);
  });

test('a script that is not there is reported', { skip }, () => {
  const ran = runScript('', { run: 'no/b.py' });
  assert.equal(ran.code, 1);
  assert.equal(ran.stderr, 'FileNotFoundError: there is no script no/b.py in the code of this job\n');
});

test('SIGTERM is reported as cancelled, and the script may tidy up, once', { skip }, () => {
  const ran = runScript(`
import os, signal
def main():
    child = os.fork()
    if child == 0:
        os.kill(os.getpid(), signal.SIGTERM)
        os._exit(9)
    print(os.waitpid(child, 0)[1])
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        print("never")
    except Exception:
        print("never")
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        print("tidy")`);
  assert.deepEqual([ran.code, ran.stdout], [143, '15\ntidy\n']);
  assert.equal(ran.stderr, 'nightmark: cancelled by SIGTERM\n');
  assert.deepEqual(ran.told('cancelled'), [{ signal: 'SIGTERM' }]);
  assert.deepEqual(ran.told('exception'), []);
});

test('workers of one job meet at a barrier, again and again', { skip }, () => {
  const script = `
import os, sys, threading, time
sys.path.append(${JSON.stringify(KIT)})
import nightmark_job
out = sys.argv[1]
for rank in range(2):
    if os.fork() == 0:
        nightmark_job.rank, nightmark_job.n_workers, nightmark_job.output_dir = rank, 3, out
        for turn in range(2):
            nightmark_job.barrier("a/b")
        os._exit(0)
nightmark_job.rank, nightmark_job.n_workers, nightmark_job.output_dir = 2, 3, out
for turn in range(2):
    nightmark_job.barrier("a/b")
for _ in range(2): print(os.wait()[1])
try:
    nightmark_job.barrier("alone", timeout=0.05)
except TimeoutError as error:
    print(error)`;
  const { folder } = runScript('def main(): pass');
  const env = { ...process.env, NIGHTMARK_JOB_EVENTS: join(folder, 'e'), NIGHTMARK_RUN_ID: 'x-1' };
  const out = execFileSync(PYTHON, ['-c', script, folder], { env, encoding: 'utf8', timeout: 20_000 });
  assert.equal(out, "0\n0\nnot all 3 workers came to the barrier 'alone' within 0.05 s\n");
});

test('outside a job everything is there and does nothing', { skip }, () => {
  const out = execFileSync(
    PYTHON,
    [
      '-c',
      'from nightmark_job import *\nlog_metric("m", 1); log_info({}); log_image("a", "/no"); log_runtime("e", 1, 0, 1)\n' +
        'barrier("b"); print(output_dir, rank, n_workers, job_id)',
    ],
    { env: { PATH: process.env['PATH'], PYTHONPATH: KIT, PYTHONDONTWRITEBYTECODE: '1' }, encoding: 'utf8' },
  );
  assert.equal(out, '. 0 1 None\n');
});
