import { defer, finalize, ignoreElements, interval, Observable, of, startWith, tap } from 'rxjs';

import { NoJson } from '../hardening/json';
import { ownFields } from '../hardening/ownFields';
import { localKeys } from '../model/storageKeys';
import type { Platform, Tools } from './platform';

type Hold = Platform['hold'];

/** Takes names by Web Locks. The browser frees a name when its tab is gone, in whatever way it went. */
export const holdLock =
  (request: LockManager['request']): Hold =>
  (name) =>
    new Observable((subscriber) => {
      request(name, ownFields({ ifAvailable: true }), (lock) => {
        // Unsubscribed before the answer: the lock is given back at once.
        if (subscriber.closed) return undefined;
        subscriber.next(lock !== null);
        if (lock !== null) return new Promise<void>((release) => subscriber.add(release));
        subscriber.complete();
        return undefined;
      })
        // A page that may not use locks acts as if it were the only tab.
        .catch(() => subscriber.next(true));
    });

/**
 * Length of a lease, in ms. Without Web Locks, as on a page without https, a tab that has not renewed its lease for so
 * long counts as gone.
 */
const leaseMs = 15_000;
const renewMs = 5000;
const leasesKey = localKeys.leases;

/**
 * Takes names where the browser has no Web Locks: a lease in local storage, which is renewed every 5 s while it is
 * held. Two tabs that ask at the same moment may both get the name.
 */
export const holdLease =
  ({ local, json, now }: Pick<Tools, 'local' | 'json' | 'now'>): Hold =>
  (name) => {
    /** The leases that have not ended, by name: when each ends, in ms since 1970. */
    const leases = (): Map<string, number> => {
      const stored = json.parse(local.read(leasesKey) ?? '{}');
      const entries = Object.entries(stored === NoJson ? {} : (stored ?? {})) as (readonly [string, unknown])[];
      // A clock that was set back must not make a lease endless.
      return new Map(
        entries.filter(
          (entry): entry is [string, number] => Number(entry[1]) > now() && Number(entry[1]) <= now() + leaseMs,
        ),
      );
    };
    const write = (change: (held: Map<string, number>) => void): void => {
      const held = leases();
      change(held);
      if (held.size > 0) local.write(leasesKey, json.stringify(Object.fromEntries(held)));
      else local.remove(leasesKey);
    };
    const renew = (): void => write((held) => held.set(name, now() + leaseMs));
    return defer(() => {
      if (leases().has(name)) return of(false);
      renew();
      return interval(renewMs).pipe(
        tap(renew),
        ignoreElements(),
        startWith(true),
        finalize(() => write((held) => held.delete(name))),
      );
    });
  };
