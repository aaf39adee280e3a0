import type { Task } from './home.ts';

/** The scripts that a task of this kind must have, in the order in which missing ones are named. */
export const NECESSARY_SCRIPTS: Readonly<Record<Task['kind'], readonly string[]>> = {
  experiment: ['run.sh', 'analyze.sh', 'visualize.sh', 'summarize.sh'],
  subsystem: ['run.sh'],
};
