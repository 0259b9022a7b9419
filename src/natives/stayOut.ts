import { eraseVisitor } from './erase';

/** A call as the tag's stubs queue it. */
interface Queued {
  readonly functionName?: unknown;
  readonly arguments?: ArrayLike<unknown>;
}

/** The page's tag, as far as it is read here. */
export interface Tag {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly q?: (Queued | null)[];
  /** Says that the tag is taken. */
  version?: unknown;
  consent?: unknown;
}

/** Whether an answer about consent is no. One that cannot be read is none, as in the SDK. */
const refuses = (answer: unknown): boolean =>
  (answer as { readonly opt_in?: unknown } | null | undefined)?.opt_in !== true;

/**
 * Says in one line why nothing starts, and does nothing more but to hear a refusal of consent: then it erases what is
 * stored of the visitor. Calls no native of the language, because the page has replaced some by what does not work.
 */
export const stayOut = (native: string, tag: Tag | undefined, window: Window): void => {
  console.warn(`Permutive was not initialized. The page has replaced ${native} by what does not work`);
  if (tag === undefined) return;
  tag.version ??= 'none';
  const answer = (given: unknown): void => {
    if (refuses(given)) eraseVisitor(window, tag.config ?? {});
  };
  const hear = (call: Queued | null | undefined): void => {
    if (call?.functionName === 'consent') answer(call.arguments?.[0]);
  };
  tag.consent = answer;
  const { q: queue } = tag;
  if (queue === undefined) return;
  let last: Queued | undefined;
  for (let i = 0; i < queue.length; i += 1) if (queue[i]?.functionName === 'consent') last = queue[i] ?? undefined;
  // Calls that come later are not kept.
  queue.push = (...calls) => {
    for (let i = 0; i < calls.length; i += 1) hear(calls[i]);
    return 0;
  };
  hear(last);
};
