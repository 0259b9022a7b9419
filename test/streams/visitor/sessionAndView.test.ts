import { uuid } from '../../../src/fakePlatform/countedIds';
import { fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import { isUuid } from '../../../src/primitives/uuid';
import { noView, sessionAndView } from '../../../src/streams/visitor/sessionAndView';
import { noon, noonText } from '../../support/events';

const sessionId = '7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const viewId = '8b1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const halfHour = 1_800_000;
const stored = (msAgo: number, id = sessionId): string =>
  JSON.stringify({ session_id: id, last_updated: new Date(noon - msAgo).toISOString() });

const world = (session?: string, firstView?: string) => {
  const platform = fakePlatform(session === undefined ? {} : { local: { 'permutive-session': session } });
  const report = jest.fn();
  const moments = sessionAndView({ ...platform, json, report }, firstView, noView());
  const storedSession = (): unknown => JSON.parse(platform.local.read('permutive-session') ?? 'null');
  return { platform, report, moments, storedSession };
};

describe('the session', () => {
  it('is made and stored at once, and is that of the first event', () => {
    const { moments, storedSession } = world();
    const { session } = moments.current();
    expect(session).toEqual({ id: expect.any(String) as string, startedAt: noon });
    expect(isUuid(session.id)).toBe(true);
    expect(moments.touch().session).toEqual(session);
    expect(storedSession()).toEqual({ session_id: session.id, last_updated: noonText });
  });

  it.each([
    ['of this moment', 0, true],
    ['of a minute ago', 60_000, true],
    ['just before its end', halfHour - 1, true],
    ['at its end', halfHour, false],
    ['after its end', halfHour + 1, false],
    ['of a clock that was ahead', -halfHour, true],
  ])('goes on or not: %s', (_, msAgo, goesOn) => {
    const { moments, storedSession, report } = world(stored(msAgo));
    expect(moments.touch().session.id === sessionId).toBe(goesOn);
    expect(storedSession()).toMatchObject({ last_updated: noonText });
    expect(report).not.toHaveBeenCalled();
  });

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['no id', `{"last_updated":"${noonText}"}`],
    ['an id that is none', `{"session_id":"7","last_updated":"${noonText}"}`],
    ['no date', `{"session_id":"${sessionId}"}`],
    ['an invalid date', `{"session_id":"${sessionId}","last_updated":"soon"}`],
    ['a number for a date', `{"session_id":"${sessionId}","last_updated":${noon}}`],
  ])('is a new one where what is stored is broken, and that is said: %s', (_, session) => {
    const { moments, storedSession, report } = world(session);
    const { id } = moments.touch().session;
    expect(id).not.toBe(sessionId);
    expect(storedSession()).toEqual({ session_id: id, last_updated: noonText });
    expect(report).toHaveBeenCalledTimes(1);
    expect(report).toHaveBeenCalledWith(
      expect.stringMatching(/^Failed to initialise session manager: /),
      expect.any(Error),
    );
  });

  it('goes on with each event, and ends half an hour after the last', () => {
    const { moments, platform } = world();
    const { id } = moments.touch().session;
    for (const ms of [halfHour - 1, 2 * (halfHour - 1)]) {
      platform.setNow(noon + ms);
      expect(moments.touch().session.id).toBe(id);
    }
    platform.setNow(noon + 2 * (halfHour - 1) + halfHour);
    const next = moments.touch().session;
    expect(next.id).not.toBe(id);
    expect(next.startedAt).toBe(noon + 3 * halfHour - 2);
  });

  it('is stored once a second at most', () => {
    const { moments, platform, storedSession } = world();
    moments.touch();
    platform.setNow(noon + 999);
    moments.touch();
    expect(storedSession()).toMatchObject({ last_updated: noonText });
    platform.setNow(noon + 1000);
    moments.touch();
    expect(storedSession()).toMatchObject({ last_updated: '2026-01-01T12:00:01.000Z' });
  });

  it('is the one that another tab has kept alive, or begun', () => {
    const { moments, platform } = world(stored(0));
    moments.touch();
    platform.setNow(noon + halfHour + 1000);
    platform.local.write(
      'permutive-session',
      JSON.stringify({ session_id: sessionId, last_updated: new Date(noon + halfHour).toISOString() }),
    );
    expect(moments.touch().session.id).toBe(sessionId);
    platform.setNow(noon + halfHour + 5000);
    platform.local.write(
      'permutive-session',
      JSON.stringify({ session_id: viewId, last_updated: new Date(noon + halfHour + 4000).toISOString() }),
    );
    expect(moments.touch().session.id).toBe(viewId);
  });

  it('goes on in memory where nothing can be stored', () => {
    const { moments, platform } = world();
    platform.local.failure = 'unavailable';
    const { id } = moments.touch().session;
    platform.setNow(noon + 500);
    expect(moments.touch().session.id).toBe(id);
  });

  it('survives a clock that is set back', () => {
    const { moments, platform } = world();
    const { id } = moments.touch().session;
    platform.setNow(noon - 86_400_000);
    expect(moments.touch().session.id).toBe(id);
  });
});

describe('the view', () => {
  it.each([
    ['the tag’s', viewId, viewId],
    ['a new one where the tag has none', undefined, uuid(1)],
    ['a new one where the tag’s is empty', '', uuid(1)],
    ['a new one where the tag’s is no UUID', 'view-1', uuid(1)],
  ])('is %s', (_, firstView, expected) => {
    expect(world(undefined, firstView).moments.current().view).toEqual({ id: expected, startedAt: noon });
  });

  it('is another after another page view, in the same session', () => {
    const { moments, platform } = world(stored(0), viewId);
    const before = moments.touch();
    platform.setNow(noon + 100);
    const after = moments.openView();
    expect(after.view).toEqual({ id: uuid(1), startedAt: noon + 100 });
    expect(after.session).toEqual(before.session);
    expect(moments.current()).toEqual(after);
  });

  it('is over 300 s after its last activity, and not before its first', () => {
    const { moments, platform } = world(stored(0), viewId);
    const after = (ms: number): boolean => {
      platform.setNow(noon + ms);
      return moments.isOver();
    };
    expect([after(0), after(299_999), after(300_000)]).toEqual([false, false, true]);
    moments.touch(false);
    expect(after(300_000)).toBe(true);
    moments.touch();
    expect([after(599_999), after(600_000)]).toEqual([false, true]);
    moments.openView();
    expect(moments.isOver()).toBe(false);
  });

  it('stays when the session ends', () => {
    const { moments, platform } = world(stored(0), viewId);
    moments.touch();
    platform.setNow(noon + halfHour);
    expect(moments.touch().view.id).toBe(viewId);
  });
});
