import { worstFirst } from '../../src/inspector/doctor/finding';
import type { Finding } from '../../src/model/finding';
import { errorMessages, type Explained } from './errorMessages';

/** What can be seen of a page from outside: what it loads and what the SDK says in the console. */
export interface OutsideFacts {
  /** Why the page has not loaded; undefined where it has. */
  readonly pageFailure: string | undefined;
  /** Whether the page has an object under the tag's name. */
  readonly hasTag: boolean;
  /** How the page script was answered, such as `200` or `net::ERR_FAILED`; undefined where nobody has asked for it. */
  readonly bundle: string | undefined;
  /** What `permutive.doctor()` has found; undefined where it could not be asked. */
  readonly inside: readonly Finding[] | undefined;
  /** Messages of the SDK in the console, without stacks. */
  readonly said: readonly string[];
}

const problem = (where: string, finding: string, fix: string): Finding => ({ severity: 'error', where, finding, fix });

/** All findings: those of the doctor inside the page, and what only an observer sees. */
export const allFindings = (facts: OutsideFacts): readonly Finding[] =>
  worstFirst([
    ...startFindings(facts),
    ...(facts.inside ?? []),
    ...[...new Set(facts.said)].filter((message) => facts.inside !== undefined || !isRefusal(message)).map(saidFinding),
  ]);

/** Why the doctor inside could not be asked: the first cause hides the others. */
const startFindings = ({ pageFailure, hasTag, bundle, inside, said }: OutsideFacts): readonly Finding[] => {
  if (pageFailure !== undefined)
    return [problem('page', `The page has not loaded: ${pageFailure}`, 'See that the address is right and answers.')];
  if (inside !== undefined) return [];
  if (bundle === undefined)
    return [
      problem(
        'tag',
        'The page does not load the script of the bundle',
        'Put `<script async src="https://CDN/WORKSPACE_ID-web.js"></script>` after the tag. A policy may refuse it, too.',
      ),
    ];
  if (bundle !== '200')
    return [
      problem(
        'network',
        `The script of the bundle did not load: ${bundle}`,
        'See that the address is right, and look for an ad blocker or a firewall.',
      ),
    ];
  const refusal = said.find(isRefusal);
  if (refusal === "Permutive was not initialized. Can't find permutive tag on the page" && hasTag)
    return [
      problem(
        'tag',
        'The script of the bundle ran before the tag, found none and did nothing',
        'Put the tag before the script.',
      ),
    ];
  if (refusal !== undefined) return [problem('tag', refusal, explained(refusal).fix || oldBrowser)];
  return [
    problem(
      'sdk',
      'The SDK has started no doctor',
      'Its file `WORKSPACE_ID-web.inspector.HASH.js` has to be beside the page script, and older versions have none.',
    ),
  ];
};

const oldBrowser = 'Use a newer browser, and see that no script of the page replaces Map, Set, Worker or Blob.';

const isRefusal = (message: string): boolean => message.startsWith('Permutive was not initialized.');

const saidFinding = (message: string): Finding => ({
  severity: 'warning',
  where: 'console',
  finding: message,
  fix: explained(message).fix,
});

/** The entry of the list of messages with the longest text of its own that a message fits. */
export const explained = (message: string): Explained => {
  const text = message.replace(/^\[permutive\] /, '').replace(/^Permutive was not initialized\. /, '');
  const [found] = Object.keys(errorMessages)
    .filter((pattern) => fits(pattern, text))
    .sort((a, b) => b.length - a.length);
  return (found === undefined ? undefined : errorMessages[found]) ?? { when: '', fix: '' };
};

/** Whether a text is a message of the list, in which `…` stands for whatever is filled in. The cause may follow it. */
const fits = (message: string, text: string): boolean => {
  let at = 0;
  return message.split('…').every((part, i) => {
    const found = text.indexOf(part, at);
    at = found + part.length;
    return i === 0 ? found === 0 : found >= 0;
  });
};
