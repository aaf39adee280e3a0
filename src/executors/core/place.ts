/** Everywhere that commands can run, by the id of the executor. */
export const EXECUTOR_IDS = ['process', 'container', 'slurm', 'kubernetes'] as const;
export type ExecutorId = (typeof EXECUTOR_IDS)[number];

/** Where commands run: who runs them, what they need, and the details of the place. */
export interface RunPlace {
  readonly executor: ExecutorId;
  readonly resources: Resources;
  readonly place: ClusterPlace;
}

/** Processes of this machine. */
export const HERE: RunPlace = { executor: 'process', resources: {}, place: {} };

/** Whether commands leave this machine. */
export function isElsewhere({ executor }: Pick<RunPlace, 'executor'>): boolean {
  return executor === 'slurm' || executor === 'kubernetes';
}

/** Resources that a command needs. */
export interface Resources {
  readonly cpus?: number;
  readonly memoryBytes?: number;
  readonly gpus?: number;
  /** The longest it may run. */
  readonly timeMs?: number;
}

/** What only one kind of cluster understands; an executor reads its own part. */
export interface ClusterPlace {
  readonly container?: { readonly image: string; readonly engine?: string };
  readonly slurm?: SlurmPlace;
  readonly kubernetes?: KubernetesPlace;
}

export interface SlurmPlace {
  readonly partition?: string;
  readonly account?: string;
  readonly qos?: string;
  readonly constraint?: string;
  /** Further options of sbatch, as they are: `--exclusive`, `--nodelist=a1`. */
  readonly options?: readonly string[];
  /** One allocation for all ranks, started by srun. */
  readonly isMpi?: boolean;
}

export interface KubernetesPlace {
  readonly namespace?: string;
  readonly image?: string;
  readonly imagePullSecrets?: readonly string[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Persistent volume claims by name, and where they are seen. */
  readonly volumes?: Readonly<Record<string, string>>;
  readonly serviceAccount?: string;
  readonly hostIpc?: boolean;
  /** What stands before the command in the image, e.g. /entrypoint.sh. */
  readonly entrypoint?: readonly string[];
}
