/** Facts that make the id of a machine, in the order in which they are hashed: never changed, or ids would be. */
export const DECIDING_FACTS = ['cpu', 'cores', 'threads', 'kernel', 'libc', 'microcode'] as const;

/** Memory counts in steps of 256 MiB: the kernel takes a slightly different share for itself with each boot. */
export const MEMORY_STEP = 2 ** 28;
