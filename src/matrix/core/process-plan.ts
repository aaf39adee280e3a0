import { joinPath, resolvePath } from '../../platform/core/path.ts';
import type { MatbenchBlock } from './matbench.ts';
import { analysisStep, historyStep } from './process-analysis.ts';
import { serverOf } from './process-server.ts';
import { type ProcessPlace, sourcesOf } from './process-sources.ts';
import { command, type Facts, fail, type ProcessStep, skip } from './process-step.ts';

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
