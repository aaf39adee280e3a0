import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PublicationHolder } from '../../core/site/publisher.ts';

/**
 * A file in a target that has no locks: who publishes, and until when the lease is valid. It is renewed while the
 * publication goes on; for a process on this machine it is checked at once whether it is alive.
 */
export const LEASE_PATH = '.nightmark/publishing';
export const LEASE_MS = 10 * 60_000;
export const RENEW_MS = 60_000;

export function leaseText(holder: PublicationHolder, now: number): string {
  return `${JSON.stringify({ ...holder, until: now + LEASE_MS })}\n`;
}

/** Left by a publication that gave up: there may be something to clean up, and nobody has to wait. */
export function givenUpText(holder: PublicationHolder): string {
  return `${JSON.stringify({ ...holder, until: 0 })}\n`;
}

export type LeaseState =
  | { readonly state: 'free' }
  | { readonly state: 'ours' }
  /** A publication did not finish. */
  | { readonly state: 'left-over' }
  | { readonly state: 'held'; readonly who: string; readonly until: number };

export function judgeLease(text: string | undefined, us: PublicationHolder, now: number): LeaseState {
  if (text === undefined) return { state: 'free' };
  const lease = parse(text);
  if (!lease) return { state: 'left-over' };
  if (lease.until === 0) return { state: 'left-over' };
  if (lease.id === us.id) return { state: 'ours' };
  const isDead = lease.host === us.host ? !isAlive(lease.processId) : lease.until <= now;
  if (isDead) return { state: 'left-over' };
  return { state: 'held', who: `process ${lease.processId} on ${lease.host}`, until: lease.until };
}

export function refuseHeld(lease: LeaseState, target: string): void {
  if (lease.state !== 'held') return;
  throw new NightmarkError('PUBLISH_BUSY', `Somebody else is publishing to ${target} (${lease.who}).`, {
    hint: `Nothing was changed. Publish again when that is done; if it died, from ${new Date(lease.until).toISOString()} on.`,
  });
}

/** Before the commit: another process that did not see our lease may have taken its place. */
export function refuseTaken(lease: LeaseState, target: string): void {
  if (lease.state !== 'ours') throw conflict(target);
}

export function conflict(target: string): NightmarkError {
  return new NightmarkError('PUBLISH_CONFLICT', `Somebody else published to ${target} in the meantime.`, {
    hint: 'Their site is in place, ours was given up. Publish again if ours is the newer one.',
  });
}

function parse(text: string): (PublicationHolder & { readonly until: number }) | undefined {
  try {
    const lease = JSON.parse(text) as PublicationHolder & { readonly until: number };
    const isLease =
      typeof lease.id === 'string' &&
      typeof lease.host === 'string' &&
      Number.isInteger(lease.processId) &&
      Number.isFinite(lease.until);
    return isLease ? lease : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
