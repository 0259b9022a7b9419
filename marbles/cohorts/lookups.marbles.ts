import { map, merge, of } from 'rxjs';

import { dataOutput, providing } from '../../src/cohorts/lookups';
import type { CohortService } from '../../src/cohorts/service';
import { projectOf } from '../../test/support/project';
import { linesOf } from '../../test/support/reports';
import { marble } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const reads = projectOf({ lookups: ['thirdParty'] });
const draft = { type: 'draft', draft: { name: 'ThirdPartySegments' } } as const;
const service: CohortService = () => merge(of(dataOutput({ thirdParty: { acme: ['1'] } })), of(draft));

describe('providing', () => {
  marble('passes data on where queries look it up, and events in any case', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { project: reads, answers: {} });
    const provided = providing('thirdParty', service);
    helpers.expectObservable(provided(streams, deps)).toBe('(de|)', {
      d: dataOutput({ thirdParty: { acme: ['1'] } }),
      e: draft,
    });
    helpers
      .expectObservable(provided(streams, { ...deps, project: { ...deps.project, lookups: [] } }))
      .toBe('(e|)', { e: draft });
  });

  marble('gives empty data to each engine where the service throws, and reports that', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { project: reads, answers: {} });
    const broken: CohortService = ({ event$ }) =>
      event$.pipe(
        map(() => {
          throw new Error('broken');
        }),
      );
    const [event$, adopted$] = [helpers.hot<never>('--e'), helpers.hot('-----a')];
    const output$ = providing('thirdParty', broken)({ ...streams, event$, adopted$ }, deps);
    helpers.expectObservable(output$).toBe('--n--n', { n: dataOutput({ thirdParty: {} }) });
    helpers.flush();
    expect(linesOf(deps.report)).toEqual(['Service thirdParty stopped: broken']);
  });
});
