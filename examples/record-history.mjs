// Records the example history of examples/nightly by really measuring, night after night without the waiting.
//   node examples/record-history.mjs [FIRST_NIGHT LAST_NIGHT]      (1 to 36, default all; takes about four minutes)
// Each night runs run.sh and analyze.sh of each experiment on this machine. Until night 19 the compression experiment
// publishes its "site" at gzip level 6, from then on at the level of its configuration: that step is a real one.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXPERIMENTS = [
  'sorting',
  'json_documents',
  'compression',
  'regular_expressions',
  'startup',
  'file_writes',
];
const CHANGED_FROM = 19;
const OLD_SITE_LEVEL = 6;

const examples = dirname(fileURLToPath(import.meta.url));
const home = join(examples, 'nightly');
const kit = join(examples, '../kit');
const [first = 1, last = 36] = process.argv.slice(2).map(Number);
const work = mkdtempSync(join(tmpdir(), 'nightmark-history-'));

try {
  // A copy, so that the example itself stays as it is in the repository.
  for (const folder of ['config', 'experiments', 'lib']) {
    cpSync(join(home, folder), join(work, folder), { recursive: true });
  }
  stage('json_documents', 'setup', [join(work, 'experiments/json_documents/setup')]);
  for (let night = first; night <= last; night++) {
    for (const experiment of EXPERIMENTS) record(experiment, night);
    console.log(`night ${night} of ${last}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function record(experiment, night) {
  if (experiment === 'compression') setSiteLevel(night);
  const raw = join(work, 'raw', experiment);
  rmSync(raw, { recursive: true, force: true });
  mkdirSync(join(raw, 'analysis'), { recursive: true });

  const start = process.hrtime.bigint();
  stage(experiment, 'run', [raw]);
  const micros = Number((process.hrtime.bigint() - start) / 1000n);
  stage(experiment, 'analyze', [raw, join(raw, 'analysis')]);

  const data = JSON.parse(readFileSync(join(raw, 'analysis/data.json'), 'utf8'));
  const { label, startTime, endTime } = namesOf(night, micros);
  const folder = join(home, 'results/experiments/data', experiment);
  mkdirSync(folder, { recursive: true });
  const merged = {
    timestamp: label,
    example: true,
    ...data,
    start_time: startTime,
    end_time: endTime,
    time_delta: `0:00:${(micros / 1e6).toFixed(6).padStart(9, '0')}`,
  };
  writeFileSync(join(folder, `data_${label}.json`), JSON.stringify(merged));
}

function setSiteLevel(night) {
  const config = JSON.parse(readFileSync(join(home, 'config/experiments/compression/config.json'), 'utf8'));
  const level = night < CHANGED_FROM ? OLD_SITE_LEVEL : config.site_level;
  const file = join(work, 'config/experiments/compression/config.json');
  writeFileSync(file, JSON.stringify({ ...config, site_level: level }));
}

function stage(experiment, name, folders) {
  const cwd = join(work, 'experiments', experiment);
  mkdirSync(folders.at(-1), { recursive: true });
  execFileSync(`./${name}.sh`, [join(work, 'config/experiments', experiment), ...folders], {
    cwd,
    env: { ...process.env, BENCHMARK_DEPS: kit },
  });
  const status = JSON.parse(readFileSync(join(folders.at(-1), 'status.json'), 'utf8'));
  if (!status.success) throw new Error(`${experiment} failed in ${name}: ${status.message}`);
}

/** Nights are labelled from 5 September to 10 October 2026, two o'clock. */
function namesOf(night, micros) {
  const at = new Date(Date.UTC(2026, 8, 4 + night, 2, 0));
  const two = (value) => String(value).padStart(2, '0');
  const label = `${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}-${at.getUTCFullYear()}-0200`;
  return { label, startTime: asctime(at), endTime: asctime(new Date(at.getTime() + micros / 1000)) };
}

function asctime(at) {
  const [, weekday, day, month, year, clock] = /^(\w+), (\d+) (\w+) (\d+) (\S+)/.exec(at.toUTCString());
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${clock} ${year}`;
}
