import { cyclesIn, limits, longFiles, longFunctions, repeatedIn } from './figures';
import type { MeasuredSource } from './measureSource';

/** Each limit that a source tree breaks, in a sentence; files are named from `src/` on. */
export const brokenLimits = (sources: readonly MeasuredSource[]): readonly string[] => {
  const names = repeatedIn(sources);
  const nouns = sources.filter(({ file }) => file.startsWith('src/model/')).length;
  return [
    ...longFiles(sources).map(
      ({ file, codeLines }) => `${file} has ${codeLines} lines of code; the limit of a file is ${limits.fileLines}.`,
    ),
    ...longFunctions(sources).map(
      ({ file, name, lines }) =>
        `The function ${name} of ${file} has ${lines} lines; the limit of a function is ${limits.functionLines}.`,
    ),
    ...cyclesIn(sources).map((cycle) => `These files import each other: ${cycle.join(', ')}.`),
    ...(names.length > limits.repeatedNames
      ? [`${names.length} names are declared in two or more files; the limit is ${limits.repeatedNames}.`]
      : []),
    ...(nouns > limits.modelFiles ? [`src/model has ${nouns} files; the limit is ${limits.modelFiles}.`] : []),
  ];
};
