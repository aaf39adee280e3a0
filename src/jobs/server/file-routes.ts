import { realpath } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isInside, joinPath, resolvePath, whyInvalidName } from '../../platform/core/path.ts';
import { count, fields, list, text, yesOrNo } from '../../platform/server/route-config.ts';
import { sendJson, sendProblem } from '../../platform/server/send.ts';
import { sendFile, shownType } from '../../platform/server/send-file.ts';
import type { Job } from '../core/job.ts';
import { type Budget, findJob } from './job-requests.ts';
import type { JobEffects } from './job-service.ts';

interface FileRoute {
  Params: { id: string; '*': string };
}

/** Files of jobs, each confined to the folder of its job; /file is the address of the old page. */
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

/** A larger file is fetched by its address instead. */
const MOST_TEXT_BYTES = 16 * 1024 * 1024;
/** Most that a listing of files has, and how deep it goes. */
const MOST_LISTED = 500;
const DEEPEST = 4;

/** The folder of a job, links followed; undefined when there is none, or it is not really in the folder of results. */
async function outputFolder(
  { outputDir }: Pick<Job, 'outputDir'>,
  results: string,
): Promise<string | undefined> {
  if (outputDir === undefined) return undefined;
  const folder = resolvePath(results, outputDir);
  if (!isInside(folder, results) || folder === results) return undefined;
  try {
    const [real, realResults] = [await realpath(folder), await realpath(results)];
    return isInside(real, realResults) && real !== realResults ? real : undefined;
  } catch {
    return undefined; // it was removed, or never made
  }
}

/** Whether a path can only mean something below the folder that it is joined to. */
function isProperPath(path: string): boolean {
  return path.split('/').every((name) => whyInvalidName(name) === undefined);
}

/** The text of a file of a job; undefined when there is none. */
export async function outputText(
  job: Pick<Job, 'outputDir'>,
  path: string,
  { results, disk, budget }: { readonly results: string; readonly disk: Disk; readonly budget: Budget },
): Promise<string | undefined> {
  const within = isProperPath(path) ? await outputFolder(job, results) : undefined;
  if (within === undefined) return undefined;
  const file = joinPath(within, path);
  try {
    const facts = await disk.stat(file);
    if (facts?.type !== 'file') return undefined;
    budget.take('bytes', Math.min(facts.size, MOST_TEXT_BYTES));
    return await disk.readText(file, { maxBytes: MOST_TEXT_BYTES, within });
  } catch (error) {
    // A link that leads out is as if it were not there.
    if (error instanceof NightmarkError && error.code === 'DISK_ESCAPES') return undefined;
    throw error;
  }
}

export interface ListedFile {
  /** Below the folder of the job. */
  readonly path: string;
  readonly bytes: number;
}

export interface FileListing {
  readonly files: readonly ListedFile[];
  /** There are more than are listed. */
  readonly isCut: boolean;
}

/** Files of a job by path, without its code; links are not followed. */
async function listFiles(job: Pick<Job, 'outputDir'>, results: string, disk: Disk): Promise<FileListing> {
  const folder = await outputFolder(job, results);
  const files: ListedFile[] = [];
  let isCut = false;
  const visit = async (below: string, depth: number): Promise<void> => {
    for (const { name, type } of await disk.list(joinPath(folder ?? '', below))) {
      if (files.length >= MOST_LISTED || depth > DEEPEST) isCut = true;
      if (isCut) return;
      const path = joinPath(below, name);
      if (type === 'folder' && path !== 'code') await visit(path, depth + 1);
      if (type !== 'file') continue;
      const facts = await disk.stat(joinPath(folder ?? '', path));
      if (facts) files.push({ path, bytes: facts.size });
    }
  };
  if (folder !== undefined) await visit('', 0);
  return { files, isCut };
}
