/** The store has no room for this write. */
export class QuotaError extends Error {
  override readonly name = 'QuotaError';
}
