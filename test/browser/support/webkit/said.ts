import type { EventEmitter } from 'node:events';

/** What a page has said on its console, or an error that nobody caught. */
export interface Said {
  readonly type: string;
  readonly text: string;
  readonly url: string;
}

/** Tells listeners of the context what a page has said, as Playwright does. */
export const emitSaid = (ofContext: EventEmitter, { type, text, url }: Said): void => {
  if (type === 'uncaught') ofContext.emit('weberror', { error: () => new Error(text) });
  else ofContext.emit('console', { type: () => type, text: () => text, location: () => ({ url }) });
};

/**
 * Runs in a page: waits until the proxy has answered all that the page has told it, and gives back what it could not
 * tell, each once.
 */
export const untoldByPage = async (): Promise<readonly Said[]> => {
  const { __telling = [], __untold = [] } = window as { __telling?: readonly Promise<unknown>[]; __untold?: Said[] };
  await Promise.all(__telling);
  return __untold.splice(0);
};
