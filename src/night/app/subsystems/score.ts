import { configOf, hasSucceeded } from '../../../home/app/files.ts';
import { failure, type Status, success } from '../../../home/core/status.ts';
import { timestampText } from '../../../kit/core/data-series.ts';
import { checkPrerequisites } from '../../../kit/core/prerequisites.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath, whyNotAName } from '../../../platform/core/path.ts';
import { isJsonObject, type JsonObject, pythonJson, texts } from '../../../platform/core/text/json.ts';
import { computeScore, type Score, scoreText } from '../../core/subsystems/score.ts';
import { readScoreRule, type ScoreRule, type ScoreRuleReading } from '../../core/subsystems/score-rules.ts';
import { drawScore } from './draw-score.ts';
import { readDataFiles } from './read-data.ts';
import type { BuiltInSubsystem, SubsystemWork } from './work.ts';

/** Computes the scores of its configuration, keeps them, and reports them. One that cannot be had does not stop the others. */
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
    const why = whyNotAName(name);
    const rule = readScoreRule(name, conf, () => networks);
    if (rule)
      rules.push(why === undefined ? rule : { name, problem: `score_confs: "${name}" is no name: ${why}` });
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

/** Named after the moment, not the night; a second one in a minute overwrites none. */
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
