import {
  identityOf,
  keyText,
  type MatrixEntry,
  type Settings,
} from '../../../formats/core/kpi/matrix-entry.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import { passesFilters } from '../../core/filters.ts';
import type { ParseRequest, ReportBuilder } from './parse-request.ts';
import type { ReadTest } from './read-test.ts';

/** Makes the entries of tests: filtered, rewritten, and one for each combination of settings. */
export interface EntryMaker {
  make(test: ReadTest): readonly MatrixEntry[];
}

export function createEntryMaker(request: ParseRequest, report: ReportBuilder): EntryMaker {
  const imported = createSettingsRegistry(request.isCompat);
  const rewritten = createSettingsRegistry(request.isCompat);
  const { workload, filters, isCompat } = request;
  const passes = (settings: Settings) => passesFilters(settings, filters, isCompat);
  const leaveOut = () => {
    report.counts.leftOut++;
    return undefined;
  };
  const entryOf = (test: ReadTest, part: Part): MatrixEntry | undefined => {
    const { location, exitCode } = test.folder;
    if (!passes(part.settings)) return leaveOut();
    if (!isFirst(imported, part.settings, { location, report })) return undefined;
    let settings: Settings | undefined = part.settings;
    if (workload.rewriteSettings) {
      settings = workload.rewriteSettings(part.settings, part.results);
      if (settings === undefined || !passes(settings)) return leaveOut();
      if (!isFirst(rewritten, settings, { location, report })) return undefined;
    }
    const { results } = part;
    return { location, settings, importSettings: part.settings, exitCode, results, problems: test.problems };
  };
  return {
    make: (test) => partsOf(test, workload).flatMap((part) => entryOf(test, part) ?? []),
  };
}

interface Part {
  readonly settings: Settings;
  readonly results: ReadTest['results'];
}

function partsOf(
  { folder: { settings }, results }: ReadTest,
  workload: ParseRequest['workload'],
): readonly Part[] {
  if (!workload.split) return [{ settings, results }];
  return workload
    .split(results, settings)
    .map((part) => ({ settings: { ...settings, ...part.settings }, results: part.results }));
}

function isFirst(
  registry: SettingsRegistry,
  settings: Settings,
  { location, report }: { readonly location: string; readonly report: ReportBuilder },
): boolean {
  const claimed = registry.claim(settings, location);
  if (claimed.state === 'taken') {
    report.counts.duplicates++;
    const reason = `left out: ${claimed.by} has the same settings (${claimed.key})`;
    report.add({ kind: 'duplicate', location, reason });
    return false;
  }
  if (claimed.lookalike !== undefined) {
    const reason = `${claimed.lookalike} has the same settings except for types, as 4 and "4" (${claimed.key})`;
    report.add({ kind: 'note', location, reason });
  }
  return true;
}

export function workloadFailure(error: unknown): string {
  return `the workload failed: ${messageOf(error)}`;
}

/** Which test has which settings: the first one to claim them keeps them. */
export interface SettingsRegistry {
  claim(settings: Settings, location: string): ClaimResult;
}

export type ClaimResult =
  /** `lookalike` has the same key text with values of other types, such as 4 and "4". */
  | { readonly state: 'new'; readonly key: string; readonly lookalike?: string }
  | { readonly state: 'taken'; readonly key: string; readonly by: string };

interface Claim {
  readonly settings: Settings;
  readonly location: string;
}

/** With `isCompat`, settings with the same text are the same, as in the original tool. */
export function createSettingsRegistry(isCompat: boolean): SettingsRegistry {
  const claims = new Map<string, Claim | Claim[]>();
  return {
    claim(settings, location) {
      const key = keyText(settings);
      const existing = claims.get(key);
      const claim = { settings, location };
      if (existing === undefined) {
        claims.set(key, claim);
        return { state: 'new', key };
      }
      const all = Array.isArray(existing) ? existing : [existing];
      const [first] = all;
      // Rarely needed: only for settings with the same text.
      const identity = identityOf(settings);
      const same = isCompat ? first : all.find((one) => identityOf(one.settings) === identity);
      if (same) return { state: 'taken', key, by: same.location };
      claims.set(key, [...all, claim]);
      return { state: 'new', key, lookalike: first?.location ?? '' };
    },
  };
}
