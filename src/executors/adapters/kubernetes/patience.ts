import type { PodProblem } from '../../core/kubernetes/pod-state.ts';

/** How long a pod may wait for what may never come. */
const PATIENCE_MS = 60_000;

export interface PatienceEvents {
  tell(text: string): void;
  giveUp(reason: string): void;
}

/** Watches a pod that waits: a full cluster is told of after a while, what may never come is given up then. */
export class Patience {
  readonly #events: PatienceEvents;
  #waiting: { readonly kind: PodProblem['kind']; readonly timer: NodeJS.Timeout } | undefined;

  constructor(events: PatienceEvents) {
    this.#events = events;
  }

  /** The same kind of problem goes on waiting; another one, or none, begins anew. */
  see(problem: PodProblem | undefined): void {
    if (problem?.kind === this.#waiting?.kind) return;
    clearTimeout(this.#waiting?.timer);
    this.#waiting = undefined;
    if (problem === undefined) return;
    const { kind, message } = problem;
    const act =
      kind === 'full'
        ? () => this.#events.tell(`waits for a node: ${message}`)
        : () => this.#events.giveUp(message);
    this.#waiting = { kind, timer: setTimeout(act, kind === 'hopeless' ? 0 : patienceMs()) };
  }
}

function patienceMs(): number {
  const seconds = Number(process.env['NIGHTMARK_KUBERNETES_PATIENCE']);
  return seconds > 0 ? seconds * 1000 : PATIENCE_MS;
}
