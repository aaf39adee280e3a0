/** What the names in a pattern stand for: "/runs/:id" with "/runs/a%20b" gives {id: "a b"}. */
export type RouteParameters = Readonly<Record<string, string>>;

/** Undefined where the path does not match this pattern. A last ":name*" takes the rest, slashes too. */
export function matchRoute(pattern: string, path: string): RouteParameters | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  const found: Record<string, string> = {};
  for (const [place, part] of wanted.entries()) {
    const text = given[place];
    if (text === undefined) return undefined;
    if (part.startsWith(':') && part.endsWith('*')) {
      found[part.slice(1, -1)] = given.slice(place).map(decoded).join('/');
      return found;
    }
    if (part.startsWith(':')) {
      if (text === '') return undefined;
      found[part.slice(1)] = decoded(text);
    } else if (part !== text) return undefined;
  }
  return given.length === wanted.length ? found : undefined;
}

/** A "%" that stands for itself is one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
