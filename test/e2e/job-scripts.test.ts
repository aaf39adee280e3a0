import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import openQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import type { Job } from '../../src/jobs/core/job.ts';
import { runBinary } from '../support/binary.ts';
import { KIT, noPython, PYTHON } from '../support/python-job.ts';

const skip = noPython;
const root = mkdtempSync(join(tmpdir(), 'nightmark-scripts-'));
after(() => rmSync(root, { recursive: true, force: true }));

const home = join(root, 'home');
const code = join(root, 'code');
mkdirSync(home);
mkdirSync(join(code, '.git', 'objects'), { recursive: true });

const files = {
  'py_train.py': `
config = {"lr": 0.5, "model": {"depth": 2, "name": "mlp"}}
def main():
    print("lr is", config["lr"])
    log_info({"state.progress": 0.4})
    for epoch in range(3):
        log_metric("loss", {"epoch": epoch, "value": 1 / (epoch + 1)}, {"split": "träin", "rate": 1.0})
    log_runtime("forward.pass", 0.1, 0.01, 3)
    with open(output_dir + "/curve.png", "w") as file: file.write("x")
    log_image("curve", output_dir + "/curve.png")`,
  'happy.py': 'def main():\n    print("before")\n    raise ValueError("x")',
  'stopped.py': 'import os, signal\ndef main(): os.kill(os.getpid(), signal.SIGTERM)',
  'left.pyc': 'x',
  '.git/objects/a': 'x',
  'submit.py': `
from jobmonitor.api import kubernetes_schedule_job, register_job, upload_code_package
from jobmonitor.connections import mongo
package, names = upload_code_package(".", excludes=[".git", "*.pyc", "submit.py"])
print(*names)
print(register_job(user="ada", project="p", experiment="e", job="--odd name", n_workers=1, priority=7,
                   config_overrides={"lr": 1.0, "model": {"depth": 3}},
                   runtime_environment={"clone": {"code_package": package}, "script": "py_train.py"},
                   annotations={"description": "a: 'b'\\nü", "star": True}))
try:
    register_job("ada", "p", "e", "j", runtime_environment={"clone": {"code_package": "none"}, "script": "a.py"})
except RuntimeError as error:
    print("JOBS_NO_PACKAGE" in str(error))
print(mongo.job.count_documents({"experiment": "e", "job": "--odd name", "config.model.depth": 3}),
      mongo.job.count_documents({"project": "p", "job": "other"}))
try:
    mongo.job.find({"priority": {"$gt": 1}})
except ValueError:
    print("equal values only")`,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(code, name), text);

const env = { NIGHTMARK_HOME: home, NIGHTMARK_COMMAND: '', NIGHTMARK_SUBMIT_OPTIONS: '--retries 1' };

async function jobs(): Promise<ReadonlyMap<string, Job>> {
  const queue = await openQueue({ place: join(home, '.nightmark/jobs.db'), now: Date.now });
  try {
    const all = await queue.list({ limit: 100 });
    return new Map(all.map((job) => [job.program.type === 'script' ? job.program.path : '', job]));
  } finally {
    await queue.close();
  }
}

test('a submit script of the old job monitor stores its code and registers its job', { skip }, async () => {
  const ran = spawnSync(PYTHON, ['submit.py'], {
    cwd: code,
    encoding: 'utf8',
    env: { ...process.env, ...env, PYTHONPATH: KIT, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const [names, id, refused, counts, asked] = ran.stdout.split('\n');
  assert.equal(ran.stderr, '');
  assert.deepEqual([names, refused], ['./happy.py ./py_train.py ./stopped.py', 'True']);
  assert.deepEqual([counts, asked], ['1 0', 'equal values only']);
  const job = (await jobs()).get('py_train.py');
  assert.equal(job?.id, id);
  assert.deepEqual(
    [job?.user, job?.project, job?.experiment, job?.name, job?.priority, job?.retries, job?.status],
    ['ada', 'p', 'e', '--odd name', 7, 1, 'CREATED'],
  );
  assert.deepEqual(job?.overrides, { lr: 1, model: { depth: 3 } });
  assert.deepEqual(job?.annotations, { description: "a: 'b'\nü", star: true });
});

test('scripts run, and the queue knows what they told', { skip }, async () => {
  const submitted = ['happy.py', 'stopped.py'].map((script) =>
    runBinary(['job', 'submit', '--code', code, '--script', script], env),
  );
  for (const { code: exit, stderr } of await Promise.all(submitted)) assert.equal(exit, 0, stderr);
  const worked = await runBinary(['job', 'work', '--once', '--slots', '3', '--json'], env);
  assert.equal(worked.code, 4, worked.stderr);
  const all = await jobs();

  const trained = all.get('py_train.py') as Job;
  assert.equal(trained.status, 'FINISHED');
  const folder = join(home, 'results/jobs', trained.outputDir ?? '');
  const { distributed_init_file, ...config } = trained.config;
  assert.deepEqual(config, { lr: 1, model: { depth: 3, name: 'mlp' }, rank: 0, n_workers: 1 });
  assert.equal(distributed_init_file, join(folder, 'dist_init'));
  assert.deepEqual(trained.state, { progress: 0.4 });
  assert.deepEqual(trained.images, { curve: 'curve.png' });
  assert.deepEqual(trained.timings, [{ event: 'forward_pass', rank: 0, mean: 0.1, std: 0.01, instances: 3 }]);
  assert.deepEqual(trained.metrics[0]?.fields['value'], { count: 3, last: 1 / 3, min: 1 / 3, max: 1 });
  assert.equal(readFileSync(join(folder, 'output.txt'), 'utf8'), 'lr is 1.0\n');
  assert.match(readFileSync(join(folder, 'config.yml'), 'utf8'), /^lr: 1.0\nmodel:\n {2}depth: 3\n/);

  const failed = all.get('happy.py') as Job;
  assert.deepEqual(
    [failed.status, failed.exception, failed.exceptionWorker, failed.exit],
    ['FAILED', "ValueError('x')", 0, { type: 'code', code: 1 }],
  );
  assert.match(failed.traceback ?? '', /happy.py", line 3, in main/);

  const stopped = all.get('stopped.py') as Job;
  assert.deepEqual(
    [stopped.status, stopped.reason],
    ['CANCELED', 'The program was asked to stop by SIGTERM.'],
  );
});

test('what a failed script wrote to stderr is marked in its logs', { skip }, async () => {
  const id = (await jobs()).get('happy.py')?.id ?? '';
  const queue = await openQueue({ place: join(home, '.nightmark/jobs.db'), now: Date.now });
  try {
    const { entries } = await queue.logs(id, { limit: 100 });
    const marked = entries.map(({ type, message }) => `${type} ${message.split('\n')[0]}`);
    assert.equal(marked[0], 'info before');
    assert.ok(marked.includes('error Traceback (most recent call last):'), marked.join('\n'));
    assert.ok(marked.slice(1).every((line) => line.startsWith('error ')));
  } finally {
    await queue.close();
  }
});
