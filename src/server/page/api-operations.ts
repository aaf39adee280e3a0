import { singleQuote } from '../../platform/core/text/shell.ts';

/** The part of OpenAPI that the page shows. */
export interface ApiDescription {
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

interface ApiOperation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }>
  >;
  readonly 'x-scope'?: string;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description?: string;
}

export interface ListedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** "open": no token is needed for it. */
  readonly scope: string;
  readonly parameters: readonly ApiParameter[];
  readonly body?: unknown;
  /** Media types, and the shape of the JSON. */
  readonly media: readonly string[];
  readonly answer?: unknown;
}

/** By group, both sorted; only those that match every search term. */
export function operationsOf(
  { paths }: ApiDescription,
  search: string,
): readonly (readonly [group: string, operations: readonly ListedOperation[]])[] {
  const groups = new Map<string, ListedOperation[]>();
  for (const [path, methods] of Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const [method, operation] of Object.entries(methods)) {
      const listed = listedOf(method, path, operation);
      const text = `${listed.method} ${path} ${listed.summary}`.toLowerCase();
      if (
        !search
          .toLowerCase()
          .split(/\s+/)
          .every((term) => text.includes(term))
      )
        continue;
      const group = operation.tags[0] ?? '';
      groups.set(group, [...(groups.get(group) ?? []), listed]);
    }
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

function listedOf(method: string, path: string, operation: ApiOperation): ListedOperation {
  const content = operation.responses['200']?.content ?? {};
  const body = operation.requestBody?.content['application/json']?.schema;
  const answer = content['application/json']?.schema;
  return {
    ...{ id: `${method} ${path}`, method: method.toUpperCase(), path, summary: operation.summary },
    ...{ scope: operation['x-scope'] ?? 'open', parameters: operation.parameters ?? [] },
    media: Object.keys(content),
    ...(body !== undefined && { body }),
    ...(answer !== undefined && { answer }),
  };
}

/** The address with the values that were given; what is missing in its path stays as it is written. */
export function addressOf(
  { path, parameters }: Pick<ListedOperation, 'path' | 'parameters'>,
  values: Readonly<Record<string, string>>,
): string {
  const place = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? '';
    return value === '' ? whole : value.split('/').map(encodeURIComponent).join('/');
  });
  const query = new URLSearchParams();
  for (const { name, in: where } of parameters) {
    const value = values[name] ?? '';
    if (where === 'query' && value !== '') query.append(name, value);
  }
  const text = query.toString();
  return text === '' ? place : `${place}?${text}`;
}

/** The same as a shell command, quoted so that nothing in it is executed. */
export function curlOf({ method, scope, body }: ListedOperation, url: string): string {
  const parts = ['curl'];
  if (method !== 'GET') parts.push('-X', method);
  if (scope === 'write' || scope === 'admin') parts.push('-H', '"Authorization: Bearer $NIGHTMARK_TOKEN"');
  if (body !== undefined)
    parts.push('-H', singleQuote('content-type: application/json'), '-d', singleQuote('{}'));
  return [...parts, singleQuote(url)].join(' ');
}
