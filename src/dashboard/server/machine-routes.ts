import type { FastifyInstance } from 'fastify';
import { readLiveStatus } from '../../home/app/run-queries.ts';
import type { Store } from '../../home/core/store.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { judgedStamp } from '../../judge/app/series/stored-judgements.ts';
import { OTHER_DOCS as DOCS } from '../../platform/server/api-docs.ts';
import { asTable, sendJson, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { findMachine, readMachine, readMachineTelemetry } from '../app/machines/read-machine.ts';
import { type MachineRegistry, machinesCsv, readMachines } from '../app/machines/read-machines.ts';

/** All machines that runs were measured on, and everything about one. */
export function addMachines(app: FastifyInstance, { home }: ServerOptions, effects: HomeServerEffects): void {
  const { disk, index } = effects;
  let known: { readonly key: string; readonly registry: Promise<MachineRegistry> } | undefined;
  /** Noise is computed once for all readers, until there is a new run, or something was judged. */
  const registry = async (store: Store) => {
    const { token } = await readLiveStatus(store);
    const key = `${token} ${await judgedStamp(store)}`;
    if (known?.key !== key) {
      known = { key, registry: readMachines(store) };
      known.registry.catch(() => {
        known = undefined;
      });
    }
    return known.registry;
  };

  app.get('/api/machines', { config: { doc: DOCS.machines } }, async (_request, reply) => {
    const store = await index.current();
    return sendJson(reply, store ? (await registry(store)).view : NONE);
  });

  app.get('/api/machines.csv', { config: { doc: DOCS.machineTable } }, async (_request, reply) => {
    const store = await index.current();
    return asTable(reply, 'machines').send(machinesCsv(store ? (await registry(store)).view : NONE));
  });

  app.get<{ Params: { id: string } }>(
    '/api/machines/:id',
    { config: { doc: DOCS.machine } },
    async (request, reply) => {
      const store = await index.current();
      const all = store && (await registry(store));
      const group = all && findMachine(all, request.params.id);
      if (!store || !group) return sendProblem(request, reply, 404, noMachine(request.params.id));
      return sendJson(reply, await readMachine(group, all, { home, disk, store }));
    },
  );

  app.get<{ Params: { id: string }; Querystring: { run?: string } }>(
    '/api/machines/:id/telemetry',
    { config: { doc: DOCS.machineTelemetry } },
    async (request, reply) => {
      const store = await index.current();
      const all = store && (await registry(store));
      const group = all && findMachine(all, request.params.id);
      if (!store || !group) return sendProblem(request, reply, 404, noMachine(request.params.id));
      const { run } = request.query;
      const view = await readMachineTelemetry(group, typeof run === 'string' ? run : undefined, store);
      return sendJson(reply, view ?? { runId: run ?? '', sensors: [], hidden: 0 });
    },
  );
}

const NONE = { machines: [], runs: 0, unknown: 0, series: { used: 0, all: 0 } };

function noMachine(id: string) {
  return {
    heading: 'No such machine',
    explanation: `No run took place on "${id.slice(0, 100)}". /machines lists all machines.`,
  };
}
