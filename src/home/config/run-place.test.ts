import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { type PlaceInput, placeFields, placeThere, readPlace } from './run-place.ts';

const fields = z.strictObject(placeFields);
const written = (own: object, common: object = {}) =>
  readPlace(fields.parse(own) as PlaceInput, fields.parse(common) as PlaceInput);
const place = (own: object, common: object = {}) => {
  const reading = written(own, common);
  return reading.state === 'usable' ? reading.place : assert.fail(JSON.stringify(reading.faults));
};
const faults = (own: object, common: object = {}) => {
  const reading = written(own, common);
  return reading.state === 'faulty' ? reading.faults.map(({ message }) => message) : [];
};

test('the default is a process of this machine', () => {
  assert.deepEqual(place({}), { executor: 'process', resources: {}, place: {} });
  assert.equal(placeThere(written({ executor: 'process' })), undefined);
});

test('sizes and times are base units, and what is not set is absent', () => {
  const resources = { cpus: 4, memory: '2GB', gpus: 1, time: '1h30m' };
  assert.deepEqual(place({ executor: 'slurm', resources, slurm: { qos: 'q', options: ['--exclusive'] } }), {
    executor: 'slurm',
    resources: { cpus: 4, memoryBytes: 2 * 1024 ** 3, gpus: 1, timeMs: 5_400_000 },
    place: { slurm: { qos: 'q', options: ['--exclusive'] } },
  });
});

test('own keys go before common ones', () => {
  const common = {
    executor: 'slurm',
    resources: { cpus: 2, time: '1h' },
    slurm: { partition: 'main', qos: 'low' },
  };
  assert.deepEqual(place({ resources: { cpus: 8 }, slurm: { qos: 'high' } }, common), {
    executor: 'slurm',
    resources: { cpus: 8, timeMs: 3_600_000 },
    place: { slurm: { partition: 'main', qos: 'high' } },
  });
  assert.equal(place({ executor: 'process' }, common).executor, 'process');
});

test('an image alone is a container; on a cluster with images it stays there', () => {
  assert.deepEqual(place({ image: 'a', engine: 'podman' }).place, {
    container: { image: 'a', engine: 'podman' },
  });
  assert.equal(place({}, { image: 'a' }).executor, 'container');
  assert.equal(place({ image: 'b' }, { executor: 'process' }).executor, 'container');
  assert.equal(place({ executor: 'process' }, { image: 'a' }).executor, 'process');
  const common = { executor: 'kubernetes', kubernetes: { image: 'a', volumes: { data: '/data' } } };
  assert.deepEqual(place({ image: 'b' }, common).place, {
    kubernetes: { image: 'b', volumes: { data: '/data' } },
  });
  assert.deepEqual(
    place(
      { kubernetes: { node_selector: { gpu: 'yes' }, pull_secrets: ['s'], service_account: 'n' } },
      common,
    ).place,
    {
      kubernetes: {
        image: 'a',
        volumes: { data: '/data' },
        nodeSelector: { gpu: 'yes' },
        imagePullSecrets: ['s'],
        serviceAccount: 'n',
      },
    },
  );
});

test('contradictions are faults', () => {
  assert.deepEqual(faults({ executor: 'container' }), ['executor: container needs an image']);
  assert.deepEqual(faults({ executor: 'kubernetes' }), ['executor: kubernetes needs an image']);
  assert.deepEqual(faults({ executor: 'process', image: 'a' }), [
    'image: processes of this machine have none',
  ]);
  assert.deepEqual(faults({ executor: 'slurm', image: 'a' }), ['image: batch jobs of Slurm have none']);
  assert.deepEqual(faults({ slurm: { qos: 'q' } }), ['slurm: the executor is process']);
  assert.deepEqual(faults({ executor: 'slurm', kubernetes: {} }), ['kubernetes: the executor is slurm']);
});
