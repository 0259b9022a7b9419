import { json } from '../../hardening/plainJson';

/**
 * Makes a test whether queries read one of these properties of events, as their text says. What has such a name for
 * another reason counts too.
 */
export const readerOf = (names: readonly string[]): ((queries: unknown) => boolean) => {
  const path = new RegExp(`":"(${names.join('|')})[".]`);
  return (queries) => path.test(json.stringify(queries));
};
