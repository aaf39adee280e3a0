import type { MatbenchBlock } from '../model/matbench.ts';
import { joinPath, resolvePath } from '../path.ts';
import { serverOf } from './process-server.ts';
import { type ProcessPlace, type Sources, sourcesOf } from './process-sources.ts';

/** One step of the post-processing: a command of ours, or the reason why there is none. */
export interface ProcessStep {
  readonly name: string;
  readonly action:
    | { readonly type: 'command'; readonly words: readonly string[] }
    | { readonly type: 'skip'; readonly reason: string }
    | { readonly type: 'fail'; readonly reason: string };
  /** Steps without which this one has nothing to work on. */
  readonly needs: readonly string[];
  /** Whether the whole fails when this step does. */
  readonly failsTest: boolean;
  /** Files that tell others what happened, by the code of the error. */
  readonly markers?: readonly StepMarker[];
  /** Exit codes that are answers, not errors. */
  readonly answers?: readonly StepAnswer[];
  /** Copied when the step is done. */
  readonly copies?: { readonly from: string; readonly to: string };
}

export interface StepAnswer {
  readonly exitCode: number;
  readonly state: 'done' | 'failed';
  /** Whether this answer fails the whole. */
  readonly failsTest: boolean;
}

export interface StepMarker {
  readonly code: string;
  readonly file: string;
  /** Present: the step is done all the same, with this message. */
  readonly doneWith?: string;
  /** Made, and empty, for the steps that look there. */
  readonly folder?: string;
}

/** What the block asks for, step by step. Nothing is done here. */
export function planProcess(block: MatbenchBlock, place: ProcessPlace): readonly ProcessStep[] {
  const sources = sourcesOf(block, place);
  const facts = { block, place, sources, workload: resolvePath(place.base, block.workload) };
  return [
    downloadStep(facts),
    parseStep(facts),
    payloadStep(facts),
    historyStep(facts),
    analysisStep(facts),
    exportStep(facts),
    horreumStep(facts),
    visualizeStep(facts),
  ];
}

interface Facts {
  readonly block: MatbenchBlock;
  readonly place: ProcessPlace;
  readonly sources: Sources;
  readonly workload: string;
}

function downloadStep({ block, place, sources, workload }: Facts): ProcessStep {
  const { mode, savesToArtifacts } = block.download;
  const step = { name: 'download', needs: [], failsTest: true };
  if (!sources.download) return { ...step, action: skip('the results are here') };
  const words = ['download', ...sources.download, '--mode', mode, '-w', workload, '--', sources.dir];
  const copies = { from: sources.dir, to: joinPath(place.out, 'downloaded') };
  return { ...step, action: command(words), ...(savesToArtifacts && { copies }) };
}

/** Leniently: a test that ended early is to be seen all the same. */
function parseStep({ sources, workload }: Facts): ProcessStep {
  return {
    name: 'parse',
    needs: ['download'],
    failsTest: true,
    action: command(['parse', '-w', workload, '--', sources.dir]),
    markers: [{ code: 'MATRIX_NO_RESULTS', file: 'NO_RESULTS_FOUND' }],
  };
}

/** Strictly, from the cache of the first reading. */
function payloadStep({ block, place, sources, workload }: Facts): ProcessStep {
  const step = { name: 'payloads', needs: ['parse'], failsTest: true };
  if (!block.payloads) return { ...step, action: skip('lts.generate is false') };
  const to = (name: string) => joinPath(place.out, name);
  const files = ['--payloads', to('payloads'), '--schema', to('payload.schema.json'), '-o', to('kpis.txt')];
  return {
    ...step,
    action: command(['kpi', '-w', workload, ...files, '--strict', '--', sources.dir]),
  };
}

function historyStep({ block, place, workload }: Facts): ProcessStep {
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
function analysisStep({ block, place, sources, workload }: Facts): ProcessStep {
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

function exportStep({ block, place, sources, workload }: Facts): ProcessStep {
  const { isExported, isExportedOnReplot, failsTest } = block.opensearch;
  const step = { name: 'export', needs: block.payloads ? ['payloads'] : ['parse'], failsTest };
  if (!isExported) return { ...step, action: skip('lts.opensearch.export.enabled is false') };
  if (sources.download && !isExportedOnReplot) return { ...step, action: skip(ON_REPLOT) };
  const server = serverOf(block, { env: place.env, workload });
  if (typeof server === 'string') return { ...step, action: fail(server) };
  const words = ['export', '--to', server.target, ...server.credentials, '-w', workload];
  return { ...step, action: command([...words, '--', payloadsOf(block, { place, sources })]) };
}

function horreumStep({ block, place, sources, workload }: Facts): ProcessStep {
  const { isExportedOnReplot, failsTest } = block.opensearch;
  const step = { name: 'horreum', needs: block.payloads ? ['payloads'] : ['parse'], failsTest };
  if (block.horreumTest === null) return { ...step, action: skip('lts.horreum.test_name is not set') };
  if (sources.download && !isExportedOnReplot) return { ...step, action: skip(ON_REPLOT) };
  const url = place.env['NIGHTMARK_HORREUM_URL'];
  if (url === undefined)
    return { ...step, action: fail('NIGHTMARK_HORREUM_URL does not say where Horreum is') };
  const words = ['export', '--to', `horreum:${url}#${block.horreumTest}`, '-w', workload];
  return { ...step, action: command([...words, '--', payloadsOf(block, { place, sources })]) };
}

function visualizeStep({ place, sources, workload }: Facts): ProcessStep {
  const out = joinPath(place.out, 'reports');
  const words = ['report', '-w', workload, '--plots', sources.plots, '-o', out, '--strict'];
  return {
    name: 'visualize',
    needs: ['parse'],
    failsTest: true,
    action: command([...words, '--', sources.dir]),
  };
}

const ON_REPLOT = 'these are old results, and lts.opensearch.export.enabled_on_replot is false';

function payloadsOf(
  { payloads }: MatbenchBlock,
  { place, sources }: Pick<Facts, 'place' | 'sources'>,
): string {
  return payloads ? joinPath(place.out, 'payloads') : sources.dir;
}

function command(words: readonly string[]): ProcessStep['action'] {
  return { type: 'command', words: ['matrix', ...words] };
}

function skip(reason: string): ProcessStep['action'] {
  return { type: 'skip', reason };
}

function fail(reason: string): ProcessStep['action'] {
  return { type: 'fail', reason };
}
