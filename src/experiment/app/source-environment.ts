import type { Checkout } from '../../git/core/source-control.ts';

export interface SourceEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Folders to put in front of PYTHONPATH. */
  readonly pythonPath: readonly string[];
}

/** How stage scripts find the checkouts: NIGHTMARK_SOURCE_<NAME> and NIGHTMARK_COMMIT_<NAME>, and TVM as of old. */
export function sourceEnvironment(checkouts: Readonly<Record<string, Checkout>>): SourceEnvironment {
  const variables: Record<string, string> = {};
  const pythonPath: string[] = [];
  for (const [name, { dir, commit }] of Object.entries(checkouts)) {
    const suffix = name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
    variables[`NIGHTMARK_SOURCE_${suffix}`] = dir;
    variables[`NIGHTMARK_COMMIT_${suffix}`] = commit;
    if (name === 'tvm') {
      variables['TVM_HOME'] = dir;
      pythonPath.push(`${dir}/python`, `${dir}/topi/python`);
    }
  }
  return { variables, pythonPath };
}
