/**
 * @jest-environment jsdom
 */
import { type NotedCall, noteWrites } from '../../command/companion/noteWrites';

interface Tag {
  cmd?: unknown;
  setConfig?: (given: unknown) => unknown;
  pubads?: () => Record<string, unknown>;
}
const page = window as unknown as Record<string, unknown> & { googletag?: Tag; pbjs?: Record<string, unknown> };

let count = 0;
/** Notes the calls of what a test does to the page. */
const noting = (): (() => readonly string[]) => {
  count += 1;
  const key = `notes ${count}`;
  noteWrites(key);
  return () => (page[key] as readonly NotedCall[]).map(({ method, given }) => `${method} ${given}`);
};
/** Runs the queue as a tag does that has loaded. */
const load = (tag: Tag, methods: object): void => {
  Object.assign(tag, methods);
  for (const command of tag.cmd as (() => void)[]) command();
};

describe('noteWrites', () => {
  it('notes the calls of the page’s first command, in order, and changes nothing of them', () => {
    const noted = noting();
    const seen: unknown[] = [];
    page.googletag = { cmd: [] };
    const tag = page.googletag;
    (tag.cmd as (() => void)[]).push(() => seen.push(tag.setConfig?.({ targeting: null })));
    load(tag, {
      setConfig(this: unknown, given: unknown) {
        return [this === tag, given];
      },
    });
    expect(seen).toEqual([[true, { targeting: null }]]);
    expect(noted()).toEqual(['googletag.setConfig [{"targeting":null}]']);
  });

  it('comes before commands that stand in the queue already, and gives a tag no method that it has not', () => {
    const noted = noting();
    page.googletag = { cmd: [() => page.googletag?.setConfig?.('first')] };
    load(page.googletag, { setConfig: () => undefined });
    expect(noted()).toEqual(['googletag.setConfig ["first"]']);
    page.googletag = { cmd: [] };
    load(page.googletag, {});
    expect(page.googletag.setConfig).toBeUndefined();
  });

  it('notes the methods of Google’s page-level targeting, and those of Prebid', () => {
    const noted = noting();
    const pubads = { setTargeting: () => pubads, clearTargeting: () => pubads, refresh: () => undefined };
    page.googletag = {};
    load(page.googletag, { pubads: () => pubads });
    pubads.setTargeting();
    pubads.clearTargeting();
    pubads.refresh();
    page.pbjs = { que: [] };
    const pbjs = Object.assign(page.pbjs, { setConfig: () => 1, mergeConfig: () => 2, requestBids: () => 3 });
    for (const command of pbjs['que'] as (() => void)[]) command();
    expect([pbjs.setConfig(), pbjs.mergeConfig(), pbjs.requestBids()]).toEqual([1, 2, 3]);
    expect(noted()).toEqual([
      'pubads.setTargeting []',
      'pubads.clearTargeting []',
      'pbjs.setConfig []',
      'pbjs.mergeConfig []',
    ]);
  });

  it('notes a call once, however many wrappers hand it on, and what a wrapper says itself', () => {
    const noted = noting();
    page.googletag = { cmd: [] };
    const tag = page.googletag;
    load(tag, { setConfig: () => undefined });
    const original = tag.setConfig;
    tag.setConfig = (given) => {
      const answer = original?.(given);
      original?.({ again: true });
      return answer;
    };
    tag.setConfig({ first: true });
    original?.({ kept: true });
    expect(noted()).toEqual([
      'googletag.setConfig [{"first":true}]',
      'googletag.setConfig [{"again":true}]',
      'googletag.setConfig [{"kept":true}]',
    ]);
  });

  it('hands on what a method throws, and notes the next call', () => {
    const noted = noting();
    page.googletag = { cmd: [] };
    const tag = page.googletag;
    load(tag, {
      setConfig: () => {
        throw new Error('no');
      },
    });
    const given = {};
    expect(() => tag.setConfig?.(given)).toThrow('no');
    expect(() => tag.setConfig?.(given)).toThrow('no');
    expect(noted()).toHaveLength(2);
  });

  it('begins with a tag that has come before its queue, and leaves alone what is no tag', () => {
    const noted = noting();
    page.googletag = { cmd: { push: () => undefined }, setConfig: () => 'set' };
    expect(page.googletag.setConfig?.('x')).toBe('set');
    page['googletag'] = undefined as never;
    expect(page.googletag).toBeUndefined();
    page['googletag'] = 'text' as never;
    expect(noted()).toEqual(['googletag.setConfig ["x"]']);
  });

  it('leaves methods that cannot be replaced, and values without JSON', () => {
    const noted = noting();
    const fixed = Object.freeze({ setTargeting: () => 'fixed' });
    page.googletag = { cmd: [] };
    load(page.googletag, { setConfig: () => 'set', pubads: () => fixed });
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(page.googletag.setConfig?.(circle)).toBe('set');
    expect(fixed.setTargeting()).toBe('fixed');
    expect(noted()).toEqual([]);
  });

  it('says when, and who has called', () => {
    noting();
    page.googletag = { cmd: [] };
    load(page.googletag, { setConfig: () => undefined });
    page.googletag.setConfig?.(1);
    const [call] = page[`notes ${count}`] as readonly NotedCall[];
    expect(call?.at).toBeGreaterThan(0);
    expect(call?.stack[0]).toContain('noteWrites.test.ts');
    expect(call?.stack.length).toBeLessThanOrEqual(8);
  });

  it('keeps 2,000 calls', () => {
    const noted = noting();
    page.googletag = { cmd: [] };
    load(page.googletag, { setConfig: () => undefined });
    for (let i = 0; i <= 2000; i += 1) page.googletag.setConfig?.(i);
    expect(noted()).toHaveLength(2000);
    expect(noted().at(-1)).toBe('googletag.setConfig [1999]');
  });
});
