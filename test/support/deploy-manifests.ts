import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../src/core/text/json.ts';

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

/** All objects in the order in which they are made. */
export function deployManifests(): readonly Manifest[] {
  return kustomization.resources.flatMap((file) =>
    parseAllDocuments(readDeployFile(file)).map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return JSON.parse(JSON.stringify(document.toJS())) as Manifest;
    }),
  );
}

/** Where objects of its kind are made. */
export function pathOf({ apiVersion, kind }: Manifest): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const place = kind === 'Namespace' ? '' : `/namespaces/${kustomization.namespace}`;
  return `${root}${place}/${kind.toLowerCase()}s`;
}
