import { z } from 'zod';

const text = z.string({ error: 'a text' });

/** The file may be a url file too, and holds keys of other tools: what is not ours is passed over. */
export const plotsSchema = z.looseObject({
  visualize: z
    .array(
      z.looseObject({
        id: z
          .union([text, z.number()])
          .optional()
          .describe('Name of the entry; its place in the list otherwise.'),
        generate: z
          .array(text, { error: 'a list of names of plots' })
          .describe('Names of plots and reports: stock ones and those of the workload.'),
        filters: z
          .array(text.nullable(), { error: 'a list of filters, or null for none' })
          .nullish()
          .describe('Drawn once for each: null for all entries, or "key=v1:v2,key2=v3".'),
      }),
      { error: 'a list of what to draw: - {id, generate: [names], filters: [null, "key=value"]}' },
    )
    .describe('What to draw.'),
});
