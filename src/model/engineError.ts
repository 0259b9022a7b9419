/** What went wrong in the engine, in its own words: no code of the page runs there. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
