import type { JobSpec } from '../../src/jobs/core/job.ts';
import type { JobFacts } from '../../src/jobs/core/job-facts.ts';

const MODELS = ['resnet18', 'resnet50', 'vgg11', 'vit-small'];

/** Job n of so many. */
export function jobOf(n: number, jobs: number): JobSpec {
  const needle = n % Math.ceil(jobs / 10) === 5;
  return {
    id: idOf(n),
    user: `user-${n % 7}`,
    project: 'bench',
    experiment: `sweep-${n % 50}`,
    name: needle ? `needle-${n}` : `train-${n}`,
    program: { type: 'script', path: 'train.py' },
    overrides: {
      lr: ((n * 7919) % jobs) / jobs,
      model: MODELS[n % MODELS.length] ?? '',
      seed: n % 5_000,
      epochs: 90,
      batch_size: 2 ** (n % 8),
      optimizer: { name: 'sgd', momentum: 0.9 },
      amp: n % 2 === 0,
      note: `run number ${n} of the bench`,
      dataset: 'imagenet',
      layers: [64, 128, 256],
    },
    workers: 1,
    priority: n % 3,
    executor: 'process',
    resources: {},
    place: {},
    env: {},
    after: [],
    retries: 0,
    createdAt: 1_700_000_000_000 + n * 1000,
  };
}

export function idOf(n: number): string {
  return n.toString(16).padStart(24, '0');
}

/** As if it had run. */
export function factsOf(n: number, jobs: number): JobFacts {
  const metric = (measurement: string, last: number) => ({
    ...{ id: `${measurement}-0123456789abcdef`, measurement, tags: { split: 'train', job_id: idOf(n) } },
    fields: { value: { count: 90, last, min: last / 2, max: last } },
  });
  const startedAt = 1_700_000_005_000 + n * 1000;
  return {
    ...{
      scheduledAt: startedAt - 100,
      startedAt,
      endedAt: startedAt + (n % 1000) * 100,
      host: `node-${n % 20}`,
    },
    outputDir: `bench/sweep-${n % 50}/train-${n}`,
    exit: { type: 'code', code: 0 } as never,
    state: { progress: 1, epoch: n % 90 },
    annotations: n % 50 === 0 ? { star: true, note: `an odd one: ${n}` } : {},
    images: { loss: 'loss.png' },
    timings: ['load', 'step', 'save'].map((event) => ({
      event,
      rank: 0,
      mean: 0.1,
      std: 0.01,
      instances: 900,
    })),
    metrics: [metric('loss', ((n * 7919) % jobs) / jobs), metric('accuracy', n / jobs), metric('lr', 0.1)],
    environment: {
      python: '3.12.3',
      platform: 'Linux-6.8',
      cpu: 'EPYC 7763',
      cores: 64,
      executor: 'process',
    },
  };
}
