import { after, before } from 'node:test';
import { type Slurm, startSlurm, whyNoSlurm } from '../../support/slurm.ts';
import { judgeExecutor } from './suite.ts';

judgeExecutor({
  id: 'slurm',
  skip: whyNoSlurm(),
  setUp() {
    let slurm: Slurm | undefined;
    before(async () => {
      slurm = await startSlurm();
      process.env['SLURM_CONF'] = slurm.conf;
    });
    after(() => slurm?.stop());
  },
});
