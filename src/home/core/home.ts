import type { Pinning } from '../../executors/core/executor.ts';
import type { Measure } from '../../executors/core/measures.ts';
import type { RunPlace } from '../../executors/core/place.ts';
import type { ResultsRule } from '../../formats/core/format.ts';
import type { Source } from '../../git/core/source-control.ts';
import type { Problem } from '../../platform/core/errors.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { DirectionRule } from './changes/directions.ts';
import type { MatrixExperiment } from './matrix-definition.ts';

/** A home, read from any dialect: total, defaults filled in, all paths absolute. */
export interface Home {
  readonly dir: string;
  readonly dialect: 'dashboard' | 'native';
  readonly project: string;
  readonly folders: HomeFolders;
  readonly order: 'random' | 'priority';
  /** Fixed seed of the order and of NIGHTMARK_SEED; absent: drawn anew each night and recorded. */
  readonly seed?: number;
  /** Order of a subsystem's arguments after its configuration folder. */
  readonly subsystemArguments: 'home-output' | 'output-home';
  readonly schedule?: Schedule;
  readonly backups: BackupPolicy;
  readonly retention: Retention;
  /** What counts as a change; absent: the defaults. */
  readonly regress?: RegressRules;
  /** Which direction of which series is good, of the home and of its experiments; the last that matches counts. */
  readonly directions?: readonly DirectionRule[];
  /** Live metrics; absent: not configured. */
  readonly metrics?: HomeMetrics;
  /** Jobs; absent: not configured. */
  readonly jobs?: HomeJobs;
  /** Who is notified of what; absent: nobody. */
  readonly notify?: readonly NotifyRoute[];
  /** Where the pages go after a night; absent: nowhere. */
  readonly publish?: readonly PublishTarget[];
  /** Where others see the page of this home: an http or https address. */
  readonly page?: string;
  readonly tasks: readonly Task[];
}

/** A place that the pages of a home go to after a night. */
export interface PublishTarget {
  /** dir:PATH, git:REMOTE#BRANCH, s3:URL, rsync:TARGET; a path is relative to the home. */
  readonly to: string;
  /** Good: nothing failed in it. */
  readonly on: 'every night' | 'good nights';
  /** Room for graphs and data files. */
  readonly maxBytes: number;
  /** Files of older pages are written as well. */
  readonly writesOld: boolean;
  /** How often it is tried after a night. */
  readonly tries: number;
}

/** Jobs of a home. */
export interface HomeJobs {
  /** Id of the queue. */
  readonly store: 'sqlite' | 'postgres';
  /** Folder of results, relative to the home. */
  readonly results?: string;
}

/** Live metrics of a home. */
export interface HomeMetrics {
  /** Id of the storage of points. */
  readonly store: 'sqlite' | 'postgres';
  readonly forward: readonly ForwardTarget[];
  /** Absent: everything is kept as it came. */
  readonly retention?: MetricsRetention;
  readonly udp?: UdpRules;
  /** nan and inf are stored instead of refused. */
  readonly keepsNotFinite?: boolean;
}

/** How long values are kept as they came, then by the minute, then by the hour; open: for ever. */
export interface MetricsRetention {
  readonly rawMs: number;
  readonly minutesMs?: number;
  readonly hoursMs?: number;
}

/** Points in UDP packets. Absent: as usual. */
export interface UdpRules {
  /** 0: none are taken. */
  readonly port?: number;
  readonly database?: string;
  readonly isStrict?: boolean;
}

/** What counts as a change of a series. Absent values are those of the detector. */
export interface RegressRules {
  /** The smallest shift of interest, as a fraction of the level before. */
  readonly minEffect?: number;
  /** The same in the unit of the values; the larger of both counts. */
  readonly minDifference?: number;
  /** What is probably beyond these raises an alarm too; else only what surely is. */
  readonly orLikely?: boolean;
  /** How many false alarms are bearable. */
  readonly budget?: AlarmBudget;
  /** Patterns of series that are not judged. */
  readonly ignore?: readonly string[];
  /** Measure the commits of new regressions again after the night; absent: only on request. */
  readonly confirm?: ConfirmRules;
}

/** How much of the morning confirmations may take. */
export interface ConfirmRules {
  readonly duets: number;
  readonly minutes: number;
}

export interface AlarmBudget {
  readonly count: number;
  readonly days: number;
}

export interface HomeFolders {
  /** Folders searched for implementations of experiments, first hit wins. */
  readonly experiments: readonly string[];
  readonly subsystems: readonly string[];
  /** Raw data of a night lives here until it is archived. */
  readonly tmp: string;
  readonly backup: string;
  readonly setup: string;
}

export interface Schedule {
  /** Absent: nights come with new commits only. */
  readonly cron?: string;
  /** How often the sources are checked for new commits, which start a night; absent: never. */
  readonly commitsEveryMs?: number;
  readonly timezone?: string;
  /** Pull the repository that holds the experiments before each night. */
  readonly pull: boolean;
}

export interface BackupPolicy {
  readonly before: boolean;
  readonly after: boolean;
}

/** How long things are kept; absent means for ever. */
export interface Retention {
  readonly backups: KeepRule;
  readonly raw: KeepRule;
  readonly logs: KeepRule;
}

export interface KeepRule {
  readonly count?: number;
  readonly ageMs?: number;
}

/** Something with stages: an experiment, or a subsystem that runs after all experiments. */
export interface Task {
  readonly kind: 'experiment' | 'subsystem';
  readonly name: string;
  /** `broken` tasks fail their precheck with `problem`; the rest of the night goes on. */
  readonly state: 'active' | 'inactive' | 'broken';
  readonly problem?: string;
  readonly title?: string;
  readonly description?: string;
  readonly notify: readonly string[];
  readonly priority: number;
  /** Names of tasks that must have succeeded first. */
  readonly after: readonly string[];
  readonly configDir: string;
  /** Written to configDir/config.json before the night, where the configuration has no file of its own. */
  readonly config?: JsonObject;
  readonly implementation: Implementation;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: Readonly<Partial<Record<StageName, number>>>;
  readonly retries: number;
  readonly rerunSetup: boolean;
  readonly pinning?: Pinning;
  readonly telemetry: TelemetrySwitches;
  /** Where its stages run; absent: processes of this machine. */
  readonly at?: RunPlace;
  readonly sources: readonly Source[];
  /** Rules of its own, with those of the home filled in; absent: those of the home. */
  readonly regress?: RegressRules;
  /** Directions of its series that it declares itself. */
  readonly directions?: readonly DirectionRule[];
}

export type StageName = 'source' | 'setup' | 'run' | 'analyze' | 'visualize' | 'summarize';

export type Implementation =
  /** A folder of executable stage scripts (run.sh ...), called as the protocol says. */
  | { readonly type: 'scripts'; readonly dir: string | undefined }
  /** Commands written in nightmark.yml; absent stages are done by Nightmark or left out. */
  | {
      readonly type: 'commands';
      readonly cwd: string;
      readonly commands: StageCommands;
      readonly results: ResultsRule;
      /** The run stage runs `commands.run` at each point of it. */
      readonly matrix?: MatrixExperiment;
      /** What is measured of `commands.run` itself, beside its results. */
      readonly measures?: readonly Measure[];
    }
  /** A subsystem that is part of Nightmark. */
  | { readonly type: 'built-in'; readonly id: string };

export type StageCommands = Readonly<Partial<Record<Exclude<StageName, 'source'>, string>>>;

export interface TelemetrySwitches {
  readonly cpu: boolean;
  readonly gpu: boolean;
  /** Seconds between samples; 0 or less switches telemetry off. */
  readonly rateSeconds: number;
}

/** The outcome of reading a home: as much of it as could be understood, and every problem. */
export interface HomeReading {
  readonly home: Home;
  readonly problems: readonly Problem[];
  /** The raw top-level definition, for tools that read fields of their own. */
  readonly raw: JsonObject;
}

/** Who is notified of what: a route of `notify` in nightmark.yml. */
export interface NotifyRoute {
  readonly name: string;
  /** Id of the notifier: slack, webhook, email. */
  readonly to: string;
  readonly channels: readonly string[];
  readonly addresses: readonly string[];
  readonly from?: string;
  /** Of the receiver, or of the mail server; without secrets. */
  readonly url?: string;
  /** Names of environment variables by what they hold: token, webhook, url, secret, user, password. */
  readonly variables: Readonly<Record<string, string>>;
  /** Patterns; empty: everything, also what is of no experiment. */
  readonly experiments: readonly string[];
  readonly severity: Severity;
  readonly events: readonly NoticeEvent[];
  readonly quiet?: QuietHours;
  readonly tries: number;
  /** Of one request. */
  readonly timeoutMs: number;
}

/** When only urgent messages are sent. */
export interface QuietHours {
  /** Minutes since midnight; with `until` before `from` it is over midnight. Absent: weekends only. */
  readonly hours?: { readonly from: number; readonly until: number };
  /** Absent: that of the machine. */
  readonly timezone?: string;
  /** Saturday and Sunday, all day. */
  readonly weekends: boolean;
  /** What is sent all the same: events, and everything that is at least as severe. */
  readonly except: readonly (NoticeEvent | Severity)[];
}

export const SEVERITIES = ['info', 'warning', 'critical'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** Events that people can be notified of; `on` of a route names them. */
export const NOTICE_EVENTS = [
  'regression',
  'improvement',
  'change',
  'machine',
  'failed',
  'missing',
  'night-broken',
  'night-finished',
  'publication',
] as const;

export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** A system that points are mirrored to: `metrics.forward` of a home. */
export interface ForwardTarget {
  /** Names its buffer on disk and its counters. */
  readonly name: string;
  /** Id of the forwarder: influx, prometheus. */
  readonly to: string;
  readonly url: string;
  /** Where points go in a system with databases; absent: the database they came to. */
  readonly database?: string;
  readonly only: ForwardRule;
  readonly bufferBytes: number;
  /** Names of environment variables; their values are in no file. */
  readonly userEnv?: string;
  readonly passwordEnv?: string;
  readonly tokenEnv?: string;
}

/** What is mirrored: all that is absent counts as "any". `*` stands for any characters. */
export interface ForwardRule {
  readonly databases?: readonly string[];
  readonly measurements?: readonly string[];
  /** By key; a point must have all of them. */
  readonly tags?: Readonly<Record<string, readonly string[]>>;
}

/** The scripts that a task of this kind must have, in the order in which missing ones are named. */
export const NECESSARY_SCRIPTS: Readonly<Record<Task['kind'], readonly string[]>> = {
  experiment: ['run.sh', 'analyze.sh', 'visualize.sh', 'summarize.sh'],
  subsystem: ['run.sh'],
};
