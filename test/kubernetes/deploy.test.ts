import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployManifests, kustomization, readDeployFile } from '../support/deploy-manifests.ts';

const manifests = deployManifests();
const text = kustomization.resources.map(readDeployFile).join('\n');

test('all objects are of one namespace, and lie in it', () => {
  assert.equal(manifests.length, 11);
  for (const { kind, metadata } of manifests) {
    const place = kind === 'Namespace' ? metadata.name : metadata.namespace;
    assert.equal(place, kustomization.namespace, `${kind} ${metadata.name}`);
  }
});

test('names that objects use of each other are there', () => {
  const names = new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const all = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))];
  assert.deepEqual(all(/claimName: (\S+)/g), ['nightmark-home']);
  assert.deepEqual(all(/serviceAccountName: (\S+)/g), ['nightmark-worker']);
  assert.ok(
    names.has('PersistentVolumeClaim nightmark-home') && names.has('ServiceAccount nightmark-worker'),
  );
  const keys = all(/secretKeyRef:\s+name: nightmark\s+key: (\S+)/g);
  assert.deepEqual(keys, ['postgres-password', 'token', 'postgres-url']);
  for (const key of keys) assert.ok(readDeployFile('secret.yaml').includes(`\n  ${key}:`));
  assert.deepEqual(all(/image: (\w+)$/gm), [kustomization.images[0]?.name]);
});
