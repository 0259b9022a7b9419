/** The name of a thrown value. Errors are told apart by name, because their classes differ between realms. */
export const nameOf = (thrown: unknown): string =>
  String((thrown as { readonly name?: unknown } | null | undefined)?.name);
