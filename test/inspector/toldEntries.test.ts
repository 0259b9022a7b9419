import { BehaviorSubject, EMPTY, firstValueFrom, NEVER, of } from 'rxjs';

import { type ToldEntries, toldEntries } from '../../src/inspector/adRequests/toldEntries';
import type { InspectedPage } from '../../src/inspector/inspectedPage';

const table = { 4: { 20401: ['364', '9'], 20402: ['364'] }, 6: { 20401: ['186'] }, 600: { 20402: ['x'] } };

interface Given {
  readonly members?: readonly string[];
  readonly mayShare?: boolean;
  readonly addonOptions?: object;
  readonly ofPage?: object;
}
const pageWith = ({ members = [], mayShare = true, addonOptions = {}, ofPage = {} }: Given) =>
  ({
    visit$: of({ cohorts$: of({ members }) }),
    world: {
      project: { addons: ofPage },
      deferredParts$: of({ addonOptions, fromSharing: () => of(mayShare) }),
    },
  }) as unknown as InspectedPage;
const both = { google_pps: { taxonomies: table }, prebid_data: { taxonomies: table } };
const toldOf = ({ members, entriesOf }: ToldEntries) => ({
  google: entriesOf('google', members),
  appnexus: entriesOf('appnexus', members),
  prebid: entriesOf('prebid', members),
});
const nothing: ToldEntries = { members: ['unanswered'], entriesOf: (_, members) => members };
const told = async (given: Given) =>
  toldOf(await firstValueFrom(toldEntries(pageWith(given)), { defaultValue: nothing }));

describe('toldEntries', () => {
  it('has the entries of the visitor’s cohorts, each once, and for Google those that its tag takes', async () => {
    expect(await told({ members: ['20401', '20402'], addonOptions: both })).toEqual({
      google: ['4:364', '4:9', '6:186'],
      appnexus: [],
      prebid: ['4:364', '4:9', '6:186', '600:x'],
    });
  });

  it('has those of an addon that starts with the page script', async () => {
    expect(await told({ members: ['20402'], ofPage: { google_pps: both.google_pps } })).toMatchObject({
      google: ['4:364'],
      prebid: [],
    });
  });

  it.each<[what: string, given: Given]>([
    ['the visitor objects to sharing', { mayShare: false, addonOptions: both }],
    ['the visitor is in none of the cohorts', { members: ['1'], addonOptions: both }],
    ['the project names none', {}],
    ['no addon tells them', { addonOptions: { google_pps: { ...both.google_pps, auto_init: false } } }],
    ['the options are none', { addonOptions: { google_pps: 'x', prebid_data: { taxonomies: 7 } } }],
  ])('has none where %s', async (_, given) => {
    expect(await told({ members: ['20401'], ...given })).toEqual({ google: [], appnexus: [], prebid: [] });
  });

  it('follows the cohorts, and says nothing before a visit has begun or without the chunk', () => {
    const page = pageWith({ addonOptions: both });
    const members$ = new BehaviorSubject({ members: ['20402'] });
    const seen: (readonly string[])[] = [];
    const follow = (changes: object): unknown =>
      toldEntries({ ...page, ...changes }).subscribe((each) => seen.push(toldOf(each).google));
    follow({ visit$: NEVER });
    follow({ world: { ...page.world, deferredParts$: EMPTY } });
    expect(seen).toEqual([]);
    follow({ visit$: of({ cohorts$: members$ }) });
    members$.next({ members: [] });
    expect(seen).toEqual([['4:364'], []]);
  });
});
