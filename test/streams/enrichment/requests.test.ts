import { Observable, Subject } from 'rxjs';

import { memoryStorage } from '../../../src/fakePlatform/memoryStorage';
import { json } from '../../../src/hardening/plainJson';
import type { HttpAnswer } from '../../../src/platform/platform';
import { requests } from '../../../src/streams/enrichment/requests';
import { addressesOf } from '../../support/events';
import { reportMock } from '../../support/reports';
import { settingsOf } from '../../support/settings';

const [page, other] = ['https://site.example/a', 'https://site.example/b'];
const ok = (body: object): HttpAnswer => ({ status: 200, body: JSON.stringify(body) });
const broken: HttpAnswer = { status: 500, body: '' };
const place = { isp_info: { isp: 'Fibre' } };
const content = { concepts: [{ text: 'copper', relevance: 1 }] };
const known = (answer: object) => ({ state: 'known', answer });
const failed = { state: 'failed', answer: {} };

/** The requests of a visit, whose server answers when it is told to. */
const visit = () => {
  const sent: Subject<HttpAnswer>[] = [];
  const stop$ = new Subject<void>();
  const send = (): Observable<HttpAnswer> => {
    const answer$ = new Subject<HttpAnswer>();
    sent.push(answer$);
    return answer$;
  };
  const { geoip, watson, openView, ends } = requests({
    ...{
      http: { send, beacon: () => true },
      setting: settingsOf(),
      local: memoryStorage(),
      json,
      report: reportMock(),
    },
    ...{ sessionId: () => 'session', isClassified: () => true, addressOf: addressesOf(), project: {}, stop$ },
  });
  const things = { geoip: geoip(), watson: watson(page) };
  return {
    things,
    openView,
    ends: (url: string) => ends(() => url),
    sent,
    stop: () => stop$.next(),
    /** Asks for a thing; returns a list in which its end will be. */
    ask: (name: keyof typeof things) => {
      const got: unknown[] = [];
      const end$: Observable<unknown> = things[name];
      end$.subscribe((end) => got.push(end));
      return got;
    },
    answer: (request: number, answer: HttpAnswer) => {
      sent[request]!.next(answer);
      sent[request]!.complete();
    },
  };
};

describe.each([
  ['geoip', place],
  ['watson', content],
] as const)('%s', (name, body) => {
  it('is idle until somebody subscribes', () => {
    const { sent, ends, openView } = visit();
    openView(page);
    expect(sent).toEqual([]);
    expect(ends(page)[name]).toBeUndefined();
  });

  it('is asked for once, though many ask', () => {
    const { ask, answer, sent, ends } = visit();
    const got = [ask(name), ask(name)];
    expect(sent).toHaveLength(1);
    expect([got, ends(page)[name]]).toEqual([[[], []], undefined]);
    answer(0, ok(body));
    expect(got).toEqual([[known(body)], [known(body)]]);
  });

  it.each([
    ['known', ok(body), known(body)],
    ['known, though the answer says nothing', ok({}), known({})],
    ['failed', broken, failed],
  ])('is not asked for again in the view once it is %s', (_, answered, end) => {
    const { ask, answer, sent, ends } = visit();
    ask(name);
    answer(0, answered);
    expect([ask(name), ends(page)[name]]).toEqual([[end], end]);
    expect(sent).toHaveLength(1);
  });

  it('is aborted with the visit', () => {
    const { ask, sent, stop } = visit();
    ask(name);
    stop();
    expect(sent[0]!.observed).toBe(false);
  });
});

describe('another view', () => {
  it.each([
    ['geoip', 'asked', undefined, 1],
    ['geoip', 'known', ok(place), 1],
    ['geoip', 'known, though the answer says nothing', ok({}), 1],
    ['geoip', 'failed', broken, 2],
    ['watson', 'asked', undefined, 2],
    ['watson', 'known', ok(content), 2],
    ['watson', 'failed', broken, 2],
  ] as const)('begins with %s that was %s', (name, _, answered, count) => {
    const { ask, answer, sent, openView } = visit();
    ask(name);
    if (answered) answer(0, answered);
    openView(page);
    ask(name);
    expect(sent).toHaveLength(count);
  });

  it('leaves what is known of its address until the next end, and forgets other pages', () => {
    const { ask, answer, openView, ends } = visit();
    ask('watson');
    answer(0, ok(content));
    openView(page);
    ask('watson');
    expect(ends(page).watson).toEqual(known(content));
    answer(1, broken);
    expect(ends(page).watson).toEqual(failed);
    openView(other);
    expect(ends(page).watson).toBeUndefined();
  });

  it('does not take the late answer of a page that was left, which goes to those who wait for it', () => {
    const { ask, answer, openView, ends } = visit();
    const got = ask('watson');
    openView(other);
    answer(0, ok(content));
    expect(got).toEqual([known(content)]);
    expect([ends(other).watson, ends(page).watson]).toEqual([undefined, known(content)]);
  });
});
