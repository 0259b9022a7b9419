import { writeSampleProject } from '../../demo/project/write';
import { readProject } from '../../scripts/readProject';
import { parseLog } from '../../src/inspector/parseLog';
import { differences, outcomes } from '../../src/inspector/replay/outcomes';
import { replayLog } from '../../src/inspector/replay/replayLog';
import { json } from '../../src/model/plainJson';
import { replayProject } from '../../tools/replayProject';
import { stageForTests } from './support/stage';
import type { Tab } from './support/visitor';

const savings = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
const gigWork = '/personal-finance/gig-works-missing-payslip';
const inspected = '?__permutive.inspector=true';

/** The methods of the inspector. */
interface Tools {
  readonly record: () => Promise<void>;
  readonly recording: () => Promise<string>;
  readonly doctor: () => Promise<readonly { readonly finding: string }[]>;
}
const recordingOf = (tab: Tab): Promise<string> => tab.ask((permutive) => (permutive as unknown as Tools).recording());

describe('A recording', () => {
  const stage = stageForTests();

  test('of a page replays to the same transitions and uploads', async () => {
    const visitor = await stage.visitor();
    // What the first page stores of the visitor, the second one starts from.
    await visitor.open(savings);
    await visitor.ready('realtime');
    await stage.untilArrived('Pageview');
    await stage.untilQuiet();
    await visitor.open(gigWork + inspected);
    await visitor.ready('realtime');
    await visitor.track('Recorded', { n: 1 });
    await stage.untilArrived('Recorded');
    await stage.untilQuiet();
    const text = await recordingOf(visitor);

    const log = parseLog(text, json);
    expect(log.header).toMatchObject({ v: 1, complete: true, dropped: 0 });
    const recorded = outcomes(log.lines);
    const names = recorded.map(({ type }) => type);
    expect(names).toEqual(expect.arrayContaining(['Pageview', 'Recorded', 'entry', 'SegmentEntry']));
    const project = await replayProject(readProject(writeSampleProject()));
    const replayed = outcomes(replayLog(text, project, json));
    expect(differences(recorded, replayed)).toEqual([]);
  });

  test('that begins late has what happens from then on', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready('realtime');
    expect(await recordingOf(visitor)).toBe('');
    await visitor.ask((permutive) => (permutive as unknown as Tools).record());
    await visitor.track('Late', { n: 2 });
    await stage.untilArrived('Late');
    const { header, lines } = parseLog(await recordingOf(visitor), json);
    expect(header.complete).toBe(false);
    expect(lines.map(({ lane, type }) => `${lane} ${type}`)).toEqual(
      expect.arrayContaining(['calls track', 'events Late', 'uploads request']),
    );
    expect(await visitor.ask((permutive) => (permutive as unknown as Tools).doctor())).toContainEqual(
      expect.objectContaining({ where: 'sdk' }),
    );
  });
});
