import type { ProblemWords } from './plain-pages.ts';

export function noExperiment(name: string): ProblemWords {
  return {
    heading: `No experiment "${name}"`,
    explanation:
      'It was in none of the last nights and has no values. The first page lists those that were; "nightmark reindex" reads results that are not indexed yet.',
  };
}

export function noRun(id: string): ProblemWords {
  return {
    heading: `No run "${id}"`,
    explanation:
      'The page of all runs lists the ids; "nightmark reindex" reads runs that are not indexed yet.',
  };
}

export function noLog(stage: string): ProblemWords {
  return {
    heading: `No log of a stage "${stage}" there`,
    explanation: 'The page of the run lists its tasks and stages with their logs.',
  };
}
