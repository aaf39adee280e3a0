/** Who is told what, as `notify` of nightmark.yml says. */
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

/** When nobody is to be disturbed. */
export interface QuietHours {
  /** Minutes since midnight; with `until` before `from` it is over midnight. Absent: weekends only. */
  readonly hours?: { readonly from: number; readonly until: number };
  /** Absent: that of the machine. */
  readonly timezone?: string;
  /** Saturday and Sunday, all day. */
  readonly weekends: boolean;
  /** What is told all the same: events, and everything that is at least as severe. */
  readonly except: readonly (NoticeEvent | Severity)[];
}

export const SEVERITIES = ['info', 'warning', 'critical'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** What people can be told of; `on` of a route names them. */
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
