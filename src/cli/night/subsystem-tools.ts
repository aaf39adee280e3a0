import type { SubsystemTools } from '../../app/subsystems/work.ts';
import type { PictureMaker } from '../../core/ports/picture-maker.ts';
import { loadAdapter } from '../adapters.ts';

/** Most nights need neither Slack nor pictures: they are loaded when a subsystem asks. */
export const subsystemTools: SubsystemTools = {
  async openSlack(place) {
    const { slackTransport } = await import('../../adapters/notifiers/slack/index.ts');
    return slackTransport(place);
  },
  openPictures: () => loadAdapter<PictureMaker>('pictures', 'resvg'),
};
