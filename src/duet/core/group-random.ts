import { seededRandom } from '../../stats/random.ts';

/** Random numbers of a group: the same for the same seed and name, unrelated between names (FNV-1a of the name). */
export function groupRandom(seed: number, name: string): () => number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return seededRandom(hash);
}
