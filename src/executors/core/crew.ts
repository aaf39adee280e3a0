import type { ClusterPlace, Resources } from './place.ts';

/** Workers that a cluster is to run: copies of one command, some at a time. Nobody follows them. */
export interface Crew {
  /** Names it together with `ending`. */
  readonly user: string;
  /** Six letters or digits of chance. */
  readonly ending: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Variables whose values only the cluster knows. */
  readonly secrets?: Readonly<Record<string, SecretKey>>;
  readonly copies: number;
  /** So many of them at a time. */
  readonly parallel: number;
  /** A folder that is there, for what they print, where the cluster keeps no logs itself. */
  readonly logDir: string;
  readonly resources: Resources;
  readonly place: ClusterPlace;
}

/** One value of a Secret of Kubernetes. */
export interface SecretKey {
  readonly name: string;
  readonly key: string;
}

/** What a cluster would be given, as people give it to their own tools, and the giving of it. */
export interface Dispatch {
  readonly text: string;
  /** How the cluster calls it. Throws a NightmarkError where the cluster takes it not. */
  send(): Promise<string>;
}
