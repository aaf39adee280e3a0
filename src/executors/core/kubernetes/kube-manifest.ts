import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { SecretKey } from '../executor.ts';
import type { KubernetesPlace, Resources } from '../place.ts';

/** Labels by which our own objects are found. */
export const APP = 'nightmark';
export const RUN_LABEL = 'nightmark.run';
/** Name of the one container of a pod. */
export const CONTAINER = 'worker';

/** A command as a pod runs it. */
export interface PodCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Variables whose values lie in Secrets. */
  readonly secrets?: Readonly<Record<string, SecretKey>>;
  readonly image: string;
  readonly cwd?: string;
  readonly place: KubernetesPlace;
  readonly resources: Resources;
  /** How long it may take to end by itself once it is asked to. */
  readonly graceSeconds?: number;
  /** The longest it may run, from when a node has it: waiting for a free one does not count. */
  readonly deadlineSeconds?: number;
}

export interface Names {
  readonly name: string;
  /** The app is ours unless these say otherwise. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface JobSettings extends Names {
  readonly runId?: string;
  /** How long the cluster keeps what ended. */
  readonly keepSeconds: number;
}

/** What runs one command of the executor: a Job, so that the cluster keeps it when we are gone. */
export function jobManifest(
  command: PodCommand,
  { name, labels, runId, keepSeconds }: JobSettings,
): JsonObject {
  const all = {
    ...legalLabels({ app: APP, ...labels }),
    ...(runId !== undefined && { [RUN_LABEL]: runLabel(runId) }),
  };
  const spec = { ...podSpec(command), enableServiceLinks: false };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: all },
    spec: {
      backoffLimit: 0,
      // A deleted pod is an end like any other: clusters since 1.28 know this field, older ones ignore it.
      podReplacementPolicy: 'Failed',
      ttlSecondsAfterFinished: keepSeconds,
      template: { metadata: { labels: all }, spec },
    },
  };
}

/** A job as a single pod, `<user>-<last six of its id>`: what the first monitor made. */
export function podManifest(command: PodCommand, { name, labels }: Names): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: objectName(name), labels: legalLabels({ app: APP, ...labels }) },
    spec: podSpec(command),
  };
}

export interface QueueSettings {
  readonly user: string;
  /** Six random letters or digits. */
  readonly ending: string;
  readonly ids: readonly string[];
  /** How many pods in all: one for each id by default. */
  readonly copies?: number;
  /** How many at a time; ten by default. */
  readonly parallel?: number;
  readonly keepSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Pods, some at a time, that work through these jobs; each takes what is left and ends when nothing is. */
export function queueManifest(
  command: PodCommand,
  { user, ending, ids, labels = {}, copies = ids.length, parallel = 10, keepSeconds }: QueueSettings,
): JsonObject {
  const all = legalLabels({ app: APP, user, ...labels });
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: objectName(`${user}-queue`, ending), labels: all },
    spec: {
      backoffLimit: 0,
      completions: copies,
      parallelism: parallel,
      ...(keepSeconds !== undefined && { ttlSecondsAfterFinished: keepSeconds }),
      template: {
        metadata: { labels: all },
        spec: podSpec({ ...command, argv: [...command.argv, ...ids] }),
      },
    },
  };
}

function podSpec({
  argv,
  env,
  secrets = {},
  image,
  cwd,
  place,
  resources,
  graceSeconds,
  deadlineSeconds,
}: PodCommand): JsonObject {
  const volumes = Object.entries(place.volumes ?? {}).map(([claim, path], at) => {
    return { claim, path, name: objectName(claim) || `volume-${at}` };
  });
  const { limits, requests } = containerResources(resources);
  const container: JsonObject = {
    name: CONTAINER,
    image,
    command: [...(place.entrypoint ?? []), ...argv].map(escaped),
    env: [
      ...Object.entries(env).map(([name, value]) => ({ name, value: escaped(value) })),
      ...Object.entries(secrets).map(([name, { name: secret, key }]) => {
        return { name, valueFrom: { secretKeyRef: { name: secret, key } } };
      }),
    ],
    ...(cwd !== undefined && { workingDir: cwd }),
    ...(volumes.length > 0 && { volumeMounts: volumes.map(({ name, path }) => ({ name, mountPath: path })) }),
    resources: { limits, requests },
  };
  return {
    ...(place.hostIpc === true && { hostIPC: true }),
    restartPolicy: 'Never',
    containers: [container],
    ...(volumes.length > 0 && {
      volumes: volumes.map(({ name, claim }) => ({ name, persistentVolumeClaim: { claimName: claim } })),
    }),
    ...(place.nodeSelector && { nodeSelector: { ...place.nodeSelector } }),
    ...(place.imagePullSecrets && { imagePullSecrets: place.imagePullSecrets.map((name) => ({ name })) }),
    ...(place.serviceAccount !== undefined && { serviceAccountName: place.serviceAccount }),
    ...(graceSeconds !== undefined && { terminationGracePeriodSeconds: graceSeconds }),
    ...(deadlineSeconds !== undefined && { activeDeadlineSeconds: deadlineSeconds }),
  };
}

/** A node replaces $(NAME) in commands and variables, and makes one dollar of two: doubled they arrive as they are. */
function escaped(text: string): string {
  return text.replaceAll('$', '$$$$');
}

const GIB = 2 ** 30;

/** Two thirds are requested and the rest may be used: nodes are shared by jobs that rarely all need all. */
function containerResources({ cpus, memoryBytes, gpus }: Resources): {
  readonly limits: JsonObject;
  readonly requests: JsonObject;
} {
  return {
    limits: {
      ...(gpus !== undefined && { 'nvidia.com/gpu': String(Math.ceil(gpus)) }),
      ...(memoryBytes !== undefined && { memory: memoryText(memoryBytes) }),
      ...(cpus !== undefined && { cpu: cpuText(cpus) }),
    },
    requests: {
      ...(memoryBytes !== undefined && { memory: memoryText(twoThirds(memoryBytes, GIB)) }),
      ...(cpus !== undefined && { cpu: cpuText(twoThirds(cpus, 1)) }),
    },
  };
}

/** Rounded down to whole units where at least one is left. */
function twoThirds(value: number, unit: number): number {
  const part = (value * 2) / 3;
  return part >= unit ? Math.floor(part / unit) * unit : part;
}

function memoryText(bytes: number): string {
  return bytes % GIB === 0 ? `${bytes / GIB}Gi` : String(Math.floor(bytes));
}

function cpuText(cpus: number): string {
  return Number.isInteger(cpus) ? String(cpus) : `${Math.max(1, Math.floor(cpus * 1000))}m`;
}

/** The longest label value, and the longest name that fits into one. */
const MOST = 63;

/** A name that the API takes: small letters, digits and dashes, at most 63 with its ending. */
export function objectName(text: string, ending = ''): string {
  const room = MOST - (ending === '' ? 0 : ending.length + 1);
  const legal = ascii(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, room)
    .replace(/^-+|-+$/g, '');
  return [legal || 'nightmark', ending].filter((part) => part !== '').join('-');
}

/** A value that a label may have: letters, digits, dashes, dots and underscores, at most 63. */
export function labelValue(text: string): string {
  return ascii(text)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MOST)
    .replace(/[^A-Za-z0-9]+$/, '');
}

/** What the label of a run says: one that had to be changed is distinguished from similar ones by a checksum. */
export function runLabel(runId: string): string {
  const legal = labelValue(runId);
  if (legal === runId && legal !== '') return legal;
  let sum = 2166136261; // FNV-1a
  for (const byte of new Uint8Array([...runId].map((letter) => letter.codePointAt(0) ?? 0)))
    sum = Math.imul(sum ^ byte, 16777619) >>> 0;
  return labelValue(`${legal.slice(0, 50)}-${sum.toString(16).padStart(8, '0')}`);
}

/** Labels with legal values; those of which nothing is left are left out. */
export function legalLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const legal = Object.entries(labels).map(([key, value]) => [key, labelValue(value)] as const);
  return Object.fromEntries(legal.filter(([, value]) => value !== ''));
}

/** Letters with marks lose them rather than the letter. */
function ascii(text: string): string {
  return text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
}

/** What every pod of the first monitor had, for clusters that are set up for it. */
export const OLD_APP = 'jobmonitor';

export function oldPlace(place: KubernetesPlace, { gpus = 0 }: Resources): KubernetesPlace {
  const nodeSelector = { ...(gpus === 0 && { 'hardware-type': 'CPUONLY' }), ...place.nodeSelector };
  return {
    hostIpc: true,
    entrypoint: ['/entrypoint.sh'],
    ...place,
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
  };
}

export function oldResources(resources: Resources): Resources {
  return { cpus: 20, memoryBytes: 128 * 2 ** 30, gpus: 0, ...resources };
}
