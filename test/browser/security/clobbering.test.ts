import { domReads } from '../../../scripts/domReads';
import { openWith } from '../support/changedPage';
import { hidingComment } from '../support/hidingComment';
import { stageForTests } from '../support/stage';
import type { Visitor } from '../support/visitor';

jest.retryTimes(0);

/** Members that the sources read. */
const names = domReads();

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
        await openWith(visitor, stage.demo.site, hidingComment(names, seed), '?permutive_debug=true&gpt=none');
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
