import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { Definition, Expr } from '../../src/engine/language/language';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';
import { h53, murmur128 } from '../../src/engine/language/murmur';
import { norm, wordsOf } from '../../src/engine/language/text';
import { dayMs } from '../../src/primitives/duration';
import examples from './support/examples.json';
import { definitions, event, start, t0 } from './support/run';

describe('text and hashes', () => {
  it.each([
    ['', '', '00000000000000000000000000000000', 0, 2265795760303286],
    ['Real Estate', 'real estate', 'bf772c8ed436cce7a88bbdbaffe0c964', 6417745209404558, 5165139405920853],
    ['ＦｉｎＴｅｃｈ', 'fintech', '6b9348c6eabba66149d8124349d81243', 7782761718040774, 2117347567241081],
    ['Ünïcode', 'ünïcode', '3bf68428a502d9b72a3f7184e94704dd', 802330961675304, 8757037254098421],
    ['remote  work ', 'remote work', '2a3e5b76701154891ee82a1095755ac1', 4878022700063606, 4760302041751338],
  ])('%j', (input, normal, bits, seed0, seed42) => {
    expect(norm(input)).toBe(normal);
    expect(murmur128(normal, 0)).toBe(bits);
    expect(h53(normal, 0)).toBe(seed0);
    expect(h53(normal, 42)).toBe(seed42);
  });

  it('takes words without their punctuation', () => {
    expect(wordsOf(norm('Women’s golf: U.S. Open, 3-day')).join(' ')).toBe("women's golf u s open 3 day");
  });
});

describe('the example definitions', () => {
  it.each((examples as unknown as Definition[]).map((definition) => [definition.id, definition] as const))(
    '%s has its checksum',
    (_id, definition) => {
      expect(DefinitionCodec(definition)).toEqual([]);
      expect(checksumOf(canon(definition))).toBe(definition.checksum);
      expect(canon({ ...canon(definition), id: definition.id })).toEqual(canon(definition));
    },
  );

  it('writes the canonical form with sorted keys, folded operands and all defaults', () => {
    const definition = (examples as unknown as Definition[]).find(({ id }) => id === '20103')!;
    expect(JSON.stringify(canon(definition))).toBe(
      '{"q":{"buckets":100,"event":["Pageview"],"is":{"gte":2},"where":{"p":"article.taxonomy","under":["business and finance/industries/real estate industry","real estate"]},"within":2592000000},"sub":[]}',
    );
  });
});

describe('the state after a short history', () => {
  const days = (n: number) => ({ days: n });
  const cases: [string, string, Expr, unknown[], number | null][] = [
    [
      'page views and an engaged sum',
      '2dcnwhzgu2p',
      {
        and: [
          { event: 'Pageview', is: { gte: 2 }, within: days(7) },
          { event: 'PageviewEngagement', sum: 'engaged_time', is: { gte: 12.5 }, within: days(7) },
        ],
      },
      [
        [281098, 1, 14, 1],
        [281098, 7500, 14, 5250],
      ],
      dayMs + 5000,
    ],
    [
      'distinct days',
      '1l21k0esjvy',
      { event: 'Pageview', distinct: '$day', is: { gte: 2 }, within: days(28) },
      [[70274, 22042020, 3, 4101420036]],
      dayMs,
    ],
    [
      'last login',
      '1ifbe75jdz2',
      { last: { event: 'LoginStatus' }, is: { p: 'logged_in', is: true } },
      [[1700086407000, 1]],
      dayMs + 7000,
    ],
    [
      'a sequence',
      '11qhk0atnxt',
      { sequence: [{ event: 'Pageview' }, { event: 'LinkClick' }], span: { hours: 30 }, within: days(28) },
      [[[1700086400000], [70274, 1]]],
      dayMs + 6000,
    ],
    ['a life-time count', 'niysyt7ret', { event: 'Pageview', is: { gte: 3 } }, [2], null],
  ];
  const history = [
    event('Pageview', t0),
    event('PageviewEngagement', t0 + 5000, { engaged_time: 5.25 }),
    event('Pageview', t0 + dayMs),
    event('PageviewEngagement', t0 + dayMs + 5000, { engaged_time: 7.5 }),
    event('LinkClick', t0 + dayMs + 6000),
    event('LoginStatus', t0 + dayMs + 7000, { logged_in: true }),
  ];

  it.each(cases)('%s', (_name, checksum, q, cells, entryAt) => {
    const engine = start(definitions(q));
    const transitions = history.flatMap((happened) => engine.process([happened], happened.time).transitions);
    expect(transitions).toEqual(entryAt === null ? [] : [{ id: '1', entry: true, time: t0 + entryAt }]);
    expect(engine.snapshot().internal_query_states['1']).toEqual({ checksum, state: cells, result: entryAt !== null });
  });
});
