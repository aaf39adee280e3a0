import { markCommand } from './mark-command.ts';

export default markCommand(() => ({ key: 'star', value: undefined, message: 'has no star' }), {
  isRemovable: false,
  examples: '  nightmark job unstar 3f9a1c',
});
