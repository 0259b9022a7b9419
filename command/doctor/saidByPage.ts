import { AnyString, DecodeError, list, object, readAs, shape, value } from '../../src/codecs/codecs';
import type { Finding } from '../../src/model/finding';

/** How long a page may take for an answer. In ms. */
export const answerPatience = 20_000;
/** Characters of an answer, and of each of its texts, and messages in the console, that are read at most. */
export const maxAnswer = 1_000_000;
const maxText = 2_000;
export const maxMessages = 1_000;

/** A text of a page, as long as a line may be. */
export const cutText = (text: string): string => text.slice(0, maxText);

/** What a page answers within a time; undefined afterwards, because a page may keep a question open for ever. */
export const within = async <Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    // An answer that fails afterwards is nobody's.
    answer.catch(() => undefined);
  }
};

const Severity = value<Finding['severity']>('error, warning or info', (input) =>
  ['error', 'warning', 'info'].includes(input as string),
);
const Findings = list(
  object('Finding', shape({ severity: Severity, where: AnyString, finding: AnyString, fix: AnyString })),
  0,
  1_000,
);

const unanswered = (finding: string): readonly Finding[] => [
  {
    severity: 'error',
    where: 'page',
    finding,
    fix: 'See that no script of the page keeps it busy or replaces `permutive.doctor`.',
  },
];

/** The findings in what a page says that its doctor has found, as JSON; undefined: it has said nothing in time. */
export const findingsIn = (text: unknown): readonly Finding[] => {
  if (text === undefined) return unanswered(`The page has not answered the doctor within ${answerPatience / 1000} s`);
  const findings = readAs(Findings, parsed(text));
  if (findings instanceof DecodeError) return unanswered('The answer of the doctor on the page cannot be read');
  return findings.map(({ severity, where, finding, fix }) => ({
    severity,
    where: cutText(where),
    finding: cutText(finding),
    fix: cutText(fix),
  }));
};

const parsed = (text: unknown): unknown => {
  try {
    return typeof text === 'string' && text.length <= maxAnswer ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};
