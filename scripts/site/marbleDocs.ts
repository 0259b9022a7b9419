import type { NamedNumber } from './codeDocs';
import { drawingOf, timeText } from './drawing';
import { escaped, idOf, withCode } from './html';
import type { MarbleTest } from './marbleFiles';
import type { Entry, Part } from './part';

/** The tests of one file, and the numbers that the code under test names. */
export interface MarbleFile {
  /** Path of the tests, such as `marbles/operators/poll.marbles.ts`. */
  readonly file: string;
  /** Path of the code under test; undefined where there is no such file. */
  readonly tested: string | undefined;
  readonly numbers: readonly NamedNumber[];
  readonly tests: readonly MarbleTest[];
}

/** The chapter with all drawings, one closed part for each file. */
export const marblePart = (files: readonly MarbleFile[]): Part => {
  const ids = files.map(({ file }) => `marbles-${idOf(file.replaceAll(/[/.]/g, ' '))}`);
  return {
    id: 'marbles',
    title: 'Rules of time, drawn',
    html: [
      '<p>Each drawing is a test: what the code is given is blue, what it must do is green, and time goes to the right in virtual milliseconds. A circle is a value, a bar the end, a cross an error, brackets are subscriptions. A long time in which nothing happens is a box.</p>',
      ...files.map((file, i) => fileHtml(file, ids[i]!)),
    ].join('\n'),
    entries: files.flatMap(({ file, tests }, i) =>
      tests.map((test, j): Entry => ({ title: test.rule, where: file, id: `${ids[i]}-${j}`, text: test.group })),
    ),
    links: files.map(({ file }, i) => ({
      title: file.replace(/^marbles\/|\.marbles\.ts$/g, ''),
      id: ids[i]!,
    })),
  };
};

const fileHtml = ({ file, tested, numbers, tests }: MarbleFile, id: string): string =>
  [
    `<details class="file" id="${id}"><summary>${escaped(file)} <small>${tests.length}</small></summary>`,
    `<p>Tests ${tested === undefined ? 'of several files' : `<code>${escaped(tested)}</code>`}.</p>`,
    ...tests.map((test, i) => testHtml(test, numbers, `${id}-${i}`)),
    '</details>',
  ].join('\n');

const testHtml = (test: MarbleTest, numbers: readonly NamedNumber[], id: string): string => {
  const { group, rule, lanes, letters, made } = test;
  const proven = numbers.filter((number) => isIn(number, test));
  return [
    `<article class="test" id="${id}"><small>${escaped(group)}</small><h4>${escaped(rule)}</h4>`,
    ...(proven.length > 0 ? [constantsHtml(proven)] : []),
    ...(lanes.length > 0 ? [`<div class="wide" tabindex="0">${drawingOf(lanes, rule)}</div>`] : []),
    ...(letters.length > 0
      ? [
          `<ul class="letters">${letters.map(([letter, meaning]) => `<li><b>${escaped(letter)}</b> ${escaped(meaning)}</li>`).join('')}</ul>`,
        ]
      : []),
    ...(made > 0 ? [`<p class="made">${made} more made while the test runs.</p>`] : []),
    '</article>',
  ].join('');
};

const constantsHtml = (proven: readonly NamedNumber[]): string =>
  `<ul class="constants">${proven
    .map(
      ({ name, value, comment }) =>
        `<li><code>${escaped(name)}</code> = ${value}${/ms$/i.test(name) && value >= 1000 ? ` (${timeText(value)})` : ''}${comment === '' ? '' : `: ${withCode(comment)}`}</li>`,
    )
    .join('')}</ul>`;

/** Small numbers are everywhere, so that finding one says nothing. */
const smallest = 10;

/** Whether the test has the number: in its source, or as the time between two marks, up to a frame before or after. */
const isIn = ({ value }: NamedNumber, { rule, source, lanes }: MarbleTest): boolean => {
  if (value < smallest) return false;
  if (new RegExp(`(^|\\D)${value}(\\D|$)`).test(`${rule} ${source}`.replaceAll(/(\d)_(?=\d)/g, '$1'))) return true;
  const frames = lanes.flatMap(({ diagram }) => diagram.marks.map(({ at }) => at));
  return frames.some((from) => frames.some((to) => Math.abs(to - from - value) <= 1));
};
