import { baseName } from '../../platform/core/path.ts';
import type { MatbenchBlock } from './matbench.ts';

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
export function serverOf(
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
