import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { startReceiver } from '../support/notice-receiver.ts';
import { SubsystemHome } from '../support/subsystem-home.ts';

const receiver = await startReceiver();
const homes: SubsystemHome[] = [];
after(async () => {
  await receiver.stop();
  for (const home of homes) home.dispose();
});
beforeEach(() => {
  receiver.got.length = 0;
  receiver.surprises.length = 0;
});

function newHome(): SubsystemHome {
  const home = new SubsystemHome();
  homes.push(home);
  return home;
}
const slack = { SLACK_API_URL: `${receiver.url}/api/` };
const token = { slack_client_token: 'xoxb-hunter2', channel_id: 'C1' };
const good = { success: true, message: 'success' };

describe('stat_alert', () => {
  const report = (home: SubsystemHome) =>
    JSON.parse(home.read('results/subsystem/output/stat_alert/report.json'));

  test('[18] a window of two days; a value exactly one standard deviation away is silent', async () => {
    const home = newHome();
    const past = [{ cpu: { A: 9, B: 9 } }, { cpu: { A: 0.2, B: 1 } }, { cpu: { A: 0.3, B: 1.1 } }];
    home.experiment('alpha', [...past, { cpu: { A: 0.2, B: 2 } }]);
    home.subsystem('stat_alert', { time_window: 2 });
    assert.deepEqual((await home.run(['stat_alert'])).statuses, [good]);
    assert.equal(
      report(home).value,
      'Alerts for alpha:\n    (cpu, B): 2.00e+00 (mean: 1.05e+00 +/- 5.00e-02)\n',
    );
  });

  test('[17] ragged data, mixed depth, files that are something else: the paths that are there are judged', async () => {
    const home = newHome();
    home.experiment('ragged', [
      { cpu: { A: 1, B: { deep: 1 } }, gpu: { C: 5 } },
      { cpu: { A: 1, B: 3 }, detailed: { cpu: { A: 7 } } },
      { cpu: { A: 2, B: { deep: 4 }, new: 1 }, flat: 3, text: 'x', detailed: { cpu: { A: 9 } } },
    ]);
    home.write('results/experiments/data/ragged/data_01-09-2026-0307.json', '{"cpu":');
    home.write('results/experiments/data/ragged/notes.json', '[]');
    home.subsystem('stat_alerts', { notify: ['U9'] });
    home.write('results/subsystem/output/stat_alerts/report.json', { title: 'stale', value: 'stale' });
    assert.deepEqual((await home.run(['stat_alerts'])).statuses, [good]);
    assert.deepEqual(JSON.parse(home.read('results/subsystem/output/stat_alerts/report.json')), {
      title: 'High SD Alerts',
      value:
        'ATTN: <@U9>\nAlerts for ragged:\n    (cpu, A): 2.00e+00 (mean: 1.00e+00 +/- 0.00e+00)\n    (cpu, B, deep): 4.00e+00 (mean: 1.00e+00 +/- 0.00e+00)\n',
    });
  });

  test('no alert leaves no report, also not the one of an earlier night', async () => {
    const home = newHome();
    home.experiment('steady', [{ A: 1 }, { A: 1 }]);
    home.subsystem('stat_alert');
    home.write('results/subsystem/output/stat_alert/report.json', { title: 'stale', value: 'stale' });
    assert.deepEqual((await home.run(['stat_alert'])).statuses, [good]);
    assert.equal(home.has('results/subsystem/output/stat_alert/report.json'), false);
  });
});

describe('score', () => {
  function rnnHome(): SubsystemHome {
    const home = newHome();
    const frameworks = (...names: string[]) => ({
      frameworks: ['relay', ...names],
      relay_methods: ['aot', 'intp'],
    });
    home.experiment(
      'gluon_rnns',
      [{ cpu: { MxNet: { rnn: 10, gru: 30, lstm: 20 }, Aot: { rnn: 5, gru: 20, lstm: 5 } } }],
      { ...frameworks('mxnet'), networks: ['rnn', 'gru', 'lstm'] },
    );
    home.experiment('char_rnn', [{ cpu: { Pytorch: 7.5, Aot: 2 } }], {
      ...frameworks('pt'),
      relay_configs: ['loop', 'no_loop'],
    });
    home.experiment('treelstm', [{ cpu: { Pytorch: 3, Aot: 2 } }], frameworks('pt'));
    return home;
  }
  const output = 'results/subsystem/output/score';

  test('[16] rnn_score: 3 of 5, with report, data and graphs, which the website shows', async () => {
    const home = rnnHome();
    home.subsystem('score', {
      priority: 5,
      score_confs: { rnn_score: { title: 'RNN Speedup Score', speedup: 2 }, nnvm_score: { title: 'dead' } },
    });
    home.subsystem('website');
    const ran = await home.run(['score', 'website']);
    assert.deepEqual(ran.statuses, [good, good], ran.stderr);
    assert.equal(
      home.read(`${output}/report.json`),
      '{"title": "Metric Scores", "value": "2x speedup on NLP: 3 of 5 RNNs"}',
    );
    const [file = ''] = fs.readdirSync(join(home.dir, output, 'data/rnn_score'));
    assert.match(file, /^data_\d\d-\d\d-\d{4}-\d{4}\.json$/);
    assert.match(home.read(`${output}/data/rnn_score/${file}`), /^\{"Score": 3, "Total": 5, "timestamp": "/);
    const graphs = ['all_time/longitudinal-score', 'comparison/rnn_score', 'two_weeks/longitudinal-score'];
    for (const name of graphs) {
      for (const dir of [`${output}/graphs/rnn_score`, 'results/subsystem/output/website/graph/rnn_score'])
        assert.equal(fs.readFileSync(join(home.dir, dir, `${name}.png`)).readUInt32BE(), 0x89504e47, name);
    }
    const page = home.read('results/subsystem/output/website/index.html');
    assert.match(page, /<h2>RNN Speedup Score<\/h2>/);
    assert.match(page, /<img src="\.\/graph\/rnn_score\/all_time\/longitudinal-score\.png"/);
  });

  test('what is needed and not there is named; one score does not stop another', async () => {
    const home = rnnHome();
    home.write('config/experiments/treelstm/config.json', {
      active: true,
      frameworks: ['pt'],
      relay_methods: ['aot'],
    });
    home.subsystem('score', {
      score_confs: {
        rnn_score: {},
        faster: {
          title: 'Faster than MxNet',
          values: [{ experiment: 'gluon_rnns', value: 'cpu.MxNet.*', over: 'cpu.Aot.*' }],
          at_least: 2,
          noun: 'networks',
        },
        speedup: {
          title: 'Speedup',
          values: [
            { experiment: 'gluon_rnns', value: ['cpu', 'MxNet', '*'], over: ['cpu', 'Aot', '*'] },
            { experiment: 'char_rnn', value: 'cpu.Pytorch', over: 'cpu.None' },
          ],
          score: 'geomean',
          noun: 'x',
        },
      },
    });
    const { statuses, code } = await home.run(['score']);
    assert.equal(code, 4);
    assert.deepEqual(statuses, [
      { success: false, message: 'Config for treelstm does not match requirements for entry frameworks' },
    ]);
    assert.equal(
      JSON.parse(home.read(`${output}/report.json`)).value,
      'Faster than MxNet: 2 of 3 networks\nSpeedup: 2.289 x (1 more without a value)',
    );
  });

  test('nothing to score, and a score that makes no sense', async () => {
    const home = rnnHome();
    home.subsystem('score', { score_confs: { nnvm_score: {} } });
    assert.deepEqual((await home.run(['score'])).statuses, [
      { success: true, message: 'No scores to report' },
    ]);
    home.subsystem('score', { score_confs: { x: { values: [{ experiment: 'char_rnn', value: '' }] } } });
    const checked = await runBinary(['check', home.dir]);
    assert.match(checked.stdout + checked.stderr, /score_confs\.x\.values/);
  });
});

describe('vis_telemetry', () => {
  test('[12b] draws what the old recorder left; experiments without telemetry do not stop it', async () => {
    const home = newHome();
    home.experiment('alpha', [{ A: 1 }]);
    home.experiment('telem', [{ A: 1 }]);
    const series = (...values: string[]) =>
      values.map((value, index) => [['0', '0.0', '1.0', '2.0'][index], value]);
    const cpu = {
      timestamp: '01-05-2026-0307',
      'k10temp-pci-00c3': { Tdie: series('+41.5°C', '+41.5°C', 'ALARM', '+43.0°C') },
    };
    const gpu = {
      timestamp: '01-05-2026-0307',
      pstate: { data: series('P8', 'P8'), unit: null },
      'clocks.gr': { data: series('300', '300', '1500'), unit: 'MHz' },
    };
    home.write('results/subsystem/telemetry/telem/cpu/cpu-01-05-2026-0307.json', cpu);
    home.write('results/subsystem/telemetry/telem/cpu/cpu-12-31-2025-0307.json', { timestamp: 'old' });
    home.write('results/subsystem/telemetry/telem/gpu/gpu-01-05-2026-0307.json', gpu);
    home.subsystem('vis_telemetry');
    const ran = await home.run(['vis_telemetry']);
    assert.deepEqual(ran.statuses, [good], ran.stderr);
    for (const path of [
      'results/subsystem/telemetry/telem/graph/01-05-2026-0307/cpu/k10temp-pci-00c3_Tdie-01-05-2026-0307.png',
      'results/subsystem/telemetry/telem/graph/01-05-2026-0307/gpu/clocks.gr-01-05-2026-0307.png',
      'results/experiments/graph/telem/cpu_telemetry/k10temp-pci-00c3_Tdie.png',
      'results/experiments/graph/telem/gpu_telemetry/clocks.gr.png',
    ])
      assert.ok(home.has(path), path);
  });

  test('[12] no telemetry at all', async () => {
    const home = newHome();
    home.experiment('alpha', [{ A: 1 }]);
    home.subsystem('vis_telemetry');
    assert.deepEqual((await home.run(['vis_telemetry'])).statuses, [
      { success: false, message: 'No telemetry data found' },
    ]);
  });
});

describe('Slack', () => {
  test('[25] the webhook gets the bodies of its era', async () => {
    const home = newHome();
    home.experiment('alpha', [{ A: 1 }], { title: 'Alpha & co' });
    home.subsystem('exp_reports', {
      webhook_url: `${receiver.url}/hook`,
      description: 'nightly',
      report_images: true,
    });
    const { statuses } = await home.run(['exp_reports']);
    assert.equal(statuses[0].success, true);
    assert.deepEqual(
      receiver.got.map(({ path, json }) => ({ path, json })),
      [
        {
          path: '/hook',
          json: {
            text: '*Dashboard Results*\nnightly',
            pretext: '',
            attachments: [
              {
                color: '#000000',
                title: 'Successful benchmarks',
                fields: [{ value: '_Duration: 0:00:02_\n\nfine', short: false, title: 'alpha title' }],
              },
            ],
          },
        },
      ],
    );
  });

  test('[25] HTTP 500 is a failure, after three tries; the night is complete and names no secret', async () => {
    const home = newHome();
    home.subsystem('exp_results', { webhook_url: `${receiver.url}/hook/hunter2` });
    home.subsystem('subsys_reporter', { ...token, priority: -1 });
    receiver.surprises.push(...[1, 2, 3].map(() => ({ status: 500, body: 'broken' })));
    const { statuses, code, stdout, stderr } = await home.run(['exp_results', 'subsys_reporter'], slack);
    assert.equal(code, 4, stderr);
    assert.equal(statuses[0].message, 'The message did not arrive: the webhook: Slack answered 500: broken');
    assert.deepEqual(statuses[1], good);
    assert.equal(receiver.got.length, 4);
    assert.match(
      receiver.got[3]?.json.attachments[0].fields[0].value,
      /^Failed to run:\nThe message did not/,
    );
    assert.doesNotMatch(stdout + stderr + JSON.stringify(statuses), /hunter/);
  });

  test('one channel that refuses does not keep the message from the next', async () => {
    const home = newHome();
    const deadlines = { Paper: { date: '2999-01-01 00:00:00' } };
    home.subsystem('deadline', { ...token, channel_id: ['gone', 'C2'], deadlines });
    receiver.surprises.push({ body: '{"ok": false, "error": "channel_not_found"}' });
    const { statuses } = await home.run(['deadline'], slack);
    assert.match(statuses[0].message, /^The message did not arrive: gone: .*channel_not_found/);
    assert.deepEqual(
      receiver.got.map(({ json }) => json.channel),
      ['gone', 'C2'],
    );
  });

  test('[03] a malformed report is listed; one of an earlier night is not told again', async () => {
    const home = newHome();
    const ran = { success: true, message: '' };
    for (const name of ['sub_bad', 'sub_half', 'sub_old']) {
      home.subsystem(name);
      home.write(`results/subsystem/status/${name}/precheck.json`, ran);
      if (name !== 'sub_old') home.write(`results/subsystem/status/${name}/run.json`, ran);
    }
    home.write('results/subsystem/output/sub_bad/report.json', '{"title": ');
    home.write('results/subsystem/output/sub_half/report.json', { title: 'no value' });
    home.write('results/subsystem/output/sub_old/report.json', { title: 'old', value: 'news' });
    home.subsystem('subsys_reporter', token);
    assert.deepEqual((await home.run(['subsys_reporter'], slack)).statuses, [good]);
    assert.deepEqual(receiver.got[0]?.json.attachments, [
      { color: '#fa0000', title: 'Errors', text: 'Failed to parse reports: sub_bad, sub_half' },
    ]);
  });

  test('[10] no "notify": no ATTN; nothing rings but the mention of a person', async () => {
    const home = newHome();
    home.experiment('plain', []);
    home.experiment('named', [], { notify: [] });
    const failed = { success: false, message: '<!channel> std::vector<int> & more <@U5>' };
    for (const name of ['plain', 'named'])
      home.write(`results/experiments/status/${name}/analysis.json`, failed);
    home.subsystem('exp_results', token);
    assert.deepEqual((await home.run(['exp_results'], slack)).statuses, [good]);
    const values = receiver.got[0]?.json.attachments[0].fields.map(({ value }: { value: string }) => value);
    const said =
      'Failed at stage analysis:\n&lt;!channel&gt; std::vector&lt;int&gt; &amp; more <@U5>\nTime to failure: 0:00:02';
    assert.deepEqual(values, [`${said}\nATTN: `, said]);
  });
});

test('an implementation in the home wins over the built-in one', async () => {
  const home = newHome();
  home.subsystem('website');
  home.write(
    'subsystem/website/run.sh',
    '#!/bin/sh\necho \'{"success": true, "message": "mine"}\' > "$3/status.json"\n',
  );
  fs.chmodSync(join(home.dir, 'subsystem/website/run.sh'), 0o755);
  assert.deepEqual((await home.run(['website'])).statuses, [{ success: true, message: 'mine' }]);
  assert.equal(home.has('results/subsystem/output/website/index.html'), false);
});

test('a home with nightmark.yml uses them too, with a token from the environment', async () => {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-subsystems-')));
  after(() => fs.rmSync(dir, { recursive: true, force: true }));
  fs.writeFileSync(
    join(dir, 'nightmark.yml'),
    `project: garage
backups: {before: false, after: false}
experiments:
  sort: {run: 'echo "{\\"time\\": 2}"', title: Sorting, telemetry: false, results: {format: json, value: time, unit: s}}
tasks:
  tell: {uses: exp_results, config: {slack_client_token_env: TOKEN, channel_id: C7}}
  site: {uses: website, after: [tell]}
`,
  );
  const ran = await runBinary(['run', dir, '--progress', 'none'], { ...slack, TOKEN: 'xoxb-hunter3' });
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  assert.equal(receiver.got[0]?.headers.authorization, 'Bearer xoxb-hunter3');
  assert.equal(receiver.got[0]?.json.channel, 'C7');
  assert.equal(receiver.got[0]?.json.attachments[0].title, 'Successful benchmarks');
  const page = fs.readFileSync(join(dir, 'results/subsystem/output/site/index.html'), 'utf8');
  assert.match(page, /<title>garage<\/title>/);
  assert.match(page, /<a href="\.\/data\/sort\.json">Sorting<\/a>/);
});
