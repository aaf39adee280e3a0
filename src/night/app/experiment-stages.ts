import { isElsewhere } from '../../executors/core/place.ts';
import { withMeasures } from '../../experiment/app/command-measures.ts';
import { pointsWork } from '../../experiment/app/point-command.ts';
import { stageCommand, stagePlaces, type TaskSources } from '../../experiment/app/stage-command.ts';
import { concernsOneStage } from '../../experiment/app/stage-results.ts';
import { startTelemetry } from '../../home/app/telemetry/record-telemetry.ts';
import type { Task, TelemetrySwitches } from '../../home/core/home.ts';
import type { TelemetryKind } from '../../home/core/machine/telemetry-file.ts';
import type { StageResult } from '../../home/core/run.ts';
import { failure, type Status } from '../../home/core/status.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject, type JsonValue, pythonJson } from '../../platform/core/text/json.ts';
import { asctime, pythonTimedelta } from '../../platform/core/text/times.ts';
import { analyzeInline, dataFile, mergeData, summarizeInline } from './analyze-results.ts';
import type { Night } from './night.ts';
import { judgePoints, preparePoints, runPoints } from './run-points.ts';
import { failStage, runStage, type StageWork } from './run-stage.ts';

/** Runs setup where its content changed. Undefined: there is none, or the last one is still valid. */
export async function setUp(
  night: Night,
  task: Task,
  sources: TaskSources,
): Promise<StageResult | undefined> {
  const command = await stageCommand(night, task, 'setup', sources);
  if (!command) return undefined;
  const { output } = stagePlaces(night, task, 'setup');
  const { disk } = night.effects;
  const work: StageWork = {
    task,
    stage: 'setup',
    command,
    output,
    prepare: () => emptyFolder(night, output),
  };
  if (night.recorder.result(task, 'setup')?.success === false) return night.recorder.result(task, 'setup');
  try {
    const key = await setupKey(task, disk);
    const isRecorded = night.recorder.result(task, 'setup') !== undefined;
    const isNeeded = isRecorded || task.rerunSetup || !(await isSetUp(output, key, disk));
    const result = isNeeded ? await runStage(night, work) : undefined;
    if (result?.success) await markSetUp(output, key, disk);
    if (result?.success !== false) await copyBesideScripts(task, output, disk);
    return result;
  } catch (error) {
    if (!concernsOneStage(error)) throw error;
    return failStage(night, task, 'setup', messageOf(error));
  }
}

/** Scripts expect the setup beside themselves, also when it was cached. */
async function copyBesideScripts({ implementation }: Task, folder: string, disk: Disk): Promise<void> {
  if (implementation.type !== 'scripts' || implementation.dir === undefined) return;
  await disk.copyTree(folder, joinPath(implementation.dir, 'setup'));
}

/** The measurement itself, with telemetry beside it. */
export async function runExperiment(night: Night, task: Task, sources: TaskSources): Promise<StageResult> {
  const { disk, clock, signal, telemetry, store } = night.effects;
  const { output } = stagePlaces(night, task, 'run');
  const plain = await stageCommand(night, task, 'run', sources);
  const command = plain && withMeasures(plain, task, output);
  const points = pointsWork(task, command);
  const switches = telemetryHere(night, task);
  const request = {
    experiment: task.name,
    switches,
    textDir: (kind: TelemetryKind) => joinPath(night.raw.dir, 'telemetry', task.name, kind),
    jsonFile: (kind: TelemetryKind) =>
      joinPath(night.layout.telemetry(task.name), kind, `${kind}-${night.run.label}.json`),
    label: night.run.label,
  };
  let recording: Awaited<ReturnType<typeof startTelemetry>> | undefined;
  const stopTelemetry = async () => {
    const recorded = await recording?.stop();
    recording = undefined;
    for (const note of recorded?.notes ?? []) night.recorder.warn(`Telemetry: ${note}`);
    const columns = recorded?.columns ?? [];
    if (columns.length > 0) await night.recorder.index(() => store.appendPoints(night.run.id, columns));
  };

  const work: StageWork = {
    task,
    stage: 'run',
    ...(command && { command }),
    output,
    alsoWritten: [request.jsonFile('cpu'), request.jsonFile('gpu')],
    // Each point is tried again by itself.
    ...(points && { perform: () => runPoints(night, points), retries: 0 }),
    prepare: async () => {
      await stopTelemetry();
      if (points) await preparePoints(night, task, output);
      else await emptyFolder(night, output);
      recording = await startTelemetry(request, { sources: telemetry, disk, clock, signal });
    },
    afterAttempt: stopTelemetry,
    extra: (startedAt, micros) => ({
      start_time: asctime(clock.wall(startedAt)),
      end_time: asctime(clock.wall(startedAt + micros / 1000)),
      time_delta: pythonTimedelta(micros),
      run_cpu_telemetry: switches.cpu,
      run_gpu_telemetry: switches.gpu,
    }),
  };
  try {
    return await runStage(night, work);
  } finally {
    await stopTelemetry();
  }
}

/** Telemetry of this machine says nothing about what runs on another one. */
function telemetryHere({ recorder }: Night, { name, telemetry, at }: Task): TelemetrySwitches {
  if (!at || !isElsewhere(at)) return telemetry;
  if (telemetry.cpu || telemetry.gpu)
    recorder.warn(`No telemetry of ${name}: it runs by ${at.executor}, not on this machine.`);
  return { ...telemetry, cpu: false, gpu: false };
}

export async function analyzeExperiment(
  night: Night,
  task: Task,
  sources: TaskSources,
): Promise<StageResult> {
  const command = await stageCommand(night, task, 'analyze', sources);
  const { output, data } = stagePlaces(night, task, 'analyze');
  const matrix = task.implementation.type === 'commands' ? task.implementation.matrix : undefined;
  return runStage(night, {
    task,
    stage: 'analyze',
    ...(command && { command }),
    output,
    alsoWritten: [dataFile(night, task), night.files.samples(task.name)],
    // Points that failed stay failed: another analysis changes nothing.
    ...(matrix && { retries: 0 }),
    prepare: async () => {
      await night.effects.disk.makeDir(data);
      await emptyFolder(night, output);
    },
    ...(!command && { performOwn: () => analyzeInline(night, task) }),
    conclude: async (status) => {
      const merged = await mergeData(night, task, status);
      return matrix ? judgePoints(night, { task, matrix }, { status: merged, unread: [] }) : merged;
    },
  });
}

/** Graphs and summary are independent of one another; the folders are made by the scripts. */
export async function presentExperiment(night: Night, task: Task, sources: TaskSources): Promise<void> {
  for (const stage of ['visualize', 'summarize'] as const) {
    const command = await stageCommand(night, task, stage, sources);
    const isInline = task.implementation.type === 'commands';
    if (!command && !(isInline && stage === 'summarize')) continue;
    const { output } = stagePlaces(night, task, stage);
    await runStage(night, {
      task,
      stage,
      ...(command && { command }),
      output,
      prepare: async () => {
        await night.effects.disk.remove(output);
        if (isInline) await night.effects.disk.makeDir(output);
      },
      ...(!command && { performOwn: () => summarizeInline(night, task, output) }),
      ...(stage === 'summarize' && {
        conclude: (status: Status) => checkSummary(night, task, output, status),
      }),
    });
  }
}

async function checkSummary(night: Night, task: Task, folder: string, status: Status): Promise<Status> {
  const invalid = failure(`summary.json produced by ${task.name} is invalid`);
  const path = joinPath(folder, 'summary.json');
  const text = await night.effects.disk.readText(path, { maxBytes: 16 * 1024 * 1024, within: folder });
  if (text === undefined) return invalid;
  const summary = parseObject(text);
  return summary && 'title' in summary && 'value' in summary ? status : invalid;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function emptyFolder({ effects }: Night, folder: string): Promise<void> {
  await effects.disk.remove(folder);
  await effects.disk.makeDir(folder);
}

/** Written by setups themselves, by version control or by interpreters: no part of what an experiment is. */
const IGNORED = /^(setup|\.git|__pycache__)$|\.pyc$/;

/** The key under which a setup is valid: the content of the experiment and of its configuration, whatever the dates. */
async function setupKey(task: Task, disk: Disk): Promise<string> {
  const { implementation, configDir } = task;
  const roots =
    implementation.type === 'scripts' && implementation.dir !== undefined ? [implementation.dir] : [];
  const files = await disk.fingerprint([...roots, configDir], (name) => IGNORED.test(name));
  if (implementation.type !== 'commands') return files;
  return `${files} ${pythonJson({ ...implementation.commands })}`;
}

/** True when the setup folder was filled under this key. */
async function isSetUp(folder: string, key: string, disk: Disk): Promise<boolean> {
  const marker = await disk.readText(markerIn(folder));
  return marker?.trim() === key;
}

async function markSetUp(folder: string, key: string, disk: Disk): Promise<void> {
  await disk.writeText(markerIn(folder), `${key}\n`, { durable: true });
}

/** The original's name; it holds our key where the original only touched it. */
function markerIn(folder: string): string {
  return joinPath(folder, '.last_setup');
}
