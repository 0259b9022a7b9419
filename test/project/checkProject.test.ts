import { resolve } from 'node:path';

import { checkProject } from '../../project/checkProject';
import { optionNames } from '../../project/readOptions';
import { checkText } from '../../project/readProject';
import type { AnyAddon } from '../../src/addons/addon';
import { addonList } from '../../src/addons/addonList';
import { projectDefinition } from '../support/project';

const line = { id: 'a', short_id: 's', sc: 7, tt: 'EveryTime' };
const base = { ...projectDefinition, queries: [{ id: '7', q: { event: 'Pageview' } }] };
const found = (changes: object): readonly string[] =>
  checkProject(JSON.parse(JSON.stringify({ ...base, ...changes }))).findings.map(
    ({ path, severity, message, fix }) => `${severity} ${path}: ${message}${fix && `; ${fix}`}`,
  );
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ id: String(i), q: { event: 'A' } }));

describe('checkProject', () => {
  it('has nothing to say of a plain definition', () => {
    expect(found({ $schema: './node_modules/permutive-web-sdk/schema.json' })).toEqual([]);
    const entries = [
      [4, '1679'],
      [6, 'bsr004'],
      [7, 'JLBCU7'],
      [500, 'own.1'],
    ].map(([segtax, id]) => ({ segtax, id }));
    expect(found({ taxonomies: { 7: entries }, pps: { IAB_AUDIENCE_1_1: { 7: '1' } } })).toEqual([]);
  });

  it.each<readonly [object, string | RegExp]>([
    [{ addons: { dfpp: {} } }, /^error addons\/dfpp: expected an addon, one of .*; write dfp instead of dfpp$/],
    [{ platformCohorts: { rubicon_spp: [7] } }, /; write rubicon_ssp instead of rubicon_spp$/],
    [
      { queries: [{ id: '7', q: { event: 'A', wher: { p: 'a', eq: 1 } } }] },
      /^error queries\/0\/q: expected a query node with only .*; write where instead of wher$/,
    ],
    [
      { queries: [{ id: '7', q: { event: 'A', where: { p: 'a', startWith: ['x'] } } }] },
      /; write startsWith instead of startWith$/,
    ],
    [
      { queries: [{ id: '7', q: { event: 'A', within: { day: 7 } } }] },
      /^error queries\/0\/q\/within: .*; write days instead of day$/,
    ],
    [{ queries: [{ id: '7', q: { event: 'A', within: 'sesion' } }] }, /; write session instead of sesion$/],
    [
      { queries: [{ id: '7', q: { event: 'A', where: { p: 'a', in: [] } } }] },
      /^error queries\/0\/q\/where\/in: expected a list of 1 to 20000$/,
    ],
    [{ queries: [...base.queries, ...base.queries] }, 'error queries/1/id: expected an id that no other query has'],
    [{ rules: { 7: { t: 8 } } }, 'error rules/7: expected an id that no other query has'],
    [{ cohortCodes: { x: 'a' } }, 'error cohortCodes/x: expected a cohort number as the key'],
    [{ models: { m: 7 } }, 'error models/m: expected a UUID as the key'],
    [
      { events: { A: { b: 'text' } } },
      'error events/A/b: expected one of string, number, boolean, a list of one type, properties',
    ],
    [{ tpdProviders: ['a', 'a'] }, 'warning tpdProviders/1: it stands twice in the list; leave one out'],
    [
      { platformCohorts: { dfp: [7, 7] } },
      'warning platformCohorts/dfp/1: the number stands twice in the list; leave one out',
    ],
    [
      { optimisedActivationsConfig: { dfp: { cohorts: [] } } },
      'warning optimisedActivationsConfig/dfp/cohorts: the list is empty, so that the platform gets no cohort; list codes, or leave out cohorts',
    ],
    [
      { addons: { overlays: {} }, activations: { overlays: [line, line] } },
      'warning activations/overlays/1/id: activations/overlays/0 has the same id a; give each activation an id of its own',
    ],
    [
      { config: { requestTimeOut: 5000 } },
      'warning config/requestTimeOut: no setting has this name; write requestTimeout',
    ],
    [
      { addons: { web: { track_link_clicks: true } } },
      'warning addons/web/track_link_clicks: no option of web has this name; write track_link_click',
    ],
    [
      { taxonomies: { 7: [{ segtax: 4, id: '198' }] } },
      'error taxonomies/7/0/id: the Audience Taxonomy 1.1 of the IAB has no entry 198; take an id of https://github.com/InteractiveAdvertisingBureau/Taxonomies',
    ],
    [{ taxonomies: { 7: [{ segtax: 4, id: 'sport' }] } }, /has no entry sport; write 607 for Interest > Sports$/],
    [{ taxonomies: { 7: [{ segtax: 6, id: 'sports > tennis' }] } }, /; write 539 for Sports > Tennis$/],
    [
      { taxonomies: { 7: [{ segtax: 4, id: 'Unemployed' }] } },
      /; write 37 for [^,]*Role > Unemployed, or 47 for [^,]*Status > Unemployed$/,
    ],
    [
      { taxonomies: { 7: [{ segtax: 499, id: '1' }] } },
      "warning taxonomies/7/0/segtax: no entry of taxonomy 499 is known here, so none is checked; take one of 4, 6, 7, or the number of a vendor's taxonomy, from 500 on",
    ],
    [
      { pps: { IAB_CONTENT_2_2: { 7: 'JLBCU7' } } },
      /^warning pps\/IAB_CONTENT_2_2\/7: the Content Taxonomy 2.2 of the IAB has no entry JLBCU7; take an id of /,
    ],
    [
      { taxonomies: { 8: [{ segtax: 4, id: '1' }] } },
      'warning taxonomies/8: nothing in the definition finds the cohort 8; name it in cohortNames if a service finds it',
    ],
    [{ pps: { IAB_AUDIENCE_1_1: { 8: '1' } } }, /^warning pps\/IAB_AUDIENCE_1_1\/8: nothing in the definition finds/],
    [
      { contentParameters: ['id', 'sid'] },
      'warning contentParameters/1: by its name, this parameter may hold something of the visitor, and services of the page are told it; leave it out unless it says which page it is',
    ],
    [
      { contentParameters: ['?id'] },
      'error contentParameters/0: no parameter has this name; write the name alone, as addresses have it',
    ],
    [{ contentParameters: 'id' }, /^error contentParameters: expected /],
    [{ contentparameters: ['id'] }, 'warning contentparameters: nothing reads this key; write contentParameters'],
    [{ cohortnames: {} }, 'warning cohortnames: nothing reads this key; write cohortNames'],
    [
      { queries: many(5001) },
      'warning queries: there are 5001 cohorts, and a phone has room for 5000; leave out what is not used',
    ],
    [
      {
        events: { Pageview: { a: 'string' } },
        queries: [{ id: '7', q: { event: 'Pageview', where: { p: 'b', eq: 1 } } }],
      },
      'warning queries/7/q/where: Pageview has no property b; declare it in events',
    ],
  ])('finds %.100j', (changes, finding) => {
    expect(found(changes)).toEqual([finding instanceof RegExp ? expect.stringMatching(finding) : finding]);
  });

  it('counts the operands of rules as they are written out', () => {
    const kw = Array.from({ length: 20_000 }, (_, i) => `word${i}`);
    const p = Array.from({ length: 20 }, (_, i) => `p${i}`);
    expect(found({ rules: { 8: { t: 1, kw, p } } })).toEqual([
      expect.stringMatching(/^warning queries\/8: there are 40000\d operands in all queries, rules written out, and/),
    ]);
  });

  it.each<readonly [object, readonly (string | RegExp)[]]>([
    [{ dfp: { track_slot_rendered: true, auto_init: false, tcf_purposes: [1] } }, []],
    [
      { dfp: { track_slot_rendered: 'no' } },
      [
        'warning addons/dfp/track_slot_rendered: expected boolean, so dfp goes by its default; write it so, or leave it out',
      ],
    ],
    [
      { web: { context: { url: 7 }, dirty_events: ['keydown', 7] } },
      [
        /^warning addons\/web\/context\/url: expected string, so web goes by its default;/,
        /^warning addons\/web\/dirty_events\/1: expected string, so web goes by its default;/,
      ],
    ],
    [{ ctv: { duration: 0 } }, [/^warning addons\/ctv\/duration: expected ms, more than 0, so ctv /]],
    [
      { prebid: { acBidders: 'ix', bidders: { ix: 7 } } },
      [/\/acBidders: expected a list/, /\/bidders\/ix: expected Unk/],
    ],
    [{ tiktok: { pixel_url: 'https://a.example' } }, [/\/pixel_url: no option of tiktok has this name; leave/]],
    [{ nativo: { pid: 'a' } }, ['warning addons/nativo/pid: no option of nativo has this name; leave it out']],
    [{ contextual: { pid: 'a' } }, [/\/contextual\/pid: no option of contextual has this name/]],
    [{ contextual: { auto_init: true } }, []],
    [
      { ctv: { element: {} } },
      ['warning addons/ctv/element: only a page can give this option; give it to permutive.addon there'],
    ],
    [{ web: { filterPermutiveEvent: {} } }, [/\/filterPermutiveEvent: only a page can give this option;/]],
  ])('tells of the options of %j', (addons, findings) => {
    expect(found({ addons })).toEqual(
      findings.map((finding): unknown => (finding instanceof RegExp ? expect.stringMatching(finding) : finding)),
    );
  });
});

it.each(Object.entries(addonList))('the list has the options that %s reads', (name, listed) => {
  const addon = jest.requireActual<Readonly<Record<string, AnyAddon>>>(resolve(listed.file))[listed.exported]!;
  const elsewhere: Readonly<Record<string, readonly string[]>> = {
    // Each video of a page has its own.
    ctv: ['duration', 'videoProperties', 'element'],
    // The build gives these to a stream of the visitor.
    identity_manager: ['providers'],
  };
  expect(optionNames(listed)).toEqual([...optionNames(addon), ...(elsewhere[name] ?? [])]);
});

describe('the place of a finding', () => {
  const text = (queries: string): string =>
    `{\n${Object.entries(projectDefinition)
      .map(([key, value]) => `  "${key}": ${JSON.stringify(value)},\n`)
      .join('')}  "queries": ${queries}\n}`;
  const first = Object.keys(projectDefinition).length + 2;
  const placed = (source: string): readonly (readonly (string | number | undefined)[])[] =>
    checkText(source).findings.map(({ path, line: at, column }) => [path, at, column]);

  it('is its line and column, for queries by id and by index', () => {
    expect(placed(text('[\n{ "id": "0", "q": { "event": "A" } },\n{ "id": "9", "q": { "cohort": "8" } }]'))).toEqual([
      ['queries/9/q', first + 2, 14],
    ]);
    expect(
      placed(text('[\n{ "id": "7", "q": { "event": "A" } },\r\n  { "id": "x", "q": {\n "evnt": "A" } }]')),
    ).toEqual([['queries/1/q', first + 2, 16]]);
    expect(placed(text('[ { "q": { "event": "A" } } ]'))).toEqual([['queries/0/id', first, 16]]);
  });

  it('is the rule that a query was written out from', () => {
    expect(placed(text('[],\n"rules": { "8": { "t": 1, "kw": ["a"], "n": 3, "x": 2 } }'))).toEqual([
      ['queries/8/q/is', first + 1, 12],
    ]);
  });

  it('is where the text stops being JSON', () => {
    expect(checkText('{\n  "a": 1\n  "b": 2 }').findings).toEqual([
      expect.objectContaining({ path: '', message: 'expected JSON (a comma is missing)', line: 3, column: 3 }),
    ]);
    expect(checkText('{ "a": [1, ] }').findings[0]).toMatchObject({ message: 'expected JSON (a value is missing)' });
    expect(checkText('{} // note').findings[0]).toMatchObject({
      message: 'expected JSON (comments are no part of JSON)',
      line: 1,
      column: 4,
    });
    expect(checkText('').findings[0]).toMatchObject({ line: 1, column: 1 });
  });

  it('finds keys that stand twice', () => {
    const [finding] = checkText(text('[],\n"amp": true,\n  "amp": false')).findings;
    expect(finding).toEqual({
      path: 'amp',
      severity: 'error',
      message: 'the key stands twice in its object, and only the last one counts',
      fix: 'leave one of them out',
      line: first + 2,
      column: 3,
    });
  });
});
