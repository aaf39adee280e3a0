import { seriesKey } from '../../../home/core/changes/change.ts';
import type { AlarmBudget } from '../../../home/core/home.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { sha256 } from '../../../platform/core/text/sha256.ts';
import { budgetThresholds, type StoredHistory } from '../../core/backtest/alarm-budget.ts';
import type { AlarmThresholds } from '../../core/changes/judge-series.ts';
import type { JudgingRules } from '../series/judging-rules.ts';
import { seriesToJudge } from '../series/series-to-judge.ts';

interface Sources {
  readonly disk: Disk;
  readonly store: Store;
}

/** The same thresholds hold for so many nights: a replay costs more than a night, and a few values move nothing. */
const NIGHTS = 25;
/** Values that are replayed; more would not move a threshold. */
const MOST_VALUES = 50_000;

/** How strict the budget of a home makes the judge, by its own history; undefined where there is no budget. */
export async function alarmThresholds(
  { home, rules }: { readonly home: string; readonly rules: JudgingRules },
  { disk, store }: Sources,
): Promise<AlarmThresholds | undefined> {
  const { budget } = rules.home;
  if (budget === undefined) return undefined;
  const file = joinPath(homeLayout(home).own, 'cache/alarm-thresholds.json');
  const key = await keyOf(budget, store);
  const known = parseThresholds(await disk.readText(file), key);
  if (known) return known;
  const histories = await historiesOf(rules, store);
  const { falseAlarms, maxP } = budgetThresholds(histories, { count: budget.count, perDays: budget.days });
  await disk.writeText(file, `${JSON.stringify({ key, falseAlarms, maxP })}\n`);
  return { falseAlarms, maxP };
}

/** Histories of a home for a replay, as many as make sense. */
export async function historiesOf(rules: JudgingRules, store: Store): Promise<readonly StoredHistory[]> {
  const histories: StoredHistory[] = [];
  let values = 0;
  for await (const { history } of seriesToJudge(store, {}, (series) => !rules.isIgnored(series))) {
    histories.push({ values: history.values, times: history.times });
    values += history.values.length;
    if (values >= MOST_VALUES) break;
  }
  return histories;
}

/** What a replay would see, but for the newest nights. */
async function keyOf(budget: AlarmBudget, store: Store): Promise<string> {
  const series = await store.series({ limit: 1_000_000 });
  const names = series.map(({ experiment, path }) => seriesKey({ kind: 'value', experiment, path })).sort();
  const blocks = Math.floor((await store.countRuns()) / NIGHTS);
  return sha256(JSON.stringify([budget.count, budget.days, blocks, names]));
}

/** A cache that is damaged is made anew. */
function parseThresholds(text: string | undefined, key: string): AlarmThresholds | undefined {
  try {
    const value = JSON.parse(text ?? 'null') as JsonValue;
    if (!isJsonObject(value) || value['key'] !== key) return undefined;
    const { falseAlarms, maxP } = value;
    const isUsable = [falseAlarms, maxP].every((it) => typeof it === 'number' && it > 0 && it <= 1);
    return isUsable ? { falseAlarms: Number(falseAlarms), maxP: Number(maxP) } : undefined;
  } catch {
    return undefined;
  }
}
