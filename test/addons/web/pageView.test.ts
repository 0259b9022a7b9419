import * as fc from 'fast-check';

import { webOptions } from '../../../src/addons/web/options';
import { noPageView, type PageViewInput, pageViewStep } from '../../../src/addons/web/pageView';
import type { EventDraft } from '../../../src/model/event';
import { law } from '../../support/laws';

const open: PageViewInput = { type: 'open', options: webOptions({ page: { article: 1 } }, jest.fn()) };
const goOn: PageViewInput = { type: 'goOn', options: webOptions({ page: { article: 1 } }, jest.fn()) };
const engaged = (seconds: number, completion: number): PageViewInput => ({ type: 'engaged', seconds, completion });
const transition = (id: string, entry: boolean): PageViewInput => ({
  type: 'transition',
  transition: { id, entry, time: 0 },
});
const hide = (completion: number): PageViewInput => ({ type: 'hide', completion });
const leave = (completion: number): PageViewInput => ({ type: 'leave', completion });

/** All drafts of a page on which this happens. */
const draftsOf = (...inputs: readonly PageViewInput[]): EventDraft[] => {
  let state = noPageView;
  return inputs.flatMap((input) => {
    state = pageViewStep(state, input);
    return [...state.drafts];
  });
};
const namesOf = (drafts: readonly EventDraft[]): string[] => drafts.map(({ name }) => name);
/** Of each completion: the totals, and who gets it. */
const completionsOf = (...inputs: readonly PageViewInput[]): readonly object[] =>
  draftsOf(...inputs)
    .filter(({ name }) => name === 'PageviewComplete')
    .map(({ properties, provisional, edgeOnly }) => ({
      totals: [properties?.['total_engaged_time'], properties?.['total_completion']],
      for: provisional ? 'server' : edgeOnly ? 'engine' : 'both',
    }));

describe('pageViewStep', () => {
  it.each([
    ['engagement', engaged(5, 1)],
    ['other options', goOn],
    ['a transition', transition('7', true)],
    ['hiding', hide(1)],
    ['leaving', leave(1)],
  ])('has nothing to say of %s before a page view', (_, input) => {
    expect(draftsOf(input)).toEqual([]);
  });

  it('takes the page’s properties through the view', () => {
    for (const { properties } of draftsOf(open, engaged(5, 0.5), leave(1)))
      expect(properties).toMatchObject({ article: 1 });
  });

  it('adds up engagement and completion', () => {
    expect(
      draftsOf(open, engaged(5, 0.5), engaged(3, 0.25), engaged(5, 1))
        .slice(1)
        .map(({ properties }) => properties),
    ).toEqual([
      { article: 1, engaged_time: 5, total_engaged_time: 5, completion: 0.5, total_completion: 0.5 },
      { article: 1, engaged_time: 3, total_engaged_time: 8, completion: 0, total_completion: 0.5 },
      { article: 1, engaged_time: 5, total_engaged_time: 13, completion: 0.5, total_completion: 1 },
    ]);
  });

  it('says in the end what happened in the view', () => {
    const inputs = [
      transition('1', true),
      open,
      transition('7', true),
      transition('7', false),
      transition('7', true),
      transition('x', false),
      engaged(5, 0.5),
      leave(0.75),
    ];
    expect(draftsOf(...inputs).at(-1)).toEqual({
      name: 'PageviewComplete',
      beacon: true,
      properties: {
        article: 1,
        aggregations: {
          PageviewEngagement: { engaged_time: 5, completion: 0.75 },
          SegmentEntry: [7],
          SegmentExit: [7],
          CohortEntry: ['7'],
          CohortExit: ['7', 'x'],
        },
        total_engaged_time: 5,
        total_completion: 0.75,
      },
    });
  });

  it('completes the view before it opens another', () => {
    const drafts = draftsOf(open, engaged(5, 0.5), open, engaged(5, 0.25));
    expect(namesOf(drafts)).toEqual([
      'Pageview',
      'PageviewEngagement',
      'PageviewComplete',
      'Pageview',
      'PageviewEngagement',
    ]);
    expect(drafts[3]?.view?.isAnother).toBe(true);
    expect(drafts[4]?.properties).toMatchObject({ total_engaged_time: 5, total_completion: 0.25 });
  });

  it('goes on with other options', () => {
    const silent = webOptions({ page: { article: 1 }, track_pageview_engagement: false }, jest.fn());
    const drafts = draftsOf(open, engaged(5, 0.5), { type: 'goOn', options: silent }, engaged(5, 1), leave(1));
    expect(namesOf(drafts)).toEqual(['Pageview', 'PageviewEngagement', 'PageviewComplete']);
    expect(drafts[2]?.properties).toMatchObject({ total_engaged_time: 10, total_completion: 1 });
  });

  it('is over once it was left', () => {
    expect(namesOf(draftsOf(open, leave(1), leave(1), engaged(5, 1), transition('7', true)))).toEqual([
      'Pageview',
      'PageviewComplete',
    ]);
  });

  it('begins anew after it was left, as a visit of its own', () => {
    expect(draftsOf(open, leave(1), open).at(-1)?.view?.isAnother).toBe(false);
  });

  it('tells the server of a view that is hidden, and the engine once it is over', () => {
    expect(completionsOf(open, engaged(5, 0.5), hide(0.5), leave(0.5))).toEqual([
      { totals: [5, 0.5], for: 'server' },
      { totals: [5, 0.5], for: 'engine' },
    ]);
  });

  it.each([
    ['engagement', [engaged(5, 0.5), leave(0.5)], [10, 0.5]],
    ['more of the page', [leave(0.75)], [5, 0.75]],
    ['a transition', [transition('7', true), leave(0.5)], [5, 0.5]],
  ])('tells the server again what %s after a return has added', (_, after, totals) => {
    expect(completionsOf(open, engaged(5, 0.5), hide(0.5), ...after)).toEqual([
      { totals: [5, 0.5], for: 'server' },
      { totals, for: 'both' },
    ]);
  });

  it('tells the server once of a page that is hidden again and again', () => {
    expect(completionsOf(open, hide(0.5), hide(0.5), hide(0.25), hide(0.75))).toEqual([
      { totals: [0, 0.5], for: 'server' },
      { totals: [0, 0.75], for: 'server' },
    ]);
  });

  it('tells the engine of a hidden view when another view opens', () => {
    expect(completionsOf(open, hide(0.5), open)).toEqual([
      { totals: [0, 0.5], for: 'server' },
      { totals: [0, 0.5], for: 'engine' },
    ]);
  });

  const anyInput = fc.oneof(
    fc.constantFrom(open, goOn),
    fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([seconds, depth]) => engaged(seconds, depth)),
    fc.tuple(fc.constantFrom('1', '2'), fc.boolean()).map(([id, entry]) => transition(id, entry)),
    fc.double({ min: 0, max: 1, noNaN: true }).map(hide),
    fc.double({ min: 0, max: 1, noNaN: true }).map(leave),
  );

  it(
    'completes no view twice, and counts as much in the end as on the way',
    law(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
      let [isOpen, told, total] = [false, 0, 0];
      // What the engine gets; the server gets more, of which the last counts.
      for (const { name, properties } of draftsOf(...inputs).filter(({ provisional }) => provisional !== true)) {
        if (name === 'Pageview') [isOpen, told] = [true, 0];
        if (name === 'PageviewEngagement') told += Number(properties?.['engaged_time']);
        if (name === 'PageviewComplete') {
          expect(isOpen).toBe(true);
          total = Number(properties?.['total_engaged_time']);
          expect(total).toBe(told);
          expect(Number(properties?.['total_completion'])).toBeLessThanOrEqual(1);
          isOpen = false;
        }
      }
    }),
  );

  it(
    'has told the server of all that a view was when it is hidden or over',
    law(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
      let [state, uploaded] = [noPageView, ''];
      const textOf = (properties: unknown): string => JSON.stringify(properties);
      for (const input of inputs) {
        const before = state.view;
        state = pageViewStep(state, input);
        const completions = state.drafts.filter(({ name }) => name === 'PageviewComplete');
        for (const { properties, edgeOnly } of completions) {
          if (edgeOnly !== true) uploaded = textOf(properties);
          expect(textOf(properties)).toBe(uploaded);
        }
        // Whatever is left untold when the page is hidden would be lost with it.
        if (before && input.type === 'hide') expect(state.view?.isTold).toBe(true);
        if (before && (input.type === 'leave' || input.type === 'open')) expect(completions).toHaveLength(1);
      }
    }),
  );
});
