import type { FastifyInstance } from 'fastify';
import { homeLayout } from '../../home/core/home-layout.ts';
import { joinPath, whyInvalidName } from '../../platform/core/path.ts';
import { sendProblem } from '../../platform/server/send.ts';
import { sendFile, shownType, TYPES } from '../../platform/server/send-file.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';

interface FileRoute {
  Params: { experiment: string; '*': string };
}

const media = [...new Set(Object.values(TYPES)), 'application/octet-stream'];
const DOCS = {
  graph: { summary: 'A picture of an experiment', answer: { media } },
  data: { summary: 'A data file of an experiment', answer: { media } },
} as const;

/** Pictures and data files of experiments, each confined to the folder of its experiment. */
export function addFiles(app: FastifyInstance, { home }: ServerOptions): void {
  const layout = homeLayout(home);
  for (const kind of ['graph', 'data'] as const) {
    app.get<FileRoute>(
      `/files/${kind}/:experiment/*`,
      { config: { doc: DOCS[kind] } },
      async (request, reply) => {
        const { experiment, '*': path } = request.params;
        const names = [experiment, ...path.split('/')];
        const within = layout[kind](experiment);
        const isProper = names.every((name) => whyInvalidName(name) === undefined);
        const file = { path: joinPath(within, path), within, type: shownType(path) };
        const sent = isProper && (await sendFile(reply, file));
        if (sent) return sent;
        return sendProblem(request, reply, 404, {
          heading: 'No such file',
          explanation:
            'Pictures are those of the last night; data files are removed by nobody but their owner.',
        });
      },
    );
  }
}
