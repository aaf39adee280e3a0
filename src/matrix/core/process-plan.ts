import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, joinPath, resolvePath } from '../../platform/core/path.ts';
import {
  command,
  fail,
  type MatbenchBlock,
  type ProcessStep,
  type StepContext,
  skip,
} from './process-step.ts';

/** What the block asks for, step by step. Nothing is done here. */
export function planProcess(block: MatbenchBlock, place: ProcessPlace): readonly ProcessStep[] {
  const sources = resolveSources(block, place);
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

function downloadStep({ block, place, sources, workload }: StepContext): ProcessStep {
  const { mode, savesToArtifacts } = block.download;
  const step = { name: 'download', needs: [], failsTest: true };
  if (!sources.download) return { ...step, action: skip('the results are here') };
  const words = ['download', ...sources.download, '--mode', mode, '-w', workload, '--', sources.dir];
  const copies = { from: sources.dir, to: joinPath(place.out, 'downloaded') };
  return { ...step, action: command(words), ...(savesToArtifacts && { copies }) };
}

/** Leniently: a test that ended early is to be seen all the same. */
function parseStep({ sources, workload }: StepContext): ProcessStep {
  return {
    name: 'parse',
    needs: ['download'],
    failsTest: true,
    action: command(['parse', '-w', workload, '--', sources.dir]),
    markers: [{ code: 'MATRIX_NO_RESULTS', file: 'NO_RESULTS_FOUND' }],
  };
}

/** Strictly, from the cache of the first reading. */
function payloadStep({ block, place, sources, workload }: StepContext): ProcessStep {
  const step = { name: 'payloads', needs: ['parse'], failsTest: true };
  if (!block.payloads) return { ...step, action: skip('lts.generate is false') };
  const to = (name: string) => joinPath(place.out, name);
  const files = ['--payloads', to('payloads'), '--schema', to('payload.schema.json'), '-o', to('kpis.txt')];
  return {
    ...step,
    action: command(['kpi', '-w', workload, ...files, '--strict', '--', sources.dir]),
  };
}

function exportStep({ block, place, sources, workload }: StepContext): ProcessStep {
  const { isExported, isExportedOnReplot, failsTest } = block.opensearch;
  const step = { name: 'export', needs: block.payloads ? ['payloads'] : ['parse'], failsTest };
  if (!isExported) return { ...step, action: skip('lts.opensearch.export.enabled is false') };
  if (sources.download && !isExportedOnReplot) return { ...step, action: skip(ON_REPLOT) };
  const server = resolveServer(block, { env: place.env, workload });
  if (typeof server === 'string') return { ...step, action: fail(server) };
  const words = ['export', '--to', server.target, ...server.credentials, '-w', workload];
  return { ...step, action: command([...words, '--', payloadsOf(block, { place, sources })]) };
}

function horreumStep({ block, place, sources, workload }: StepContext): ProcessStep {
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

function visualizeStep({ place, sources, workload }: StepContext): ProcessStep {
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
  { place, sources }: Pick<StepContext, 'place' | 'sources'>,
): string {
  return payloads ? joinPath(place.out, 'payloads') : sources.dir;
}

function historyStep({ block, place, workload }: StepContext): ProcessStep {
  const step = { name: 'history', needs: ['parse'], failsTest: true };
  if (!block.regression.isEnabled) {
    return { ...step, action: skip('it is for the analysis, and lts.regression_analyses.enabled is false') };
  }
  const { history } = block.regression;
  if (history !== null) return { ...step, action: skip(`the history is ${history}`) };
  const server = resolveServer(block, { env: place.env, workload });
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
function analysisStep({ block, place, sources, workload }: StepContext): ProcessStep {
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

export interface ProcessPlace {
  /** Folder of the configuration: its paths begin there. */
  readonly base: string;
  /** Where everything goes; absolute. */
  readonly out: string;
  /** As the caller gave it; absolute. It goes before that of the configuration. */
  readonly testDirectory?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Sources {
  readonly dir: string;
  /** Present: old results are fetched and drawn again. */
  readonly download?: readonly string[];
  readonly plots: string;
}

/** Where the results and the plots come from. A folder that is given goes before everything that could be fetched. */
function resolveSources(
  { preset, configFile, download, testDirectory }: MatbenchBlock,
  place: ProcessPlace,
): Sources {
  const isAddress = preset?.includes('://') ?? false;
  const presetFile = preset === null || isAddress ? undefined : `${preset}.yaml`;
  const plots = resolvePath(place.base, presetFile ?? configFile);
  const given =
    place.testDirectory ?? (testDirectory === null ? undefined : resolvePath(place.base, testDirectory));
  if (given !== undefined) return { dir: given, plots };
  const url = isAddress ? preset : download.url;
  const urlFile = presetFile ?? download.urlFile;
  const words =
    url !== null
      ? ['--url', url]
      : urlFile === null
        ? undefined
        : ['--url-file', resolvePath(place.base, urlFile)];
  if (words) return { dir: resolvePath(place.base, '.nightmark/downloads'), download: words, plots };
  throw new NightmarkError(
    'MATRIX_NOTHING_TO_PROCESS',
    'The configuration does not say which results to process.',
    {
      hint: 'Give --test-directory DIR, or one of matbench.test_directory, matbench.download.url and matbench.preset.',
    },
  );
}

export interface OpenSearchServer {
  /** As `matrix export --to` takes it. */
  readonly target: string;
  /** Options that name where the credentials are; never the credentials. */
  readonly credentials: readonly string[];
}

/**
 * The server of an instance: NIGHTMARK_OPENSEARCH_<INSTANCE>_URL says where it is, and _USER, _PASSWORD, _TOKEN or
 * _SECRET_FILE of the same beginning how to enter. A text says what is missing.
 */
function resolveServer(
  { opensearch }: MatbenchBlock,
  { env, workload }: { readonly env: Readonly<Record<string, string>>; readonly workload: string },
): OpenSearchServer | string {
  const { instance, index, indexPrefix, promIndexSuffix } = opensearch;
  if (index === null) return 'lts.opensearch.index does not say which index';
  const isAddress = instance?.includes('://') ?? false;
  const middle = instance === null || isAddress ? '' : `${instance.toUpperCase().replace(/\W/g, '_')}_`;
  const prefix = `NIGHTMARK_OPENSEARCH_${middle}`;
  const url = isAddress ? instance : env[`${prefix}URL`];
  if (url === null || url === undefined || url === '') {
    return `${prefix}URL does not say where the OpenSearch instance ${instance ?? ''} is`.replace('  ', ' ');
  }
  // Workloads over the metrics of a cluster have an index of their own, beside that of the test.
  const suffix = /-prom\b/.test(baseName(workload)) ? promIndexSuffix : '';
  const options = ['USER', 'PASSWORD', 'TOKEN'].flatMap((name) =>
    env[`${prefix}${name}`] === undefined ? [] : [`--${name.toLowerCase()}-env`, `${prefix}${name}`],
  );
  const file = env[`${prefix}SECRET_FILE`];
  return {
    target: `opensearch:${url}#${indexPrefix}${index}${suffix}`,
    credentials: file === undefined ? options : [...options, '--secret-file', file],
  };
}
