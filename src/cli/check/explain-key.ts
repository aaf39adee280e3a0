import type { HomeCheck } from '../../home/config/check-home.ts';
import { type CliContext, EXIT, type ExitCode } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Dialect } from '../config/fields-of.ts';
import { type Explanation, explainKey, nearestKey, type ValueOrigin } from './explain.ts';

/** Says what a key means and, with a home, what its value there is and where it came from. */
export function explain(
  key: string,
  check: HomeCheck | undefined,
  { context, json }: { readonly context: CliContext; readonly json: boolean },
): ExitCode {
  const dialects: readonly Dialect[] = check?.reading
    ? [check.reading.home.dialect]
    : ['native', 'dashboard'];
  const explanations = explainKey(key, dialects, check?.definitions);
  if (explanations.length === 0) {
    const close = nearestKey(key, dialects);
    throw new NightmarkError('CLI_UNKNOWN_KEY', `There is no key ${JSON.stringify(key)}.`, {
      hint: close === undefined ? 'docs/reference lists all keys.' : `Did you mean "${close}"?`,
    });
  }
  context.stdout.write(
    json
      ? `${JSON.stringify({ key, explanations }, null, 2)}\n`
      : explanations.map((explanation) => describe(explanation)).join('\n'),
  );
  return EXIT.fine;
}

const FILES = {
  native: {
    top: 'nightmark.yml',
    experiment: 'nightmark.yml, experiments.*',
    subsystem: 'nightmark.yml, tasks.*',
  },
  dashboard: {
    top: 'config.json',
    experiment: 'config/experiments/*/config.json',
    subsystem: 'config/subsystem/*/config.json',
  },
} as const;

function describe({ key, scope, dialect, type, description, values, ...rest }: Explanation): string {
  const fallback = rest.default === undefined ? '' : `; default: ${rest.default}`;
  const lines = [
    `${key}  (${FILES[dialect][scope]})`,
    `  ${description}`,
    `  type: ${type}${rest.isMandatory ? '; mandatory' : fallback}`,
    ...values.map((value) => `  ${describeValue(value)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function describeValue({ task, value, origin, file, line, column }: ValueOrigin): string {
  const name = task === undefined ? 'here' : JSON.stringify(task).slice(1, -1);
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  const place = file === undefined ? '' : ` at ${file}:${line ?? 1}:${column ?? 1}`;
  const why = { written: 'written', common: 'from the values for all tasks', default: 'by default' }[origin];
  return `${name}: ${text}  (${why}${place})`;
}
