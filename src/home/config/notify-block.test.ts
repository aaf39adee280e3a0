import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTICE_EVENTS } from '../core/home.ts';
import { notify, toRoutes } from './notify-block.ts';

const read = (input: unknown) => toRoutes(notify.parse(input));
const problems = (input: unknown) => {
  const { error } = notify.safeParse(input);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
};

test('a route has defaults for everything but where it leads', () => {
  assert.deepEqual(read([{ to: 'slack', channel: '#perf', 'token-env': 'T' }]), [
    {
      name: 'slack',
      to: 'slack',
      channels: ['#perf'],
      addresses: [],
      variables: { token: 'T' },
      experiments: [],
      severity: 'warning',
      events: NOTICE_EVENTS,
      tries: 3,
      timeoutMs: 15_000,
    },
  ]);
});

test('all keys of a route', () => {
  const [mail, hook] = read([
    {
      name: 'parsers',
      to: 'email',
      address: ['a@example.org', 'b@example.org'],
      from: 'n@example.org',
      server: 'smtps://mail.example.org',
      'user-env': 'U',
      'password-env': 'P',
      experiments: 'parse*',
      severity: 'critical',
      on: 'regression',
      quiet: { hours: '22:00-7:30', timezone: 'Europe/Berlin', weekends: true, except: 'critical' },
      tries: 1,
      timeout: '2s',
    },
    { to: 'webhook', 'url-env': 'HOOK', quiet: '1:00-2:00' },
  ]);
  assert.deepEqual(mail, {
    name: 'parsers',
    to: 'email',
    channels: [],
    addresses: ['a@example.org', 'b@example.org'],
    from: 'n@example.org',
    url: 'smtps://mail.example.org',
    variables: { user: 'U', password: 'P' },
    experiments: ['parse*'],
    severity: 'critical',
    events: ['regression'],
    quiet: {
      hours: { from: 1320, until: 450 },
      timezone: 'Europe/Berlin',
      weekends: true,
      except: ['critical'],
    },
    tries: 1,
    timeoutMs: 2000,
  });
  assert.deepEqual(
    [hook?.variables, hook?.quiet],
    [{ webhook: 'HOOK' }, { hours: { from: 60, until: 120 }, weekends: false, except: ['night-broken'] }],
  );
});

test('routes without a name are numbered, and a name is taken once', () => {
  const hook = { to: 'webhook', url: 'https://h/' };
  assert.deepEqual(
    read([hook, hook, { ...hook, name: 'x' }]).map(({ name }) => name),
    ['webhook', 'webhook-2', 'x'],
  );
  assert.deepEqual(problems([hook, { ...hook, name: 'webhook' }]), [
    '1: a name of its own, "webhook" is taken',
  ]);
});

test('what leads nowhere, or twice, or holds a secret is refused', () => {
  const refused = [
    { to: 'slack' },
    { to: 'slack', channel: '#a' },
    { to: 'slack', 'token-env': 'T' },
    { to: 'slack', 'token-env': 'T', 'webhook-env': 'W', channel: '#a' },
    { to: 'slack', 'token-env': 'xoxb-1-2', channel: '#a' },
    { to: 'slack', 'token-env': 'T', channel: 'a\nb' },
    { to: 'webhook' },
    { to: 'webhook', url: 'https://h/', 'url-env': 'H' },
    { to: 'webhook', url: 'https://me:pw@h/' },
    { to: 'email', address: 'a@b', from: 'c@d' },
    { to: 'email', address: 'a@b\r\nBcc: e@f', from: 'c@d', server: 'smtp://h' },
    { to: 'email', address: 'a@b', from: 'c@d', server: 'smtp://u:p@h' },
    { to: 'email', address: 'a@b', from: 'c@d', server: 'https://h' },
    { to: 'webhook', url: 'https://h/', quiet: '24:30-1:00' },
    { to: 'webhook', url: 'https://h/', quiet: '2:00-2:00' },
    { to: 'webhook', url: 'https://h/', quiet: { hours: '1:00-2:00', timezone: 'Mars' } },
  ];
  for (const route of refused) assert.equal(problems([route]).length, 1, JSON.stringify(route));
});
