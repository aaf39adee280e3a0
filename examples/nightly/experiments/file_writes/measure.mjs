import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure, stageArguments, writeSamples } from '../../lib/measure.mjs';

const { config, outputDir } = stageArguments();
const count = Number(process.env.FILE_COUNT ?? 50);
const content = Buffer.alloc(4096, 'n');
const scratch = join(outputDir, 'scratch');

const each = (write) => ({
  prepare() {
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch);
  },
  work() {
    for (let i = 0; i < count; i++) write(join(scratch, `file-${i}`));
    return count;
  },
});

try {
  const cases = {
    plain: each((file) => writeFileSync(file, content)),
    rename: each((file) => {
      writeFileSync(`${file}.tmp`, content);
      renameSync(`${file}.tmp`, file);
    }),
    append: each(() => appendFileSync(join(scratch, 'one'), content)),
  };
  writeSamples(outputDir, measure(cases, config.rounds));
} finally {
  rmSync(scratch, { recursive: true, force: true }); // what run.sh leaves behind is archived every night
}
