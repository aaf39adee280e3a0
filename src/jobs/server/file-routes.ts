import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { count, fields, list, text, yesOrNo } from '../../platform/server/route-config.ts';
import { sendJson, sendProblem } from '../../platform/server/send.ts';
import { sendFile, shownType } from '../../platform/server/send-file.ts';
import type { JobEffects } from './effects.ts';
import { findJob } from './find-job.ts';
import { isProperPath, listFiles, outputFolder } from './output-files.ts';

interface FileRoute {
  Params: { id: string; '*': string };
}

/** Files of jobs, each confined to the folder of its job; /file is where the old page looks for them. */
export function addJobFiles(app: FastifyInstance, effects: JobEffects): void {
  const { disk, jobs } = effects;
  app.get<{ Params: { id: string } }>(
    '/api/jobs/:id/files',
    { config: { doc: DOCS.list } },
    async ({ params }, reply) => {
      const job = await findJob(params.id, jobs.queue);
      return sendJson(reply, { id: job.id, ...(await listFiles(job, jobs.results, disk)) });
    },
  );
  for (const address of ['/file/:id/*', '/api/jobs/:id/files/*'])
    app.get<FileRoute>(address, { config: { doc: DOCS.file } }, async (request, reply) =>
      sendJobFile(request, reply, effects),
    );
}

const DOCS = {
  list: {
    summary: 'Files that a job has left',
    answer: fields({ id: text, files: list(fields({ path: text, bytes: count })), isCut: yesOrNo }),
  },
  file: { summary: 'A file of a job; takes Range', answer: { media: ['application/octet-stream'] } },
};

async function sendJobFile(
  request: FastifyRequest<FileRoute>,
  reply: FastifyReply,
  { jobs }: JobEffects,
): Promise<FastifyReply> {
  const { id, '*': path } = request.params;
  const within = isProperPath(path) ? await folderOf(id, jobs) : undefined;
  if (within !== undefined) {
    const file = { path: joinPath(within, path), within, type: shownType(path), hasParts: true };
    const sent = await sendFile(reply, file);
    if (sent) return sent;
  }
  return sendProblem(request, reply, 404, {
    heading: 'No such file',
    explanation: 'There is no such job, or it has left no file of this name in its folder.',
  });
}

async function folderOf(id: string, { queue, results }: JobEffects['jobs']): Promise<string | undefined> {
  try {
    return await outputFolder(await findJob(id, queue), results);
  } catch (error) {
    if (error instanceof NightmarkError && error.code === 'JOBS_UNKNOWN') return undefined;
    throw error;
  }
}
