/** The part of JSON Schema 2020-12 that describes our answers. */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly anyOf?: readonly Schema[];
}

export const text: Schema = { type: 'string' };
export const number: Schema = { type: 'number' };
export const count: Schema = { type: 'integer' };
export const yesOrNo: Schema = { type: 'boolean' };
/** Milliseconds since 1970. */
export const moment: Schema = { type: 'number', description: 'milliseconds since 1970, UTC' };
/** Anything, for what is not ours to describe. */
export const anything: Schema = {};

export function list(items: Schema): Schema {
  return { type: 'array', items };
}

/** Keys that are data. */
export function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

/** Fields of an object; a name that ends in "?" may be missing. Others may come. */
export function fields(given: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(given);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  };
}

export function said(description: string, schema: Schema): Schema {
  return { ...schema, description };
}
