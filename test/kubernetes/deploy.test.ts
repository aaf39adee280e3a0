import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { KubeControlPlane, skipWithoutKube } from '../support/kube.ts';

const FOLDER = 'deploy/kubernetes';
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const { resources, namespace, images } = parse(read('kustomization.yaml')) as {
  resources: string[];
  namespace: string;
  images: { name: string }[];
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const manifests = resources.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => {
    assert.deepEqual(document.errors, [], file);
    return document.toJS() as Manifest;
  }),
);

test('all objects are of one namespace, and lie in it', () => {
  assert.equal(manifests.length, 11);
  for (const { kind, metadata } of manifests) {
    assert.equal(
      kind === 'Namespace' ? metadata.name : metadata.namespace,
      namespace,
      `${kind} ${metadata.name}`,
    );
  }
});

test('names that objects use of each other are there', () => {
  const names = new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const text = resources.map(read).join('\n');
  for (const [, claim] of text.matchAll(/claimName: (\S+)/g))
    assert.ok(names.has(`PersistentVolumeClaim ${claim}`));
  for (const [, account] of text.matchAll(/serviceAccountName: (\S+)/g))
    assert.ok(names.has(`ServiceAccount ${account}`));
  const secret = read('secret.yaml');
  for (const [, key] of text.matchAll(/secretKeyRef:\s+name: nightmark\s+key: (\S+)/g))
    assert.ok(secret.includes(`${key}:`));
  assert.deepEqual(
    images.map(({ name }) => name),
    [...new Set([...text.matchAll(/image: (\w+)$/gm)].map(([, image]) => image))],
  );
});

test('a real API server takes them', { skip: skipWithoutKube() }, async () => {
  const plane = await KubeControlPlane.start();
  try {
    const [space, ...others] = manifests;
    assert.ok(space);
    // A dry run needs the namespace to be there.
    await plane.api.call('/api/v1/namespaces', { method: 'POST', body: JSON.parse(JSON.stringify(space)) });
    for (const manifest of others) {
      const body = JSON.parse(JSON.stringify(manifest));
      await plane.api.call(pathOf(manifest), { method: 'POST', body, query: { dryRun: 'All' } });
    }
  } finally {
    await plane.stop();
  }
});

function pathOf({ apiVersion, kind }: Manifest): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return `${root}/namespaces/${namespace}/${kind.toLowerCase()}s`;
}
