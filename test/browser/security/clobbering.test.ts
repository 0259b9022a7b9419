import { domReads } from '../../../scripts/domReads';
import { openWith } from '../support/changedPage';
import { stageForTests } from '../support/stage';
import type { Visitor } from '../support/visitor';

jest.retryTimes(0);

/** Members that the sources read. */
const names = [...new Set(domReads().map(({ member }) => member))];

/** Elements whose names a document shows as members, and fields, which a form shows as its own. */
const elements: readonly ((name: string) => string)[] = [
  (name) => `<img name=${name}>`,
  (name) => `<form name=${name}></form>`,
  (name) => `<form><input name=${name}></form>`,
  (name) => `<form id=${name} name=${name}><input name=${name}><input id=${name}></form>`,
  (name) => `<iframe name=${name}></iframe>`,
  (name) => `<object id=${name}></object>`,
];

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
const randomFrom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

/** The HTML of a comment: each name by some chance, which differs from document to document, in one or two elements. */
const commentOf = (seed: number): string => {
  const random = randomFrom(seed);
  const share = random();
  const pick = (): ((name: string) => string) => elements[Math.floor(random() * elements.length)]!;
  return names
    .flatMap((name) => (random() > share ? [] : random() < 0.2 ? [pick()(name), pick()(name)] : [pick()(name)]))
    .join('');
};
/** The pages have no ad server, which the SDK says in the end. */
const warningsOf = ({ warnings }: Visitor): readonly string[] =>
  warnings.filter((warning) => !warning.includes('Unable to find google tag script'));

const seeds = Array.from({ length: 30 }, (_, i) => i + 1);

describe('A document whose HTML hides members of documents and forms', () => {
  const stage = stageForTests();

  // Six visits in a test, because each test ends the visits and begins anew.
  const groups = Array.from({ length: 5 }, (_, i) => seeds.slice(6 * i, 6 * i + 6));

  test.each(groups.map((group) => [group.join(), group] as const))(
    'is tracked as any other, with elements chosen by the seeds %s',
    async (_, group) => {
      for (const seed of group) {
        const visitor = await stage.visitor();
        await openWith(visitor, stage.demo.site, commentOf(seed), '?permutive_debug=true&gpt=none');
        await visitor.ready();
        await visitor.track('Clobbered', { seed });
        await stage.untilArrived('Pageview');
        await stage.untilArrived('SegmentEntry');
        const [clobbered] = await stage.untilArrived('Clobbered');
        expect(clobbered?.properties).toMatchObject({ seed, client: { title: 'Blank page', domain: 'localhost' } });
        expect({ seed, warnings: warningsOf(visitor) }).toEqual({ seed, warnings: [] });
        expect({ seed, errors: await stage.endVisits() }).toEqual({ seed, errors: [] });
      }
    },
  );
});
