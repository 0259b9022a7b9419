import { firstValueFrom } from 'rxjs';

import type { ExplainCall } from '../../src/api/publicCalls';
import { askExplanation } from '../../src/inspector/askExplanation';
import { known } from '../../src/model/answered';
import type { CohortExplanation } from '../../src/model/explanation';

const explanation = { id: '7', result: true } as CohortExplanation;
const explained = { type: 'explained', request: 1, waiting: 0 } as const;

const answer = (explain: (call: ExplainCall) => void) =>
  firstValueFrom(askExplanation('7', { explain }), { defaultValue: undefined });

describe('The inspector that asks why the visitor is in a cohort', () => {
  it.each([
    ['words of an engine that explains', { ...explained, text: 'Cohort 7: …', explanation }, null, explanation],
    ['nothing where no query has the number', { ...explained, text: null, explanation: null }, null, null],
    ['why the query could not be explained', { ...explained, text: 'Not now.', explanation: null }, 'Not now.', null],
    ['that the history was not read', { type: 'unread', text: 'Not yet.' } as const, 'Not yet.', null],
    ['nothing of an engine that does not answer', undefined, null, null],
  ])('is told %s', async (_, said, notice, query) => {
    const explain = ({ done }: ExplainCall): void => done('words', { said, reasons: [], waiting: known(0) });
    expect(await answer(explain)).toMatchObject({ notice, query });
  });

  it('is told nothing where there is no consent', async () => {
    const explain = ({ done }: ExplainCall): void => done(null);
    expect(await answer(explain)).toBeNull();
  });
});
