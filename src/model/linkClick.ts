/** A click on a link; `leaves`: this page may go away with it (spec S§3, S§5). */
export interface LinkClick {
  /** `NOT_URL` for a data: link. */
  readonly dest_url: string;
  readonly leaves: boolean;
}
