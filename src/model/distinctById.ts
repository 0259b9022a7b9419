/** Each once: at the place where it first stands. */
export const distinctById = <A extends { readonly id: string }>(items: readonly A[]): readonly A[] => [...new Map(items.map((item) => [item.id, item])).values()];
