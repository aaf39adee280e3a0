import type {
  DocumentNode,
  ExecutionResult,
  FragmentDefinitionNode,
  GraphQLError,
  GraphQLScalarType,
  GraphQLSchema,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { newContext, ROOT_FIELDS } from './graphql-fields.ts';
import { TYPE_DEFINITIONS } from './graphql-schema.ts';
import type { JobEffects } from './job-service.ts';

/** What a client sends. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

/** A request that was read and can be run. */
export interface PreparedRequest {
  readonly isMutation: boolean;
  run(effects: JobEffects): Promise<GraphqlAnswer>;
}

export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
}

/** Parsing stops there: a document of names only has about one for every five characters. */
const MOST_TOKENS = 5_000;

type Library = typeof import('graphql');
let loaded: Promise<{ readonly library: Library; readonly schema: GraphQLSchema }> | undefined;

/** Parses and validates a request; problems come as errors. The package is loaded for the first request. */
export async function prepare(request: GraphqlRequest): Promise<PreparedRequest | GraphqlAnswer> {
  loaded ??= load();
  const { library, schema } = await loaded;
  const document = read(request.query, library);
  if (!('kind' in document)) return document;
  const tooMuch = limitError(document);
  if (tooMuch !== undefined) return { errors: [{ message: tooMuch }] };
  const problems = library.validate(schema, document);
  if (problems.length > 0) return { errors: problems };
  const operation = library.getOperationAST(document, request.operationName);
  if (!operation) return { errors: [{ message: 'Choose the operation with "operationName".' }] };
  return {
    isMutation: operation.operation === 'mutation',
    async run(effects) {
      const result = await library.execute({
        schema,
        document,
        rootValue: ROOT_FIELDS,
        contextValue: newContext(effects),
        variableValues: request.variables,
        operationName: request.operationName,
      });
      return forClients(result, effects);
    },
  };
}

async function load() {
  const library = await import('graphql');
  const schema = library.buildSchema(TYPE_DEFINITIONS);
  defineScalars(schema, library.valueFromASTUntyped);
  return { library, schema };
}

type Untyped = (node: ValueNode, variables?: Record<string, unknown> | null) => unknown;

/** Gives the scalars of the old server their meaning. */
function defineScalars(schema: GraphQLSchema, valueFromUntyped: Untyped): void {
  const scalar = (name: string) => schema.getType(name) as GraphQLScalarType;
  Object.assign(scalar('Date'), { serialize: Number, parseValue: Number });
  Object.assign(scalar('Dictionary'), {
    serialize: (value: unknown) => value,
    parseValue: (value: unknown) => value,
    parseLiteral: valueFromUntyped,
  });
  Object.assign(scalar('Object'), {
    serialize: objectOut,
    parseValue: objectIn,
    parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null) =>
      objectIn(valueFromUntyped(node, variables)),
  });
}

function objectOut(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function objectIn(value: unknown): JsonValue | undefined {
  if (typeof value !== 'string') return value as JsonValue | undefined;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return value; // a text like any other
  }
}

function read(query: string, { parse, GraphQLError }: Library): DocumentNode | GraphqlAnswer {
  try {
    return parse(query, { maxTokens: MOST_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** Internal errors go to the server's terminal, not to the client. */
function forClients({ data, errors }: ExecutionResult, { report }: JobEffects): GraphqlAnswer {
  const reported = errors?.map((error) => {
    const { originalError, path, locations } = error;
    if (originalError === undefined || isOfLibrary(originalError)) return error.toJSON();
    const place = { ...(path && { path }), ...(locations && { locations }) };
    if (originalError instanceof NightmarkError) {
      const { message, hint, code } = originalError;
      return { message, ...place, extensions: { code, hint } };
    }
    report(`/graphql ${path?.join('.') ?? ''}: ${originalError.stack ?? originalError.message}`);
    return {
      message: 'This could not be read; the reason is in the terminal of "nightmark serve".',
      ...place,
    };
  });
  return { ...(data !== undefined && { data }), ...(reported && { errors: reported }) };
}

function isOfLibrary(error: Error): error is GraphQLError {
  return error.name === 'GraphQLError';
}

/** The introspection of common tools is 15 deep and has some 200 fields. */
const DEEPEST = 20;
const MOST_FIELDS = 1_000;

/** Why a document exceeds the limits with its fragments expanded; undefined when it does not. Validation refuses cycles. */
function limitError(document: DocumentNode): string | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);
  const measured = new Map<string, Extent>();
  let extent: Extent = { fields: 0, depth: 0 };
  for (const definition of document.definitions) {
    if (definition.kind === 'OperationDefinition')
      extent = addExtent(extent, extentOf(definition.selectionSet, { fragments, measured }));
  }
  if (extent.depth > DEEPEST) return `The query is ${extent.depth} levels deep; at most ${DEEPEST} are read.`;
  if (extent.fields > MOST_FIELDS) return `The query has more than ${MOST_FIELDS} fields.`;
  return undefined;
}

interface Extent {
  readonly fields: number;
  readonly depth: number;
}

interface Fragments {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Each fragment is measured once, however often it is used. */
  readonly measured: Map<string, Extent>;
}

function extentOf({ selections }: SelectionSetNode, known: Fragments): Extent {
  let all: Extent = { fields: 0, depth: 0 };
  for (const selection of selections) {
    if (selection.kind === 'Field') {
      const inner = selection.selectionSet ? extentOf(selection.selectionSet, known) : undefined;
      all = addExtent(all, { fields: 1 + (inner?.fields ?? 0), depth: 1 + (inner?.depth ?? 0) });
    } else if (selection.kind === 'InlineFragment') {
      all = addExtent(all, extentOf(selection.selectionSet, known));
    } else all = addExtent(all, fragmentExtent(selection.name.value, known));
  }
  return all;
}

function fragmentExtent(name: string, known: Fragments): Extent {
  const before = known.measured.get(name);
  if (before !== undefined) return before;
  known.measured.set(name, { fields: 0, depth: 0 }); // a circle ends here
  const fragment = known.fragments.get(name);
  const extent = fragment ? extentOf(fragment.selectionSet, known) : { fields: 0, depth: 0 };
  known.measured.set(name, extent);
  return extent;
}

function addExtent(a: Extent, b: Extent): Extent {
  return { fields: Math.min(a.fields + b.fields, 1e9), depth: Math.max(a.depth, b.depth) };
}
