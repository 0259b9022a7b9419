import { catchError, connect, defer, filter, map, merge, of, takeUntil, tap, timer } from 'rxjs';

import type { Report } from '../../model/report';
import { firstWithin } from '../../operators/firstWithin';
import type { Journal } from '../../platform/platform';
import { journalFaults } from './journalFaults';
import type { LocalJournal } from './localJournal';

/** The disk confirms a write within a few ms as a rule. After so many ms the records are copied to local storage. */
const overdueMs = 100;
/** Time that a question to the disk gets. Some browsers never answer: at a first open, or after a back navigation. */
const answerMs = 1500;

type Changes = ReadonlyMap<string, string | null>;

/**
 * A journal in two places. The disk has all records. Local storage has those that the disk cannot be trusted with: from
 * the same task on, until the disk has answered for the first time; after an answer that failed or is overdue, until
 * the next one that is good; and while the page unloads. A record leaves local storage once the disk has it. So a disk
 * that is slow, full or refused for a while costs no record, and is used again as soon as it answers.
 *
 * A trusted disk gets a record in the task in which it is written, and needs no copy: the browser finishes what it was
 * given, even without the page. But a Safari that closes a tab gives the disk nothing of the page's last task.
 */
export const durableJournal = (disk: Journal, local: LocalJournal, report: Report): Journal => {
  /** The last write of each key, where the disk has not confirmed it. */
  const unconfirmed = new Map<string, Changes>();
  const onFault = journalFaults(report);
  let isTrusted = false;
  const distrust = (cause: unknown): void => {
    isTrusted = false;
    onFault(cause);
  };
  /** What is still unconfirmed of a write. What was written to a key since then is not. */
  const left = (changes: Changes) => [...changes].filter(([key]) => unconfirmed.get(key) === changes);
  /** Copies what is still unconfirmed of a write. Answers whether local storage has all of it. */
  const copy = (changes: Changes): boolean =>
    local.put(new Map(left(changes).filter((change): change is [string, string] => change[1] !== null)));

  return {
    keys: () =>
      disk.keys().pipe(
        firstWithin(answerMs),
        tap(() => (isTrusted ||= unconfirmed.size === 0)),
        // The disk does not answer: its records are not known.
        catchError((cause: unknown) => {
          distrust(cause);
          return of<readonly string[]>([]);
        }),
        map((keys) => [...new Set([...keys, ...local.keys()])]),
      ),
    read: (key) =>
      defer(() => {
        const text = local.read(key);
        // A failure is not a record without a text, which would be removed.
        return text === null ? disk.read(key) : of(text);
      }),
    write: (changes, isUnloading) =>
      defer(() => {
        for (const [key, text] of changes) {
          unconfirmed.set(key, changes);
          if (text === null) local.remove(key);
        }
        const isCopied = (isUnloading || !isTrusted) && copy(changes);
        const overdue$ = timer(overdueMs).pipe(
          tap(() => (isTrusted = false)),
          filter(() => copy(changes)),
        );
        return disk.write(changes).pipe(
          tap(() => {
            isTrusted = true;
            for (const [key] of left(changes)) if (unconfirmed.delete(key)) local.remove(key);
          }),
          catchError((cause: unknown) => {
            distrust(cause);
            if (isCopied || copy(changes)) return of(null);
            throw cause as Error;
          }),
          connect((written$) => merge(written$, isCopied ? of(null) : overdue$.pipe(takeUntil(written$)))),
        );
      }),
    erase: () =>
      defer(() => {
        local.erase();
        unconfirmed.clear();
        isTrusted = false;
        return disk.erase();
      }),
  };
};
