/** A call that is not done. The message is for people, and is what the page shows. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly status: 400 | 403 | 404 | 409 | 413 | 503,
    message: string,
  ) {
    super(message);
  }
}
