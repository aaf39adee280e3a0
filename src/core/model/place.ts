/** What a command needs of the machine it gets. */
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
