import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../src/platform/core/text/json.ts';

const FOLDER = 'deploy/kubernetes';

export interface Manifest extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string } & JsonObject;
}

export function readDeployFile(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}

/** What "kubectl apply -k" would read. */
export const kustomization = parse(readDeployFile('kustomization.yaml')) as {
  readonly resources: readonly string[];
  readonly namespace: string;
  readonly images: readonly { readonly name: string }[];
};

/** All objects in the order in which they are made; in another namespace where one is given. */
export function deployManifests(namespace?: string): readonly Manifest[] {
  return kustomization.resources.flatMap((file) =>
    parseAllDocuments(readDeployFile(file)).map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return JSON.parse(JSON.stringify(document.toJS()), (key, value) =>
        moved(key, value, namespace),
      ) as Manifest;
    }),
  );
}

/** Where objects of its kind are made. */
export function pathOf({ apiVersion, kind, metadata }: Manifest): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const place = kind === 'Namespace' ? '' : `/namespaces/${metadata.namespace}`;
  return `${root}${place}/${kind.toLowerCase()}s`;
}

function moved(key: string, value: unknown, namespace: string | undefined): unknown {
  if (namespace === undefined) return value;
  if (key === 'namespace') return namespace;
  const { kind, metadata, ...rest } = (value ?? {}) as Partial<Manifest>;
  return kind === 'Namespace' ? { ...rest, kind, metadata: { ...metadata, name: namespace } } : value;
}
