import { type ChangeRequest, type Source, SourceProblem } from './source.ts';

/** Documents of the server that sent the page. The browser keeps them and checks whether they are still valid (ETag). */
export const serverSource: Source = {
  isLive: true,
  async json(path, signal) {
    const response = await ask(path, { signal, headers: { accept: 'application/json' } });
    return response.json();
  },
  async bytes(path, signal) {
    const response = await ask(path, { signal, headers: { accept: 'application/octet-stream' } });
    return response.arrayBuffer();
  },
  async change(path, { method, body }: ChangeRequest) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await ask(path, {
      method,
      headers: { accept: 'application/json', ...json },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? undefined : response.json();
  },
};

async function ask(path: string, request: RequestInit): Promise<Response> {
  const response = await fetch(`/api/${path}`, request).catch((error: unknown) => {
    if (request.signal?.aborted) throw error;
    throw new SourceProblem('The server does not answer.', {
      hint: 'It was stopped, or the network is unavailable. The page retries automatically.',
    });
  });
  if (response.status === 401) {
    throw new SourceProblem('Reading needs a token: there is none, or it has expired or was revoked.', {
      status: 401,
      hint: 'Log in, then come back here.',
    });
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function problemOf(response: Response): Promise<SourceProblem> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const answer = (body ?? {}) as { error?: unknown; message?: unknown; hint?: unknown };
  const message = [answer.error, answer.message].find((one) => typeof one === 'string');
  return new SourceProblem(
    typeof message === 'string' ? message : `The server answered with status ${status}.`,
    {
      status,
      ...(typeof answer.hint === 'string' && { hint: answer.hint }),
    },
  );
}
