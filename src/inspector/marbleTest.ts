import type { Json } from '../hardening/json';

export interface MarbleTestOptions {
  /** What the test says. */
  readonly name: string;
  /** The project definition, from the root of the repository; the sample project without one. */
  readonly project?: string;
}

/**
 * A marble test that replays a log: the text of a file for a folder in `marbles`, such as `marbles/replays`. The test
 * expects the transitions and the uploaded events that the log has.
 */
export const marbleTest = (log: string, { name, project }: MarbleTestOptions, json: Json): string =>
  [
    "import { recordedOutcomes, replayedOutcomes } from '../support/replays';",
    '',
    '// Each line is one thing that has happened, in ms since the log began.',
    'const log = [',
    ...log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `  ${quoted(line, json)},`),
    "].join('\\n');",
    '',
    `it(${quoted(name, json)}, async () => {`,
    `  expect(await replayedOutcomes(log${project === undefined ? '' : `, ${quoted(project, json)}`})).toEqual(recordedOutcomes(log));`,
    '});',
    '',
  ].join('\n');

/** A text as the sources quote it. JSON knows no single quotes, and a line separator ends a line of a script. */
const quoted = (text: string, json: Json): string =>
  `'${json
    .stringify(text)
    .slice(1, -1)
    .replace(/\\"/g, '"')
    .replace(/'/g, "\\'")
    .replace(/[\u2028\u2029]/g, (separator) => `\\u${separator.charCodeAt(0).toString(16)}`)}'`;
