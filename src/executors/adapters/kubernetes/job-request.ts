import { randomInt } from 'node:crypto';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Command } from '../../core/executor.ts';
import {
  jobManifest,
  OLD_APP,
  objectName,
  oldPlace,
  oldResources,
} from '../../core/kubernetes/kube-manifest.ts';

const GRACE_MS = 2_000;
/** The cluster's own limit comes after ours: it is for the case that we are gone. */
const LATER_MS = 5_000;
/** How long what ended is kept, for a worker that was unavailable: a day. */
const KEEP_SECONDS = 86_400;

export interface JobRequest {
  readonly name: string;
  readonly manifest: JsonObject;
}

/** The Job that a command becomes. */
export function jobRequest(command: Command): JobRequest {
  const { argv, cwd, title = 'nightmark', labels = {}, resources = {}, graceMs = GRACE_MS } = command;
  const isOld = process.env['NIGHTMARK_KUBERNETES_COMPAT'] === 'jobmonitor';
  const given = command.place?.kubernetes ?? {};
  const timeMs = command.timeoutMs ?? resources.timeMs;
  const name = objectName(title, randomEnding());
  const runId = command.env['NIGHTMARK_RUN_ID'];
  const pod = {
    argv,
    cwd,
    env: variables(command.env),
    image: imageOf(command) ?? '',
    place: isOld ? oldPlace(given, resources) : given,
    resources: isOld ? oldResources(resources) : resources,
    graceSeconds: Math.max(1, Math.ceil(graceMs / 1000)),
    ...(timeMs !== undefined && { deadlineSeconds: Math.ceil((timeMs + graceMs + LATER_MS) / 1000) }),
  };
  const settings = {
    name,
    labels: { ...labels, ...(isOld && { app: OLD_APP }) },
    keepSeconds: KEEP_SECONDS,
    ...(runId !== undefined && { runId }),
  };
  return { name, manifest: jobManifest(pod, settings) };
}

/** Why no cluster could run it; undefined when it may be tried. */
export function whyNotRunnable(command: Command): string | undefined {
  const { argv, env, cwd, after = [], tasks = 1 } = command;
  if (!imageOf(command)) return 'no image was named: --image, or JOBMONITOR_DOCKER_IMAGE';
  if ([...argv, cwd, ...Object.entries(env).flat()].some((text) => text.includes('\0')))
    return 'an argument or a variable has a NUL in it';
  const odd = Object.keys(variables(env)).find((name) => !/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name));
  if (odd !== undefined) return `Kubernetes takes no variable with the name "${odd}"`;
  if (tasks > 1) return `one pod is one process, not ${tasks}: give each rank a command of its own`;
  return after.length > 0 ? 'Kubernetes starts no Job after another: let the queue do it' : undefined;
}

function imageOf({ place, container }: Command): string | undefined {
  const { kubernetes } = place ?? {};
  const image = kubernetes?.image ?? place?.container?.image ?? container?.image;
  return image || process.env['JOBMONITOR_DOCKER_IMAGE'];
}

/** What only repeats our own environment is not passed on: see the port. */
function variables(env: Command['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([key, value]) => process.env[key] !== value));
}

function randomEnding(): string {
  return randomInt(36 ** 6)
    .toString(36)
    .padStart(6, '0');
}
