/** JSON with what fits on a line on one line, so that a condition is read at a glance. */
export const prettyJson = (value: unknown, width = 72, indent = ''): string => {
  const line = lineOf(value);
  if (line.length + indent.length <= width || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item: unknown) => prettyJson(item, width, deeper))
    : entriesOf(value).map(([key, item]) => `${JSON.stringify(key)}: ${prettyJson(item, width, deeper)}`);
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
};

const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, item]) => item !== undefined);

const lineOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(lineOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  const parts = entriesOf(value).map(([key, item]) => `${JSON.stringify(key)}: ${lineOf(item)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
};
