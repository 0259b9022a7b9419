/** Replaces a shared module by its names in the exports of the entry, before any other loader reads the module. */
export function pitch() {
  const { shared, entry } = this.getOptions();
  const names = shared.get(this.resourcePath);
  return `export { ${names.map((name) => `${name.shared} as ${name.own}`).join(', ')} } from ${JSON.stringify(entry)};`;
}
