import { z } from 'zod';

const text = z.string({ error: 'a text' });
const textOrNull = text.nullable().default(null);
const yes = z.boolean({ error: 'true or false' }).default(true);
const no = z.boolean({ error: 'true or false' }).default(false);

/** The "matbench:" block. Keys that are not ours are passed over with a warning: old files have some. */
export const matbenchSchema = z.looseObject({
  preset: textOrNull,
  workload: text,
  config_file: text.default('plots.yaml'),
  download: z
    .looseObject({
      mode: text.default('prefer_cache'),
      url: textOrNull,
      url_file: textOrNull,
      save_to_artifacts: no,
    })
    .prefault({}),
  test_directory: textOrNull,
  lts: z
    .looseObject({
      generate: yes,
      horreum: z.looseObject({ test_name: textOrNull }).prefault({}),
      opensearch: z
        .looseObject({
          export: z.looseObject({ enabled: no, enabled_on_replot: no, fail_test_on_fail: yes }).prefault({}),
          instance: textOrNull,
          index: textOrNull,
          index_prefix: text.default(''),
          prom_index_suffix: text.default('-prom'),
        })
        .prefault({}),
      regression_analyses: z
        .looseObject({ enabled: no, fail_test_on_regression: no, history: textOrNull })
        .prefault({}),
    })
    .prefault({}),
});
