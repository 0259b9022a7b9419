import type { Observable } from 'rxjs';

import { tagMethods } from '../../../src/api/tagMethods';

/** Methods of the tag that begin no other visit, whatever they are given. */
export const callableMethods = tagMethods.filter((name) => name !== 'consent');

/** An event as a page's listener gets it. */
export interface PageEvent {
  readonly id: string;
  readonly name: string;
  readonly time: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly session_id: string;
  readonly view_id: string;
}

interface Handle {
  readonly replay: () => Handle;
  readonly remove: () => Handle;
}

/** `window.permutive` as publishers know it (contract: the tag and the public object). */
export interface Permutive {
  readonly config: Record<string, unknown>;
  readonly q: { readonly functionName: string; readonly arguments: ArrayLike<unknown> }[];
  readonly addons: Readonly<Record<string, unknown>>;
  readonly context: Readonly<{
    user_id?: string;
    session_id?: string;
    view_id?: string;
    watson?: unknown;
    contextual?: { cohorts: readonly string[]; classifications: unknown };
    geoip?: unknown;
    client?: Record<string, string>;
  }>;
  readonly addon: (name: string, options?: unknown) => void;
  readonly identify: (identities: unknown) => Promise<unknown>;
  readonly track: (
    name: string,
    properties?: unknown,
    options?: { success?: (event: PageEvent) => void; error?: (errors: unknown) => void },
  ) => Promise<PageEvent | null>;
  readonly trigger: (
    code: number | string,
    type: 'result',
    onChange: (change: { result: boolean }) => void,
  ) => { readonly remove: () => void };
  readonly query: (code: number | string, type: 'result', onResult: (result: { result: boolean }) => void) => void;
  readonly segment: (code: number | string, onResult?: (isMember: boolean) => void) => Promise<boolean>;
  readonly segments: (
    onCodes?: (codes: (number | string)[]) => void,
    ...type: readonly string[]
  ) => Promise<(number | string)[]>;
  readonly ready: (onReady?: () => void, stage?: 'initialised' | 'realtime') => Promise<void>;
  readonly on: (name: string | RegExp, onEvent: (event: PageEvent) => void) => Handle;
  readonly once: (name: string | RegExp, onEvent: (event: PageEvent) => void) => Handle;
  readonly user: (onUser?: (id: string) => void) => Promise<string>;
  readonly consent: (consent: unknown) => void;
  readonly reset: () => Promise<void>;
  readonly startup: () => Promise<Record<string, unknown> | null>;
  readonly explain: (code: number | string) => Promise<string | null>;
  readonly cohorts$: Observable<unknown>;
  readonly transitions$: Observable<unknown>;
  readonly events$: Observable<unknown>;
}
