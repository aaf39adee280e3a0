import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../platform/core/text/json.ts';
import {
  checkPrerequisites as check,
  type ExperimentFacts,
  type Prerequisite,
  type Prerequisites,
} from './core/prerequisites.ts';
import { readJsonObject } from './stage-files.ts';

/** The folders of a home; functions take the name of an experiment or subsystem. */
export interface DashboardInfo {
  readonly home: string;
  experimentConfigDir(name: string): string;
  experimentDataDir(name: string): string;
  experimentGraphDir(name: string): string;
  experimentStatusDir(name: string): string;
  experimentSummaryDir(name: string): string;
  subsystemConfigDir(name: string): string;
  subsystemOutputDir(name: string): string;
  subsystemStatusDir(name: string): string;
  subsystemTelemetryDir(name: string): string;
  /** Names, sorted. */
  experiments(): readonly string[];
  subsystems(): readonly string[];
  /** Of a stage (precheck, run, analysis ...); a missing or broken status is a failure. */
  stageStatus(name: string, stage: string): { readonly success: boolean; readonly message: string };
  experimentConfig(name: string): JsonObject;
  isActive(name: string): boolean;
}

export function dashboardInfo(home: string): DashboardInfo {
  const config = (kind: string) => join(home, 'config', kind);
  const results = (kind: string, part: string) => (name: string) => join(home, 'results', kind, part, name);
  const statusDir = results('experiments', 'status');
  const configDir = (name: string) => join(config('experiments'), name);
  const info: DashboardInfo = {
    home,
    experimentConfigDir: configDir,
    experimentDataDir: results('experiments', 'data'),
    experimentGraphDir: results('experiments', 'graph'),
    experimentStatusDir: statusDir,
    experimentSummaryDir: results('experiments', 'summary'),
    subsystemConfigDir: (name) => join(config('subsystem'), name),
    subsystemOutputDir: results('subsystem', 'output'),
    subsystemStatusDir: results('subsystem', 'status'),
    subsystemTelemetryDir: results('subsystem', 'telemetry'),
    experiments: () => foldersIn(config('experiments')),
    subsystems: () => foldersIn(config('subsystem')),
    stageStatus: (name, stage) => readStatus(join(statusDir(name), `${stage}.json`), stage),
    experimentConfig: (name) => readJsonObject(join(configDir(name), 'config.json')),
    isActive: (name) =>
      info.stageStatus(name, 'precheck').success && info.experimentConfig(name)['active'] === true,
  };
  return info;
}

/** Whether other experiments have what this one needs: {"other": {"devices": ["cpu"]}}. */
export function checkPrerequisites(info: DashboardInfo, needed: Prerequisites): Promise<Prerequisite> {
  return check(needed, async (name): Promise<ExperimentFacts> => {
    const isValid = info.stageStatus(name, 'precheck').success;
    return {
      isValid,
      config: isValid ? info.experimentConfig(name) : {},
      isAnalyzed: info.stageStatus(name, 'analysis').success,
    };
  });
}

function readStatus(path: string, stage: string): { success: boolean; message: string } {
  if (!existsSync(path)) return { success: false, message: `${stage} stage status missing` };
  try {
    const { success, message } = readJsonObject(path);
    return { success: success === true, message: typeof message === 'string' ? message : '' };
  } catch {
    return { success: false, message: `Failed to parse ${stage} stage status` };
  }
}

function foldersIn(dir: string): readonly string[] {
  if (!existsSync(dir)) return [];
  const entries = readdirSync(dir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
