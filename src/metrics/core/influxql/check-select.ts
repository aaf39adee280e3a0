import { type Call, collect, type Expression, isCall, isRef, isTimeRef, type Select } from './parse/ast.ts';
import { queryError } from './parse/lexer.ts';
import { AGGREGATES, SELECTORS } from './reduce.ts';
import { TRANSFORMS } from './transform.ts';

/** Throws for invalid queries, with the messages of InfluxDB. */
export function checkSelect(select: Select, hasInterval: boolean): void {
  if (select.isInto) {
    throw queryError('SELECT INTO is not supported', 'Write what a query returns through /write instead.');
  }
  const { fields } = select;
  const calls = fields.flatMap(({ expression }) => collect(expression, isCall)) as Call[];
  for (const { expression } of fields) {
    if (
      collect(
        expression,
        (part) => isCall(part) || isRef(part) || part.kind === 'star' || part.kind === 'regex',
      ).length === 0
    ) {
      throw queryError('field must contain at least one variable');
    }
  }
  if (fields.every(({ expression }) => isRef(expression) && expression.name === 'time')) {
    throw queryError('at least 1 non-time field must be queried');
  }
  for (const call of calls) checkCall(call, hasInterval);
  const bare = fields.filter(
    ({ expression }) => collect(expression, isCall).length === 0 && !isTimeRef(expression),
  );
  const many = calls.find(({ name }) => name === 'top' || name === 'bottom');
  if (many && calls.length > 1) {
    throw queryError(`selector function ${many.name}() cannot be combined with other functions`);
  }
  const count = many?.args.at(-1);
  if (many && count?.kind === 'number' && select.rows.limit > 0 && count.value > select.rows.limit) {
    throw queryError(
      `limit (${count.value}) in ${many.name} function can not be larger than the LIMIT (${select.rows.limit}) in the select statement`,
    );
  }
  if (calls.some(({ name }) => name === 'distinct') && fields.length > 1) {
    throw queryError('aggregate function distinct() cannot be combined with other functions or fields');
  }
  if (calls.length > 0 && bare.length > 0 && !(calls.length === 1 && SELECTORS.has(calls[0]?.name ?? ''))) {
    const isOfSelectors = calls.every(({ name }) => SELECTORS.has(name));
    throw queryError(
      isOfSelectors
        ? 'mixing multiple selector functions with tags or fields is not supported'
        : 'mixing aggregate and non-aggregate queries is not supported',
    );
  }
  if (hasInterval && calls.length === 0)
    throw queryError('GROUP BY requires at least one aggregate function');
}

function checkCall({ name, args }: Call, hasInterval: boolean): void {
  const isTransform = TRANSFORMS.has(name);
  if (!isTransform && !AGGREGATES.has(name)) throw queryError(`undefined function ${name}()`);
  const [least, most] = ARGUMENTS[name] ?? [1, 1];
  if (args.length < least || args.length > most) {
    const expected =
      most === Number.POSITIVE_INFINITY
        ? `at least ${least}`
        : least === most
          ? `${least}`
          : `at least ${least} but no more than ${most}`;
    throw queryError(`invalid number of arguments for ${name}, expected ${expected}, got ${args.length}`);
  }
  const of = args[0] as Expression;
  if (name === 'sample') checkSample(args[1]);
  if (isTransform && isCall(of)) {
    if (!hasInterval) throw queryError(`${name} aggregate requires a GROUP BY interval`);
    checkCall(of, hasInterval);
  } else if (name === 'count' && isCall(of) && of.name === 'distinct') {
    checkCall(of, hasInterval);
  } else if (of.kind === 'star' && of.of === 'tag') {
    throw queryError(`unable to use tag wildcard in ${name}()`);
  } else if (!isRef(of) && (name === 'distinct' || (of.kind !== 'star' && of.kind !== 'regex'))) {
    throw queryError(`expected field argument in ${name}()`);
  }
}

function checkSample(count: Expression | undefined): void {
  if (count?.kind !== 'number' || count.integer === undefined)
    throw queryError(`expected integer argument in sample()`);
  if (count.value < 1) throw queryError(`sample window must be greater than 1, got ${count.value}`);
}

const MANY = Number.POSITIVE_INFINITY;
const ARGUMENTS: Readonly<Record<string, readonly [number, number]>> = {
  percentile: [2, 2],
  sample: [2, 2],
  top: [2, MANY],
  bottom: [2, MANY],
  moving_average: [2, 2],
  derivative: [1, 2],
  non_negative_derivative: [1, 2],
  elapsed: [1, 2],
  integral: [1, 2],
};
