import { z } from 'zod';

const tree = z.strictObject({
  url: z.string().min(1),
  dest_dir: z.string().min(1),
  settings: z.record(z.string(), z.json()).nullish(),
});
const files = z.strictObject({ files: z.array(z.string().min(1)) });

/** A file that others name: a list of trees. */
export const treeListSchema = z.array(tree);
export const urlFileSchema = z.strictObject({ download: z.array(z.union([tree, files])) });

export type TreeInput = z.infer<typeof tree>;
