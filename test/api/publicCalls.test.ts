import { publicCalls } from '../../src/api/publicCalls';

describe('publicCalls', () => {
  it('makes a stream of each kind of call', () => {
    const calls = publicCalls();
    const heard: unknown[] = [];
    calls.track$.subscribe(({ draft }) => heard.push(draft.name));
    calls.consent$.subscribe((consent) => heard.push(consent));
    calls.reset$.subscribe((done) => done());
    calls.track({ draft: { name: 'A' }, accepted: () => undefined });
    calls.giveConsent({ opt_in: true });
    calls.reset(() => heard.push('reset'));
    expect(heard).toEqual(['A', { opt_in: true }, 'reset']);
  });

  it('forgets calls that nobody hears, but for the latest start of each addon', () => {
    const calls = publicCalls();
    const heard: unknown[] = [];
    calls.track({ draft: { name: 'A' }, accepted: () => undefined });
    calls.startAddon('web', 1);
    calls.startAddon('web', 2);
    calls.startAddon('dfp', 3);
    calls.track$.subscribe(({ draft }) => heard.push(draft.name));
    calls.addon('web').subscribe((options) => heard.push(options));
    calls.addon('video').subscribe((options) => heard.push(options));
    calls.startAddon('web', 4);
    expect(heard).toEqual([2, 4]);
  });

  it('keeps an instance of each addon that was started or has exposed something, the same object throughout', () => {
    const calls = publicCalls();
    const methods = { play: () => undefined };
    calls.expose('video', methods);
    const { video } = calls.instances;
    calls.startAddon('video', {});
    calls.startAddon('web', {});
    expect(calls.instances).toEqual({ video: { name: 'video', ...methods }, web: { name: 'web' } });
    const pause = (): void => undefined;
    calls.expose('video', { pause });
    expect(video).toBe(calls.instances['video']);
    expect(video).toMatchObject({ ...methods, pause });
  });
});
