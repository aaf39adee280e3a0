import assert from 'node:assert/strict';
import { test } from 'node:test';
import { studentCdf } from '../../../stats/distributions.ts';
import { evenStudentTail } from './predictive.ts';

test('is the tail of Student, near and far', () => {
  for (const freedom of [2, 4, 8, 16, 48])
    for (const t of [0, 1e-3, 0.5, 2, 7, 40, 1e3, 1e6]) {
      const [ours, theirs] = [evenStudentTail(t, freedom), studentCdf(-t, freedom)];
      assert.ok(Math.abs(ours - theirs) <= 1e-6 * theirs, `${freedom}, ${t}: ${ours} against ${theirs}`);
    }
  assert.equal(evenStudentTail(Number.POSITIVE_INFINITY, 4), 0);
});
