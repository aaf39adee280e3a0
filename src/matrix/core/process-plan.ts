import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, joinPath, resolvePath } from '../../platform/core/path.ts';
import { failed, ok, type Result } from '../../platform/core/result.ts';
import {
  command,
  fail,
  type MatbenchBlock,
  type ProcessStep,
  type StepContext,
  skip,
} from './process-step.ts';

/** The steps that the block configures; nothing is run here. */
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
  if (!sources.download) return { ...step, action: skip('the results are already on this machine') };
  const args = ['download', ...sources.download, '--mode', mode, '-w', workload, '--', sources.dir];
  const copies = { from: sources.dir, to: joinPath(place.out, 'downloaded') };
  return { ...step, action: command(args), ...(savesToArtifacts && { copies }) };
}

/** Without --strict: a test that ended early is shown as well. */
function parseStep({ sources, workload }: StepContext): ProcessStep {
  return {
    name: 'parse',
    needs: ['download'],
    failsTest: true,
    action: command(['parse', '-w', workload, '--', sources.dir]),
    markers: [{ code: 'MATRIX_NO_RESULTS', file: 'NO_RESULTS_FOUND' }],
  };
}

/** With --strict, from the cache that `parse` wrote. */
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
  if (!server.ok) return { ...step, action: fail(server.error) };
  const { target, credentials } = server.value;
  const args = ['export', '--to', target, ...credentials, '-w', workload];
  return { ...step, action: command([...args, '--', payloadsOf(block, { place, sources })]) };
}

function horreumStep({ block, place, sources, workload }: StepContext): ProcessStep {
  const { isExportedOnReplot, failsTest } = block.opensearch;
  const step = { name: 'horreum', needs: block.payloads ? ['payloads'] : ['parse'], failsTest };
  if (block.horreumTest === null) return { ...step, action: skip('lts.horreum.test_name is not set') };
  if (sources.download && !isExportedOnReplot) return { ...step, action: skip(ON_REPLOT) };
  const url = place.env['NIGHTMARK_HORREUM_URL'];
  if (url === undefined)
    return { ...step, action: fail('NIGHTMARK_HORREUM_URL is not set: it has the address of Horreum') };
  const args = ['export', '--to', `horreum:${url}#${block.horreumTest}`, '-w', workload];
  return { ...step, action: command([...args, '--', payloadsOf(block, { place, sources })]) };
}

function visualizeStep({ place, sources, workload }: StepContext): ProcessStep {
  const out = joinPath(place.out, 'reports');
  const args = ['report', '-w', workload, '--plots', sources.plots, '-o', out, '--strict'];
  return {
    name: 'visualize',
    needs: ['parse'],
    failsTest: true,
    action: command([...args, '--', sources.dir]),
  };
}

const ON_REPLOT = 'the results were downloaded, and lts.opensearch.export.enabled_on_replot is false';

function payloadsOf(
  { payloads }: MatbenchBlock,
  { place, sources }: Pick<StepContext, 'place' | 'sources'>,
): string {
  return payloads ? joinPath(place.out, 'payloads') : sources.dir;
}

function historyStep({ block, place, workload }: StepContext): ProcessStep {
  const step = { name: 'history', needs: ['parse'], failsTest: true };
  if (!block.regression.isEnabled) {
    return {
      ...step,
      action: skip('only the analysis needs it, and lts.regression_analyses.enabled is false'),
    };
  }
  const { history } = block.regression;
  if (history !== null) return { ...step, action: skip(`the history is ${history}`) };
  const server = resolveServer(block, { env: place.env, workload });
  if (!server.ok)
    return {
      ...step,
      action: fail(`${server.error}; or set lts.regression_analyses.history to a folder or a home`),
    };
  const to = joinPath(place.out, HISTORY);
  return {
    ...step,
    action: command(['import', `--from=${server.value.target}`, '--to', to, ...server.value.credentials]),
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

/** A regression is always reported; the block decides whether it fails the test. */
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
  /** Folder of the configuration: its paths are relative to it. */
  readonly base: string;
  /** Output folder; absolute. */
  readonly out: string;
  /** From the command line; absolute. It takes precedence over the configuration. */
  readonly testDirectory?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Sources {
  readonly dir: string;
  /** Present: results are downloaded first. */
  readonly download?: readonly string[];
  readonly plots: string;
}

/** Where the results and the plots come from. A given folder takes precedence over downloads. */
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
  const options =
    url !== null
      ? ['--url', url]
      : urlFile === null
        ? undefined
        : ['--url-file', resolvePath(place.base, urlFile)];
  if (options) return { dir: resolvePath(place.base, '.nightmark/downloads'), download: options, plots };
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
  /** Options that say where the credentials are; never the credentials. */
  readonly credentials: readonly string[];
}

/**
 * The server of an instance: NIGHTMARK_OPENSEARCH_<INSTANCE>_URL is its address, and variables with the same prefix and
 * _USER, _PASSWORD, _TOKEN or _SECRET_FILE have its credentials.
 */
function resolveServer(
  { opensearch }: MatbenchBlock,
  { env, workload }: { readonly env: Readonly<Record<string, string>>; readonly workload: string },
): Result<OpenSearchServer> {
  const { instance, index, indexPrefix, promIndexSuffix } = opensearch;
  if (index === null) return failed('lts.opensearch.index is not set');
  const isAddress = instance?.includes('://') ?? false;
  const middle = instance === null || isAddress ? '' : `${instance.toUpperCase().replace(/\W/g, '_')}_`;
  const prefix = `NIGHTMARK_OPENSEARCH_${middle}`;
  const url = isAddress ? instance : env[`${prefix}URL`];
  if (url === null || url === undefined || url === '') {
    const name = instance === null ? '' : ` ${instance}`;
    return failed(`${prefix}URL is not set: it has the address of the OpenSearch instance${name}`);
  }
  // Workloads over the metrics of a cluster have an index of their own.
  const suffix = /-prom\b/.test(baseName(workload)) ? promIndexSuffix : '';
  const options = ['USER', 'PASSWORD', 'TOKEN'].flatMap((name) =>
    env[`${prefix}${name}`] === undefined ? [] : [`--${name.toLowerCase()}-env`, `${prefix}${name}`],
  );
  const file = env[`${prefix}SECRET_FILE`];
  return ok({
    target: `opensearch:${url}#${indexPrefix}${index}${suffix}`,
    credentials: file === undefined ? options : [...options, '--secret-file', file],
  });
}
