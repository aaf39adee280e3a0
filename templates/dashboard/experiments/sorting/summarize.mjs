// summarize.mjs DATA SUMMARY: the newest night in words.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [dataDir, summary] = process.argv.slice(2);
const files = readdirSync(dataDir).map((name) => join(dataDir, name));
const newest = files.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs).at(-1);
const { seconds } = JSON.parse(readFileSync(newest, 'utf8'));
const lines = Object.entries(seconds).map(([name, value]) => `${name}: ${(value * 1000).toFixed(3)} ms`);
writeFileSync(summary, JSON.stringify({ title: 'Sorting', value: `${lines.join('\n')}\n` }));
console.log(`${lines.length} lines`);
