import type { Page } from '../platform/platform';

/** A zone of zone.js. Angular runs an application in one, and looks for changes after each task of that zone. */
interface Zone {
  readonly run: <Result>(action: () => Result) => Result;
}

/** The zones of a page; without zone.js, actions and callbacks run as they are. */
export type Zones = ReturnType<typeof zonesOf>;

/** `global`: reads the page's globals. zone.js may come at any time, so it is looked for at each call. */
export const zonesOf = ({ global }: Pick<Page, 'global'>) => {
  const zone = (name: 'root' | 'current'): Zone | undefined => {
    const found = (global('Zone') as Partial<Record<typeof name, Partial<Zone>>> | undefined)?.[name];
    return typeof found?.run === 'function' ? (found as Zone) : undefined;
  };
  /**
   * Runs an action outside of all zones. A timer that the SDK starts in a zone counts as one of the application, which
   * would never come to rest.
   */
  const outside = <Result>(action: () => Result): Result => {
    const root = zone('root');
    return root === undefined ? action() : root.run(action);
  };
  return {
    /** An object whose methods run outside of all zones. */
    methodsOutside: (methods: object): object =>
      Object.fromEntries(
        Object.entries(methods).map(([name, method]: readonly [string, unknown]) => [
          name,
          typeof method === 'function'
            ? (...given: readonly unknown[]) => outside(() => (method as (...given: unknown[]) => unknown)(...given))
            : method,
        ]),
      ),
    outside,
    /** A callback that runs in the zone of this moment, whatever calls it; any other value as it is. */
    returning: (value: unknown): unknown => {
      const here = typeof value === 'function' ? zone('current') : undefined;
      return here === undefined
        ? value
        : (...given: readonly unknown[]) => here.run(() => (value as (...given: unknown[]) => unknown)(...given));
    },
  };
};
