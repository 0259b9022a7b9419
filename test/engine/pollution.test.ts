import { publishedBundle } from '../../bundle/publishedBundle';
import { project } from '../../demo/project/project';
import { createEngine } from '../../src/engine/cohortEngine';
import { published } from '../../src/engine/language/canonical';
import type { Definition } from '../../src/engine/language/language';
import { exchanging } from '../../src/engine/state/exchange';
import { lifting } from '../../src/engine/state/lift';
import { ownFields } from '../../src/hardening/ownFields';
import { optionalFields } from '../support/optionalReads';
import { hostileValues, inheritedReads, polluted } from '../support/pollution';
import { event, inputOf, t0 } from './support/run';

jest.mock('@project/queries', () => ({ bundle: {} }), { virtual: true });
const { read } = jest.requireActual<typeof import('../../src/engineHost/pageEngine')>(
  '../../src/engineHost/pageEngine',
);

const toEnd = <A>(steps: Generator<unknown, A>): A => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

const all = project.queries as readonly Definition[];
/** Some queries are downloaded, which adds the reader of the language to what is tried. */
const queries = all.filter((_, i) => i % 4 !== 1).map(published);
const bundle = publishedBundle({ v: 1, id: 'bundle', seed: 0, queries });
const downloaded = all.filter((_, i) => i % 4 === 1);

const properties = { article: { section: 'markets', keywords: ['copper', 'futures'] } };
const client = { url: 'https://site.example/markets/stocks/copper', domain: 'site.example', title: 'Copper' };
const events = [
  ...Array.from({ length: 4 }, (_, i) => event('Pageview', t0 + i, { ...properties, client })),
  event('LoginStatus', t0 + 9, { logged_in: true }),
  event('SlotClicked', t0 + 10, { line_item_id: 7, slot: { width: 300 } }),
];
const lookups = { geo: { country: 'GB' }, thirdParty: { provider: ['a'] }, secondParty: {}, user: {}, lookalike: [] };

/** All that an engine says and stores of a visit. */
const visit = (): string => {
  const input = inputOf([], { bundle: ownFields(bundle), lookups, pending: ['thirdParty'] });
  const engine = lifting(exchanging(createEngine(input, read)));
  const said = [
    toEnd(engine.bootstrapSteps()),
    toEnd(engine.replaySteps([event('Pageview', t0 - 1000, properties)])),
    toEnd(engine.appendLiftedSteps({}, downloaded)),
    engine.updateData({ thirdParty: lookups.thirdParty }),
    ...events.map((each) => engine.process([each], each.time)),
  ];
  return JSON.stringify([said, engine.members(), engine.activations(), engine.snapshot(), engine.delta(true)?.state]);
};

/** Names that the engine's own sources read of objects that may lack them. */
const names = optionalFields();

describe('The engine of a page, where something has added a field to Object.prototype', () => {
  const expected = visit();
  // A visit for each name with each value would take minutes. A name that nothing reads is tried with all the others.
  const { result, read } = inheritedReads(names, visit);
  const unread = names.filter((name) => !read.includes(name));

  it('is tried with cohorts that the visitor enters, and with the names of the language', () => {
    expect(expected.match(/"entry":true/g)!.length).toBeGreaterThan(15);
    expect(names).toEqual(expect.arrayContaining(['and', 'within', 'cohort', 'min', 'where', 'in']));
    // `JSON.stringify` reads it of each object.
    expect(read).toContain('toJSON');
  });

  // All of it is too long to be shown.
  it('finds the same cohorts, and stores the same, where the fields have no value', () => {
    expect(result === expected).toBe(true);
  });

  it.each(hostileValues.map((value) => [value]))('with %j in all fields that it does not read: the same', (value) => {
    const added = Object.fromEntries(unread.map((name) => [name, value]));
    expect(polluted(added, visit) === expected).toBe(true);
  });

  it.each(read)('%s, which it reads: finds the same cohorts, and stores the same', (name) => {
    for (const value of hostileValues) expect(polluted({ [name]: value }, visit) === expected).toBe(true);
  });
});
