import type { JsonValue } from '../../../platform/core/text/json.ts';
import { convertValue } from './convert-value.ts';
import type { FieldDefinition, Reducer } from './workload-definition.ts';

/** Collects the values of one field and reduces them, with as little memory as possible. */
export interface Collector {
  readonly field: FieldDefinition;
  /** Whether it can be done before all values were seen. */
  readonly canBeDone: boolean;
  /** Later values cannot change the result. */
  readonly isDone: boolean;
  /** A file was read, with or without a value. */
  sawFile(): void;
  push(value: JsonValue): void;
  finish(): Collected;
}

export interface Collected {
  /** Absent: there was none. */
  readonly value?: JsonValue;
  /** Why values were left out. */
  readonly reason?: string;
}

export function collectorOf(field: FieldDefinition): Collector {
  const reducer = field.reduce ?? defaultReducer(field);
  const isUnpacked = field.reduce !== undefined || field.type === 'numbers';
  const state: State = { count: 0, total: 0, list: [], refused: 0 };
  const add = (value: JsonValue) => {
    if (reducer === 'count') state.count++;
    else addOne(state, reducer, value, field);
  };
  return {
    field,
    canBeDone: reducer === 'first',
    get isDone() {
      return reducer === 'first' && state.last !== undefined;
    },
    sawFile: () => {
      if (reducer === 'count') state.isEmptyFine = true;
    },
    push: (value) => {
      if (!Array.isArray(value) || !isUnpacked) return add(value);
      state.isEmptyFine ||= reducer === 'list' || reducer === 'count';
      for (const each of value) add(each);
    },
    finish: () => {
      const value = resultOf(state, reducer);
      return { ...(value === undefined ? {} : { value }), ...refusedReason(state) };
    },
  };
}

interface State {
  count: number;
  total: number;
  last?: JsonValue;
  readonly list: JsonValue[];
  /** An empty list, or a file without a match, is a result. */
  isEmptyFine?: boolean;
  refused: number;
  reason?: string;
}

/** All values of a source that can have several; of others, over several files, the last. */
function defaultReducer({ source, type }: FieldDefinition): Reducer {
  if (type === 'numbers' || source.type === 'csv') return 'list';
  if ((source.type === 'json' || source.type === 'yaml') && !source.path.isDefinite) return 'list';
  return 'last';
}

function addOne(state: State, reducer: Reducer, value: JsonValue, field: FieldDefinition): void {
  const isNumeric = reducer === 'min' || reducer === 'max' || reducer === 'mean' || reducer === 'sum';
  const converted = convertValue(value, isNumeric && field.type === 'any' ? 'number' : field.type);
  if ('reason' in converted || converted.value === null) {
    state.refused++;
    state.reason ??= 'reason' in converted ? converted.reason : 'it is null';
    return;
  }
  state.count++;
  if (reducer === 'list') state.list.push(converted.value);
  else if (!isNumeric) state.last = reducer === 'first' ? (state.last ?? converted.value) : converted.value;
  else addNumber(state, reducer, Number(converted.value));
}

function addNumber(state: State, reducer: Reducer, value: number): void {
  state.total += value;
  const best = typeof state.last === 'number' ? state.last : value;
  if (reducer === 'min') state.last = Math.min(best, value);
  if (reducer === 'max') state.last = Math.max(best, value);
}

function resultOf(state: State, reducer: Reducer): JsonValue | undefined {
  if (reducer === 'count') return state.count > 0 || state.isEmptyFine ? state.count : undefined;
  if (reducer === 'list')
    return state.list.length > 0 || (state.isEmptyFine && state.refused === 0) ? state.list : undefined;
  if (state.count === 0) return undefined;
  if (reducer === 'sum') return state.total;
  return reducer === 'mean' ? state.total / state.count : state.last;
}

function refusedReason({ refused, count, reason }: State): { readonly reason?: string } {
  if (reason === undefined) return {};
  return {
    reason:
      refused + count === 1 ? reason : `${refused} of ${refused + count} values were left out: ${reason}`,
  };
}
