import type { ChartFile } from '../../../charts/core/file/chart-file.ts';
import { drawChartFile } from '../../../charts/core/file/draw-chart-file.ts';
import { configOf, hasSucceeded } from '../../../home/app/result-files.ts';
import { failure, type Status, success } from '../../../home/core/status.ts';
import { timestampText } from '../../../kit/core/data-series.ts';
import { checkPrerequisites } from '../../../kit/core/prerequisites.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath, whyInvalidName } from '../../../platform/core/path.ts';
import { isJsonObject, type JsonObject, pythonJson, texts } from '../../../platform/core/text/json.ts';
import {
  computeScore,
  readScoreRule,
  type Score,
  type ScoreRule,
  type ScoreRuleReading,
  scoreText,
} from '../../core/subsystems/score.ts';
import { itemsChart, lastTwoWeeks, type ScoreEntry, scoreChart } from '../../core/subsystems/score-charts.ts';
import { type BuiltInSubsystem, readDataFiles, type SubsystemWork } from './subsystem-work.ts';

/** Computes the scores of its configuration, stores them, and reports them. One that cannot be computed does not stop the others. */
export const computeScores: BuiltInSubsystem = async (work) => {
  const { disk, output } = work;
  const file = joinPath(output, 'report.json');
  await disk.remove(file);
  const rules = await readRules(work);
  if (rules.length === 0) return success('No scores to report');
  const lines: string[] = [];
  const problems: string[] = [];
  for (const rule of rules) {
    const made = 'problem' in rule ? failure(rule.problem) : await tryScore(rule, work);
    (made.success ? lines : problems).push(made.message);
  }
  if (lines.length > 0)
    await disk.writeText(file, pythonJson({ title: 'Metric Scores', value: lines.join('\n') }));
  return problems.length === 0 ? success('success') : failure(problems.join('; '));
};

async function readRules(work: SubsystemWork): Promise<readonly ScoreRuleReading[]> {
  const confs = work.config['score_confs'];
  const networks = texts((await configNamed('gluon_rnns', work))['networks']);
  const rules: ScoreRuleReading[] = [];
  for (const [name, conf] of Object.entries(isJsonObject(confs) ? confs : {})) {
    const why = whyInvalidName(name);
    const rule = readScoreRule(name, conf, () => networks);
    if (rule)
      rules.push(why === undefined ? rule : { name, problem: `score_confs: invalid name "${name}": ${why}` });
  }
  return rules;
}

async function tryScore(rule: ScoreRule, work: SubsystemWork): Promise<Status> {
  try {
    return await makeScore(rule, work);
  } catch (error) {
    // A mean that values do not have, a graph that cannot be drawn.
    if (!(error instanceof NightmarkError) || error.code.startsWith('DISK_')) throw error;
    return failure(`${rule.name}: ${error.message}`);
  }
}

/** The line of the report, or why there is none. */
async function makeScore(rule: ScoreRule, work: SubsystemWork): Promise<Status> {
  const needed = await checkPrerequisites(rule.needs, (name) => factsOf(name, work));
  if (!needed.success) return failure(needed.message);
  const newest = new Map<string, JsonObject>();
  for (const name of Object.keys(rule.needs)) {
    const entry = (await readDataFiles(work.layout.data(name), work.disk)).at(-1)?.entry;
    if (entry) newest.set(name, entry);
  }
  const score = computeScore(rule, (name) => newest.get(name));
  if (!score) return failure(`${rule.name}: none of its values is in the newest data`);
  await keep(rule, score, work);
  await drawScore(rule, score, work);
  return success(scoreText(rule, score));
}

/** Named after the current time, not the night; a second one in a minute overwrites none. */
async function keep({ name }: ScoreRule, { score, total }: Score, work: SubsystemWork): Promise<void> {
  const { disk, clock, output } = work;
  const timestamp = timestampText(clock.wall(clock.now()));
  const dir = joinPath(output, 'data', name);
  const taken = new Set((await disk.list(dir)).map((entry) => entry.name));
  let file = `data_${timestamp}.json`;
  for (let count = 2; taken.has(file); count++) file = `data_${timestamp}-${count}.json`;
  await disk.writeText(joinPath(dir, file), pythonJson({ Score: score, Total: total, timestamp }));
}

async function factsOf(name: string, work: SubsystemWork) {
  const ref = { kind: 'experiment', name } as const;
  const isActive = work.home.tasks.some(
    (it) => it.kind === 'experiment' && it.name === name && it.state === 'active',
  );
  return {
    isValid: await hasSucceeded(work, ref, 'precheck'),
    config: { ...(await configNamed(name, work)), active: isActive },
    isAnalyzed: await hasSucceeded(work, ref, 'analysis'),
  };
}

async function configNamed(name: string, { home, disk }: SubsystemWork): Promise<JsonObject> {
  const task = home.tasks.find((it) => it.kind === 'experiment' && it.name === name);
  return task ? configOf(task, disk) : {};
}

/** The graphs of a score, drawn anew: its values, and how it went over all nights and the last two weeks. */
async function drawScore(rule: ScoreRule, score: Score, work: SubsystemWork): Promise<void> {
  const { disk, output, tools } = work;
  const dir = joinPath(output, 'graphs', rule.name);
  await disk.remove(dir);
  const pictures = await tools.openPictures();
  const draw = async (path: string, chart: ChartFile) =>
    disk.writeBytes(joinPath(dir, path), await pictures.png(drawChartFile(chart)));
  const files = await readDataFiles(joinPath(output, 'data', rule.name), disk);
  const entries = files.flatMap(({ entry }) => (isScore(entry) ? [entry] : []));
  await draw(`comparison/${rule.name}.png`, itemsChart(rule, score));
  await draw('all_time/longitudinal-score.png', scoreChart(rule, entries));
  await draw('two_weeks/longitudinal-score.png', scoreChart(rule, lastTwoWeeks(entries)));
}

function isScore(entry: object): entry is ScoreEntry {
  const { Score: score, Total: total } = entry as Partial<ScoreEntry>;
  return typeof score === 'number' && typeof total === 'number' && total > 0;
}
