import { map } from 'rxjs';

import { lateValues } from '../../src/cohorts/lateValues';
import type { Properties, Tracked } from '../../src/model/event';
import { pageviewFields } from '../../src/model/project';
import { eventOf } from '../../test/support/events';
import { projectOf } from '../../test/support/project';
import { marble, type MarbleHelpers } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const { isp_info } = pageviewFields;
const known = { isp_info: { isp: 'An Isp' } };
const trackedOf = (id: string, properties: Properties, unfilled?: Properties): Tracked => ({
  draft: { name: 'Pageview', ...(unfilled && { requiresEnrichment: true, unfilled }) },
  event: eventOf(id, { properties }),
});
/** a, b: without their values; k: with them. */
const events = {
  a: trackedOf('a', { isp_info: null }, { isp_info }),
  b: trackedOf('b', { isp_info: null }, { isp_info }),
  k: trackedOf('k', known),
};
const values = {
  a: { type: 'filled', event: eventOf('a', { properties: known }) },
  b: { type: 'filled', event: eventOf('b', { properties: known }) },
};

/** The service in a visit whose server answers after 10 ms; `asked`: with what, and when. */
const serve = ({ hot, cold, effect }: MarbleHelpers, tracked: string, adopted: string, readsFields = true) => {
  const project = projectOf(readsFields ? { pageviewFields: { isp_info } } : {});
  const { streams, deps } = serviceWorld({ cold }, { project, answers: {} });
  const asked = effect<[properties: Properties]>();
  const fill = ({ draft, event }: Tracked) => {
    asked(event.properties);
    return cold('10ms (a|)').pipe(map(() => ({ draft, event: { ...event, properties: known } })));
  };
  const visit = { latest$: hot(tracked, events), adopted$: hot(adopted), fill };
  return { asked$: asked.call$, output$: lateValues({ ...streams, ...visit }, deps) };
};

describe('lateValues', () => {
  marble('asks for the values of each event that went out without them, and gives these to the engine', (helpers) => {
    const { asked$, output$ } = serve(helpers, 'a-k 20ms b', '-');
    helpers.expectObservable(asked$).toBe('     a 22ms b', { a: [{ isp_info }], b: [{ isp_info }] });
    helpers.expectObservable(output$).toBe('    10ms a 22ms b', values);
  });

  marble('gives the engine of another user the values that are there, and those that come', (helpers) => {
    const { asked$, output$ } = serve(helpers, 'a 49ms b', ' 20ms u 34ms v');
    helpers.expectObservable(asked$).toBe('     a 49ms b', { a: [{ isp_info }], b: [{ isp_info }] });
    helpers.expectObservable(output$).toBe('    10ms a 9ms a 34ms a 4ms b', values);
  });

  marble('asks for nothing where no query reads such values', (helpers) => {
    const { asked$, output$ } = serve(helpers, 'a-k 20ms b', '-', false);
    helpers.expectObservable(asked$).toBe('-');
    helpers.expectObservable(output$).toBe('|');
  });
});
