import { defer, finalize, type Observable } from 'rxjs';

/** Counts subscriptions, so that the check can name the streams from which an addon has not unsubscribed. */
export interface SubscriptionCounts {
  /** The same stream; its subscriptions are counted under the name. */
  readonly count: <A>(name: string, source$: Observable<A>) => Observable<A>;
  /** Names of the streams that somebody is subscribed to at this moment. */
  readonly open: () => readonly string[];
}

/** Makes counts that begin at zero. */
export const subscriptionCounts = (): SubscriptionCounts => {
  const counts = new Map<string, number>();
  const change = (name: string, by: number): void => void counts.set(name, (counts.get(name) ?? 0) + by);
  return {
    count: (name, source$) =>
      defer(() => {
        change(name, 1);
        return source$.pipe(finalize(() => change(name, -1)));
      }),
    open: () => [...counts].filter(([, count]) => count > 0).map(([name]) => name),
  };
};
