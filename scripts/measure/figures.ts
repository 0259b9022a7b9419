import type { MeasuredFunction } from './functions';
import { cyclesOf, importedFile } from './imports';
import type { MeasuredSource } from './measureSource';
import { repeatedNames } from './names';

/** What a reader can take in at once. `brokenLimits` holds all but the length of lines, which lint holds. */
export const limits = { fileLines: 200, functionLines: 60, lineLength: 120, repeatedNames: 60, modelFiles: 31 };

/** One figure with its title, as it is printed. */
export type Figure = readonly [title: string, value: string];

/** The figures of a source tree, whose files are named from `src/` on. */
export const figuresOf = (sources: readonly MeasuredSource[]): readonly Figure[] => [
  ...filesAndFunctions(sources),
  ...importsAndNames(sources),
  ...prose(sources),
];

/** Files with more lines of code than a file may have. */
export const longFiles = (sources: readonly MeasuredSource[]): readonly MeasuredSource[] =>
  sources.filter(({ codeLines }) => codeLines > limits.fileLines);

/** Functions with more lines than a function may have, the longest first. */
export const longFunctions = (sources: readonly MeasuredSource[]): readonly FunctionOfFile[] =>
  functionsOf(sources)
    .filter(({ lines }) => lines > limits.functionLines)
    .sort((a, b) => b.lines - a.lines);

/** A function, and the file that has it. */
interface FunctionOfFile extends MeasuredFunction {
  readonly file: string;
}

const functionsOf = (sources: readonly MeasuredSource[]): readonly FunctionOfFile[] =>
  sources.flatMap(({ file, functions }) => functions.map((each) => ({ ...each, file })));

/** Groups of files that import each other; imports of types count. */
export const cyclesIn = (sources: readonly MeasuredSource[]): readonly (readonly string[])[] => {
  const files = new Set(sources.map(({ file }) => file));
  return cyclesOf(
    new Map(
      sources.map(({ file, modules }) => [file, modules.flatMap((module) => importedFile(file, module, files) ?? [])]),
    ),
  );
};

/** Names that several files declare at their top, with the number of files. */
export const repeatedIn = (sources: readonly MeasuredSource[]): ReturnType<typeof repeatedNames> =>
  repeatedNames(sources.map(({ names }) => names));

const filesAndFunctions = (sources: readonly MeasuredSource[]): readonly Figure[] => {
  const fileLines = sources.map(({ codeLines }) => codeLines);
  const lengths = functionsOf(sources).map(({ lines }) => lines);
  const atRoot = sources.filter(({ file }) => file.split('/').length === 2);
  return [
    ['files', `${sources.length}, ${atRoot.length} at the root`],
    [
      'code lines',
      `${sum(fileLines)}, a file: median ${percentile(fileLines, 0.5)}, most ${Math.max(0, ...fileLines)}`,
    ],
    [
      `files over ${limits.fileLines} code lines`,
      listOf(longFiles(sources), ({ file, codeLines }) => `${file} ${codeLines}`),
    ],
    [
      'functions',
      `${lengths.length}, lines: median ${percentile(lengths, 0.5)}, p95 ${percentile(lengths, 0.95)}, most ${Math.max(0, ...lengths)}`,
    ],
    [
      `functions over ${limits.functionLines} lines`,
      listOf(longFunctions(sources), ({ file, name, lines }) => `${name} (${file}) ${lines}`),
    ],
  ];
};

const importsAndNames = (sources: readonly MeasuredSource[]): readonly Figure[] => {
  const byImports = [...sources].sort((a, b) => b.modules.length - a.modules.length);
  const runtime = sources.find(({ file }) => file === 'src/runtime.ts');
  const repeated = repeatedIn(sources);
  return [
    [
      'imports',
      `most: ${listOf(byImports.slice(0, 3), ({ file, modules }) => `${file} ${modules.length}`)}; runtime.ts ${runtime?.modules.length ?? 0}`,
    ],
    ['cycles, types included', listOf(cyclesIn(sources), (cycle) => cycle.join(' ↔ '), '; ')],
    [
      'names in two or more files',
      `${repeated.length}: ${listOf(repeated, ([name, count]) => (count > 2 ? `${name} ×${count}` : name))}`,
    ],
  ];
};

const prose = (sources: readonly MeasuredSource[]): readonly Figure[] => {
  const codeLines = sum(sources.map((source) => source.codeLines));
  const commentLines = sum(sources.map((source) => source.commentLines));
  const longest = sources
    .map(({ file, lineLengths }) => ({ file, length: Math.max(0, ...lineLengths) }))
    .sort((a, b) => b.length - a.length);
  const overlong = sources.flatMap(({ lineLengths }) => lineLengths.filter((length) => length > limits.lineLength));
  return [
    ['comment lines per code line', (commentLines / Math.max(1, codeLines)).toFixed(2)],
    ['longest lines', listOf(longest.slice(0, 3), ({ file, length }) => `${file} ${length}`)],
    [`lines over ${limits.lineLength}`, String(overlong.length)],
  ];
};

const listOf = <A>(items: readonly A[], text: (item: A) => string, separator = ', '): string =>
  items.map(text).join(separator) || 'none';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The value that this share of the values does not exceed; of two in the middle, the greater. */
export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
