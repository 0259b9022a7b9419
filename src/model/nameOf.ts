/** The name of a thrown value, by which errors are told apart: classes differ between realms. */
export const nameOf = (thrown: unknown): string => String((thrown as { readonly name?: unknown } | null | undefined)?.name);
