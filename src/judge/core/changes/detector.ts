/** The name of the rule that finds changes; another one when its results would be others. */
export const DETECTOR = 'nightmark-1';
