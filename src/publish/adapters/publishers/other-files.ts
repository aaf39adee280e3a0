/**
 * Whether a name at the top of a target speaks against putting a site there. Hidden files and what hosts of pages want
 * beside a site are no reason; they stay where they are.
 */
export function isOther(name: string): boolean {
  return !name.startsWith('.') && !BESIDE_A_SITE.has(name);
}

const BESIDE_A_SITE: ReadonlySet<string> = new Set([
  'CNAME',
  'robots.txt',
  'favicon.ico',
  'README.md',
  'LICENSE',
]);
