import { flag } from '../../platform/cli/command.ts';
import { markCommand } from './mark-command.ts';

export default markCommand(
  (options) =>
    flag(options, 'remove')
      ? { key: 'bug', value: undefined, message: 'is not marked as a bug' }
      : { key: 'bug', value: true, message: 'is marked as a bug: do not trust its results' },
  {
    isRemovable: true,
    examples: `  nightmark job bug 3f9a1c
  nightmark job bug --remove 3f9a1c`,
  },
);
