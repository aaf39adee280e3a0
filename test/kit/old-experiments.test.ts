import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { copyOldScripts, oldPython } from '../support/old-scripts.ts';
import { noPython } from '../support/python-job.ts';
import { removeFolders } from '../support/python-kit.ts';
import { makeScriptHome } from '../support/script-home.ts';

after(removeFolders);

const CONFIGS: Readonly<Record<string, object>> = {
  char_rnn: { title: 'Char RNN', relay_methods: ['aot', 'intp'], devices: ['cpu'], frameworks: ['pt', 'relay'], relay_configs: ['loop'], set_seed: true, seed: 7 },
  gluon_rnns: { title: 'Gluon RNNs', devices: ['cpu'], networks: ['rnn', 'gru', 'lstm'], frameworks: ['relay', 'mxnet'], relay_methods: ['aot'], relay_configs: ['loop'] },
  treelstm: { title: 'TreeLSTM', devices: ['cpu'], ranges: [[0, 5], [5, 9]], frameworks: ['pt', 'relay'], relay_methods: ['aot'], telemetry_rate: 15, run_cpu_telemetry: true },
  cnn_comp: { title: 'CNNs', devices: ['cpu', 'gpu'], networks: ['vgg-16', 'mobilenet'], use_xla: true, notify: [] },
  relay_opt: { title: 'Levels', devices: ['gpu'], networks: ['resnet-18', 'vgg-16'], opt_levels: [0, 1, 2, 3, 4] },
  pass_comparison: { devices: ['cpu'], networks: ['nature-dqn'], passes: [[3, ['FuseOps', 'FoldConstant']], [0, []]] },
  relay_to_vta: { title: 'VTA', targets: ['sim', 'pynq'] },
}; // biome-ignore format: a table
const SUBSYSTEMS: Readonly<Record<string, object>> = {
  vis_telemetry: { priority: 4 },
  score: {
    priority: 3,
    score_confs: { rnn_score: { title: 'RNN Speedup Score', speedup: 2 }, nnvm_score: {} },
  },
  post_process: { priority: 2, our_name: 'Ours' },
  website: { priority: 1 },
};
/** As the old recorder writes it: the first sample twice, texts only, and readings that are no number. */
const RECORDED = {
  timestamp: '01-01-2099-0000',
  'coretemp-isa-0000': {
    Package: [
      ['0', '+41.5°C'],
      ['0.0', '+41.5°C'],
      ['1.0', 'ALARM'],
      ['2.0', '+43.0°C'],
    ],
  },
};

function makeOldHome(): string {
  const home = makeScriptHome([], {}, { randomize: false });
  for (const [kind, source, configs] of [
    ['experiments', 'experiments', CONFIGS],
    ['subsystem', 'subsystem', SUBSYSTEMS],
  ] as const) {
    copyOldScripts(kind, join(home, source), Object.keys(configs));
    for (const [name, config] of Object.entries(configs)) {
      fs.mkdirSync(join(home, 'config', kind, name), { recursive: true });
      fs.writeFileSync(
        join(home, 'config', kind, name, 'config.json'),
        JSON.stringify({ active: true, ...config }),
      );
    }
  }
  // One experiment without such a folder ends vis_telemetry for all.
  for (const name of Object.keys(CONFIGS))
    fs.mkdirSync(join(home, 'results/subsystem/telemetry', name), { recursive: true });
  const telemetry = join(home, 'results/subsystem/telemetry/treelstm/cpu');
  fs.mkdirSync(telemetry);
  fs.writeFileSync(join(telemetry, 'cpu-01-01-2099-0000.json'), JSON.stringify(RECORDED));
  return home;
}

test('experiments and subsystems as the old dashboard has them run a night unmodified, without any package', {
  skip: noPython,
}, async () => {
  const home = makeOldHome();
  const env = oldPython({ isBare: true, now: '2026-01-08T03:07:00' });
  const { code, stdout, stderr } = await runBinary(['run', home], env);
  assert.equal(code, 0, stdout + stderr);

  const results = join(home, 'results');
  const json = (...path: string[]) => JSON.parse(fs.readFileSync(join(results, ...path), 'utf8'));
  const data = (name: string) =>
    json('experiments/data', name, fs.readdirSync(join(results, 'experiments/data', name))[0] ?? '');
  const value = (name: string): string => json('experiments/summary', name, 'summary.json').value;
  const files = (...path: string[]) =>
    fs
      .readdirSync(join(results, ...path), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.png'))
      .sort();

  assert.equal(value('char_rnn'), '_Times on CPU_\nPytorch: 7.500\nAot: 2.000\nIntp: 60.000\n');
  assert.equal(
    value('gluon_rnns'),
    'Format: (rnn, gru, lstm)\n_Times on CPU_\nMxNet: 10.000, 30.000, 20.000\nAot: 4.000, 20.000, 5.000\n',
  );
  assert.equal(value('relay_to_vta'), 'sim: 1.5 s\npynq: 2.5 s');
  const cnn = data('cnn_comp');
  assert.deepEqual(
    [Object.keys(cnn.cpu), Object.keys(cnn.gpu['TF XLA'])],
    [
      ['Relay', 'TF', 'TF XLA'],
      ['vgg-16', 'mobilenet'],
    ],
  );
  for (const [listing, ms] of [
    ['Relay', 125],
    ['TF', 375],
    ['TF XLA', 250],
  ] as const)
    assert.equal((cnn.gpu[listing]['vgg-16'] * 1000).toFixed(6), ms.toFixed(6), 'a table without a header');
  assert.deepEqual(Object.keys(cnn.detailed.gpu.TF.mobilenet), ['mean', 'median', 'std']);

  assert.deepEqual(
    files('experiments/graph/char_rnn'),
    ['all_time', 'two_weeks']
      .flatMap((part) => ['Aot', 'Intp', 'Pytorch'].map((name) => `${part}/longitudinal-cpu-${name}.png`))
      .toSpliced(3, 0, 'comparison/char_rnns-cpu.png'),
  );
  assert.ok(
    files('experiments/graph/pass_comparison').includes(
      'two_weeks/longitudinal-cpu-FuseOps|FoldConstant;3-nature-dqn.png',
    ),
  );
  assert.deepEqual(
    files('experiments/graph/treelstm').filter((file) => /telemetry|comparison/.test(file)),
    ['comparison/treelstm-cpu.png', 'cpu_telemetry/coretemp-isa-0000_Package.png'],
  );

  const output = 'subsystem/output';
  assert.deepEqual(json(output, 'score/report.json'), {
    title: 'Metric Scores',
    value: '2x speedup on NLP: 3 of 5 RNNs',
  });
  assert.deepEqual(json(output, 'score/data/rnn_score/data_01-08-2026-0307.json'), {
    Score: 3,
    Total: 5,
    timestamp: '01-08-2026-0307',
  });
  assert.deepEqual(files(output, 'post_process'), [
    'nlp-comp-cpu.png',
    'opt-comp-gpu.png',
    'vision-comp-gpu.png',
  ]);
  const page = fs.readFileSync(join(results, output, 'website/index.html'), 'utf8');
  for (const fact of [
    '<a href="./data/char_rnn.json">Char RNN</a>',
    '>RNN Speedup Score</h2>',
    '<img src="./graph/rnn_score/comparison/rnn_score.png"',
  ])
    assert.ok(page.includes(fact), fact);
  for (const file of files('.'))
    assert.equal(fs.readFileSync(join(results, file)).subarray(1, 4).toString(), 'PNG', file);
  fs.rmSync(home, { recursive: true });
});
