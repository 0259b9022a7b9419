import { listMark } from './exportList.js';

/** Adds the names of all shared modules to the exports of the entry. */
export default function exportShared(source) {
  const { shared } = this.getOptions();
  const lines = [...shared].map(
    ([file, names]) =>
      `export { ${names.map((name) => `${name.own} as ${name.shared}`).join(', ')} } from ${JSON.stringify(file)};`,
  );
  return [source, ...lines, listMark].join('\n');
}
