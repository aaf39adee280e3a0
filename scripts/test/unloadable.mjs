/** What the name of a failed test ends with when its file could not be loaded. */
export const UNLOADABLE = ' can be loaded';
