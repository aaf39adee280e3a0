// Files in which something is done directly that should be done in one place.
import { importsOf } from './imports.mjs';

/** Called as a function of nobody: neither a method nor the declaration of one. */
const GLOBAL_FETCH = /(?:\b(?:await|return|void|globalThis\.)|=>|[=(,?:])\s*fetch\(/;
/** What puts a single quote into single quotes for a shell: '\'' or '"'"'. */
const SHELL_QUOTING = /\.replace(?:All)?\([^\n]*(?:'\\\\''|'"'"')/;

/** @param {Map<string, string>} texts of the source files */
export function copies(texts) {
  const among = (isCopy) => [...texts].filter(([file, text]) => isCopy(text, file)).map(([file]) => file);
  return {
    // A browser brings a client of its own.
    'HTTP clients': among((text, file) => !/\/(?:page|web)\//.test(file) && sendsRequests(text)),
    'S3 signatures': among(
      (text) => loads(text, /^aws4fetch$|^@aws-sdk\//) || text.includes('AWS4-HMAC-SHA256'),
    ),
    'SQLite connections': among((text) => loads(text, /^(?:libsql|node:sqlite|better-sqlite3|sqlite3)$/)),
    'shell quotings': among((text) => SHELL_QUOTING.test(text)),
    'engines for patterns': among((text) => /\bRE2JS\.compile\(|\bnew RE2\(/.test(text)),
  };
}

/** A request is made by a module of node, by a package for it, or by the global fetch. */
function sendsRequests(text) {
  const ofNode = /import\s+(?!type\b)([^;]*?)\s+from\s+'(?:node:)?https?2?'/g;
  const isOfNode = Array.from(text.matchAll(ofNode), ([, clause]) => clause).some(
    (clause) => !clause.startsWith('{') || /(?<!type )\b(?:request|get|connect)\b/.test(clause),
  );
  return isOfNode || loads(text, /^(?:undici|axios|got|ky|node-fetch|needle)$/) || GLOBAL_FETCH.test(text);
}

function loads(text, packages) {
  return importsOf(text).some(({ specifier, isType }) => !isType && packages.test(specifier));
}
