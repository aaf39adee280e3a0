import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dropsIn, openUdpListener } from '../../src/metrics/adapters/udp/udp.ts';
import { sendPackets } from '../support/udp.ts';

describe('listeners udp', () => {
  const host = '127.0.0.1';

  test('1: packets are handed on whole, once and in their order', async () => {
    const got: string[] = [];
    const listener = await openUdpListener({
      host,
      port: 0,
      onPacket: (it) => got.push(Buffer.from(it).toString()),
    });
    const sent = Array.from({ length: 500 }, (_, i) => `packet ${i} ${'x'.repeat(i)}`);
    await sendPackets(listener.port, [...sent, 'y'.repeat(65_000)]);
    while (got.length < 501) await sleep(5);
    assert.deepEqual(got.slice(0, 500), sent);
    assert.equal(got[500]?.length, 65_000);
    await listener.close();
  });

  test('2: a port that is taken is reported', async () => {
    const holder = await openUdpListener({ host, port: 0, onPacket: () => undefined });
    await assert.rejects(openUdpListener({ host, port: holder.port, onPacket: () => undefined }), {
      code: 'SERVE_UDP_PORT_TAKEN',
      hint: /--udp-port/,
    });
    await holder.close();
    await assert.rejects(openUdpListener({ host: '203.0.113.77', port: 0, onPacket: () => undefined }), {
      code: 'SERVE_UDP_HOST_UNKNOWN',
    });
  });

  test('3: received and lost are what was sent', async (t) => {
    let got = 0;
    const listener = await openUdpListener({ host, port: 0, onPacket: () => void got++ });
    if ((await listener.lost()) === undefined) {
      await listener.close();
      return t.skip('the system does not tell lost packets: needs Linux with /proc/net/udp');
    }
    // In one go without a pause: we cannot read meanwhile, and what does not fit in the buffer is lost.
    const packet = Buffer.alloc(60_000, 120);
    const fits = Math.ceil(listener.bufferBytes / packet.length);
    const sender = createSocket('udp4');
    const waits: Promise<unknown>[] = [];
    for (let i = 0; i < 3 * fits; i++) {
      waits.push(new Promise((done) => sender.send(packet, listener.port, host, done)));
    }
    await Promise.all(waits);
    sender.close();
    while (got + ((await listener.lost()) ?? 0) < 3 * fits) await sleep(20);
    assert.equal(got + ((await listener.lost()) ?? 0), 3 * fits);
    await listener.close();
  });

  test('4: a closed listener frees its port', async () => {
    const first = await openUdpListener({ host, port: 0, onPacket: () => assert.fail('closed') });
    await first.close();
    const second = await openUdpListener({ host, port: first.port, onPacket: () => undefined });
    assert.equal(second.port, first.port);
    await second.close();
  });
});

test('lost packets of a port are read from the table of Linux', () => {
  const table = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  512: 0100007F:1F9C 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 41 2 0000000000000000 17
  513: 0100007F:1F9D 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 42 2 0000000000000000 5`;
  assert.equal(dropsIn(table, 8092), 17);
  assert.equal(dropsIn(table, 9), undefined);
});
