import { seededRandom } from '../../src/stats/random.ts';

const PIECES =
  'a|b|=|,| |\\|"|\n|1|i|e|-|.|t|n|\t|#|5|true|"x"|v=1|m|m,a=1 v=1|\\"|é|\\ |\\,|\\=|inf|1e5|\r'.split('|');
const GOOD = [
  'm,a=1 v="x y",w=1i,z=1.5 123',
  'cpu,host=a,zone=b user=0.5,ok=true\ncpu,host=b user=1.5,ok=false 17',
  'm\\ n,k\\,l=a\\=b f\\ g="say \\"hi\\"" -5\nm v=1i',
];

/** Bodies of line protocol that are nearly right: good ones with some bytes changed, and heaps of pieces. */
export function oddBodies(count: number, seed: number): readonly string[] {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const piece = () => PIECES[below(PIECES.length)] ?? '';
  const changed = () => {
    let text = GOOD[below(GOOD.length)] ?? '';
    for (let changes = 1 + below(3); changes > 0; changes--) {
      const at = below(text.length + 1);
      text = text.slice(0, at) + (random() < 0.6 ? piece() : '') + text.slice(at + below(2));
    }
    return text;
  };
  const heap = () => Array.from({ length: 1 + below(12) }, piece).join('');
  return Array.from({ length: count }, () => (random() < 0.7 ? changed() : heap()));
}
