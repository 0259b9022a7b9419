type Cell = string | number;

/** Rows below their heads, for a terminal. Numbers stand at the right of their column. */
export const tableText = (heads: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const all = [heads, ...rows];
  const widths = heads.map((_, i) => Math.max(...all.map((row) => String(row[i] ?? '').length)));
  const cellText = (cell: Cell, i: number, isNumber: boolean): string =>
    isNumber ? String(cell).padStart(widths[i] ?? 0) : String(cell).padEnd(widths[i] ?? 0);
  return all
    .map((row) =>
      row
        .map((cell, i) => cellText(cell, i, typeof rows[0]?.[i] === 'number'))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
