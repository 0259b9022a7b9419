/** Removes repeated ids; the first place of each is kept. */
export const distinctById = <A extends { readonly id: string }>(items: readonly A[]): readonly A[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];
