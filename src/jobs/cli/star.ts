import { markCommand } from './mark-command.ts';

export default markCommand(() => ({ key: 'star', value: true, message: 'has a star' }), {
  isRemovable: false,
  examples: `  nightmark job star 3f9a1c
  nightmark job star --where "metric.accuracy.max > 0.95"`,
});
