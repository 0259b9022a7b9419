export interface Article {
  /** Folder of the address: the section, and the part of it. */
  readonly folder: string;
  readonly slug: string;
  readonly section: string;
  readonly kicker: string;
  readonly title: string;
  readonly description: string;
  readonly author: string;
  readonly daysAgo: number;
  readonly keywords: readonly string[];
  /** Place in the content taxonomy, with the editor's confidence. */
  readonly taxonomy: readonly (readonly [path: string, score: number])[];
  readonly art: string;
  readonly body: readonly string[];
  readonly quote?: string;
  readonly products?: readonly Product[];
}

export interface Product {
  readonly name: string;
  readonly provider: string;
  readonly rate: string;
  readonly terms: string;
  readonly destination: string;
}
