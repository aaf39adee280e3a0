import { z } from 'zod';

const tree = z.strictObject({
  url: z.string().min(1),
  dest_dir: z.string().min(1),
  settings: z.record(z.string(), z.json()).nullish(),
});
const files = z.strictObject({ files: z.array(z.string().min(1)) });

/** A file that others name: a list of trees. */
export const treeListSchema = z.array(tree);
/** It may be the file of the plots, too: other keys are passed over. */
export const urlFileSchema = z.looseObject({ download: z.array(z.union([tree, files])) });

export type TreeInput = z.infer<typeof tree>;
