import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { serverOf } from './process-server.ts';
import { command, type Facts, fail, type ProcessStep, skip } from './process-step.ts';

export function historyStep({ block, place, workload }: Facts): ProcessStep {
  const step = { name: 'history', needs: ['parse'], failsTest: true };
  if (!block.regression.isEnabled) {
    return { ...step, action: skip('it is for the analysis, and lts.regression_analyses.enabled is false') };
  }
  const { history } = block.regression;
  if (history !== null) return { ...step, action: skip(`the history is ${history}`) };
  const server = serverOf(block, { env: place.env, workload });
  if (typeof server === 'string')
    return {
      ...step,
      action: fail(`${server}; lts.regression_analyses.history could name a folder or a home`),
    };
  const to = joinPath(place.out, HISTORY);
  return {
    ...step,
    action: command(['import', `--from=${server.target}`, '--to', to, ...server.credentials]),
    markers: [
      {
        code: 'EXPORT_NO_INDEX',
        file: 'NO_HISTORICAL_RESULTS',
        doneWith: 'there is no history yet',
        folder: to,
      },
    ],
  };
}

/** A regression is always said; whether it fails the test is for the block to say. */
export function analysisStep({ block, place, sources, workload }: Facts): ProcessStep {
  const { isEnabled, failsTest, history } = block.regression;
  const step = { name: 'analysis', needs: ['parse', 'history'], failsTest: true };
  if (!isEnabled) return { ...step, action: skip('lts.regression_analyses.enabled is false') };
  const from = history === null ? joinPath(place.out, HISTORY) : resolvePath(place.base, history);
  const to = (name: string) => joinPath(place.out, name);
  const files = [
    ...['--html', to('regression_report.html'), '--markdown', to('regression_report.md')],
    ...['--summary', to('regression_summary.yaml')],
  ];
  return {
    ...step,
    action: command(['analyze', '-w', workload, `--history=${from}`, ...files, '--', sources.dir]),
    answers: [
      { exitCode: 2, state: 'done', failsTest: false },
      { exitCode: 3, state: 'failed', failsTest },
      { exitCode: 4, state: 'failed', failsTest: true },
    ],
  };
}

const HISTORY = 'history';
