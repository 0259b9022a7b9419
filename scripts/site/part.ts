/** Something that the search finds. */
export interface Entry {
  readonly title: string;
  /** The chapter or file that it is in. */
  readonly where: string;
  /** Id of the element on the page. */
  readonly id: string;
  /** What is searched beside the title. */
  readonly text: string;
}

/** A chapter of the page. */
export interface Part {
  readonly id: string;
  readonly title: string;
  readonly html: string;
  readonly entries: readonly Entry[];
  /** What the contents list below the title. */
  readonly links: readonly { readonly title: string; readonly id: string }[];
}
