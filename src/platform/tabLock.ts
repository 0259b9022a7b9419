import { defer, finalize, ignoreElements, interval, Observable, of, startWith, tap } from 'rxjs';

import { type Json, NoJson } from '../model/json';
import { localKeys } from '../model/storageKeys';
import type { Platform, TextStorage } from './platform';

type Hold = Platform['hold'];

/** By Web Locks: the browser frees the name when the tab is gone, however it went. */
export const holdLock =
  (locks: LockManager): Hold =>
  (name) =>
    new Observable((subscriber) => {
      locks
        .request(name, { ifAvailable: true }, (lock) => {
          if (subscriber.closed) return undefined;
          subscriber.next(lock !== null);
          if (lock !== null) return new Promise<void>((release) => subscriber.add(release));
          subscriber.complete();
          return undefined;
        })
        // A page that may not lock: as if it were alone.
        .catch(() => subscriber.next(true));
    });

/** Without Web Locks (a page without https), a tab that has not renewed its lease for so long counts as gone. */
const leaseMs = 15_000;
const renewMs = 5000;
const leasesKey = localKeys.leases;

/** What a lease in local storage needs. */
export interface LeaseDeps {
  readonly local: TextStorage;
  readonly json: Json;
  readonly now: () => number;
}

/** Takes a name where the browser has no Web Locks: as a record in local storage that is renewed while it is held. */
export const holdLease =
  ({ local, json, now }: LeaseDeps): Hold =>
  (name) => {
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
