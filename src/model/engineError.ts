/**
 * What went wrong in the engine. The message may be sent to the provider, because it cannot come from the page's own
 * code: none of that runs in the engine.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
