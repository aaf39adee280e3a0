import type { GraphQLScalarType, GraphQLSchema, ValueNode } from 'graphql';
import type { JsonValue } from '../../../core/text/json.ts';

type Untyped = (node: ValueNode, variables?: Record<string, unknown> | null) => unknown;

/** Gives the scalars of the old server their meaning. */
export function defineScalars(schema: GraphQLSchema, valueFromUntyped: Untyped): void {
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
