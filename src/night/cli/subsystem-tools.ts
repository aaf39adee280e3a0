import type { PictureMaker } from '../../charts/core/picture-maker.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { SubsystemTools } from '../app/subsystems/work.ts';

/** Most nights need neither Slack nor pictures: they are loaded when a subsystem asks. */
export const subsystemTools: SubsystemTools = {
  async openSlack(place) {
    const { slackTransport } = await import('../../publish/adapters/notifiers/slack/slack-api.ts');
    return slackTransport(place);
  },
  openPictures: () => loadAdapter<PictureMaker>('pictures', 'resvg'),
};
