import type { Expression, SelectedField } from './parse/ast.ts';

/** Names of result columns: aliases as they are, others made from the expression and numbered when taken. */
export function columnNames(fields: readonly SelectedField[]): readonly string[] {
  const taken = new Map<string, number>();
  for (const { alias } of fields) if (alias !== undefined) taken.set(alias, 0);
  return fields.map(({ expression, alias }) => {
    if (alias !== undefined) return alias;
    const base = nameOf(expression);
    const count = taken.get(base);
    taken.set(base, (count ?? -1) + 1);
    if (count === undefined) return base;
    let number = count + 1;
    while (taken.has(`${base}_${number}`)) number++;
    taken.set(base, number);
    taken.set(`${base}_${number}`, 0);
    return `${base}_${number}`;
  });
}

export function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case 'ref':
    case 'call':
      return expression.name;
    case 'paren':
      return nameOf(expression.inner);
    case 'binary':
      return [nameOf(expression.left), nameOf(expression.right)].filter((name) => name !== '').join('_');
    default:
      return '';
  }
}

/** All parts of an expression that `isWanted` accepts; it does not look inside those. */
export function collect(
  expression: Expression,
  isWanted: (part: Expression) => boolean,
  found: Expression[] = [],
): Expression[] {
  if (isWanted(expression)) found.push(expression);
  else if (expression.kind === 'paren') collect(expression.inner, isWanted, found);
  else if (expression.kind === 'call') for (const part of expression.args) collect(part, isWanted, found);
  else if (expression.kind === 'binary') {
    collect(expression.left, isWanted, found);
    collect(expression.right, isWanted, found);
  }
  return found;
}

export function replace(
  expression: Expression,
  change: (part: Expression) => Expression | undefined,
): Expression {
  const changed = change(expression);
  if (changed !== undefined) return changed;
  if (expression.kind === 'paren') return { kind: 'paren', inner: replace(expression.inner, change) };
  if (expression.kind === 'call') {
    return { ...expression, args: expression.args.map((part) => replace(part, change)) };
  }
  if (expression.kind !== 'binary') return expression;
  return { ...expression, left: replace(expression.left, change), right: replace(expression.right, change) };
}
