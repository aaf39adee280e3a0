/** What we write on our containers, to know them again. */
export const LABELS = {
  run: 'nightmark.run',
  owner: 'nightmark.owner',
  barrier: 'nightmark.barrier',
  keep: 'nightmark.keep',
} as const;
