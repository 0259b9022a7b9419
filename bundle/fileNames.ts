/** Whether a file is the script that pages name, one of each project. A pinned copy has a dot before its name. */
export const isPageScript = (file: string): boolean => /^[^.]+-web\.js$/.test(file);

/**
 * The part of the bundle that an address or a file's name names, as the sources call it: empty for the page script and
 * its pinned copy, undefined where it is none.
 */
export const partAt = (name: string): string | undefined => {
  const found = /-web\.(?:([a-z.]+)\.[\w-]{16}\.)?js$/.exec(name);
  return found === null ? undefined : (found[1] ?? '');
};
