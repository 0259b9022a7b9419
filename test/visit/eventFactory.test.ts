import * as fc from 'fast-check';

import { sdkVersion } from '../../src/model/clientContext';
import { noView, sessionAndView } from '../../src/streams/visitor/sessionAndView';
import { eventFactory } from '../../src/visit/eventFactory';
import { noonText } from '../support/events';
import { law } from '../support/laws';
import { worldOf } from '../support/world';

const world = () => {
  const deps = worldOf();
  const last = noView();
  const moments = sessionAndView(deps, undefined, last);
  return { ...eventFactory(moments, last, deps), moments, report: deps.report };
};
const client = {
  type: 'web',
  user_agent: `Browser PermutiveWebSDK/${sdkVersion}`,
  domain: 'site.example',
  title: 'Article',
  url: 'https://www.site.example/article',
  referrer: '',
};

describe('eventMaker', () => {
  it('makes an event of this moment', () => {
    const { make, moments } = world();
    const event = make({ name: 'LinkClick', properties: { dest_url: 'https://other.example' } });
    const { session, view } = moments.current();
    expect(event).toEqual({
      id: expect.any(String) as string,
      name: 'LinkClick',
      time: noonText,
      properties: { dest_url: 'https://other.example', client },
      session_id: session.id,
      view_id: view.id,
    });
    expect(session.id).not.toBe('');
  });

  it('needs no properties', () => {
    expect(world().make({ name: 'LinkClick' }).properties).toEqual({ client });
  });

  it('gives each event an id of its own', () => {
    const { make } = world();
    expect(make({ name: 'A' }).id).not.toBe(make({ name: 'A' }).id);
  });

  it('does not let a page say who the client is', () => {
    expect(
      world().make({ name: 'LinkClick', properties: { client: { url: 'https://evil.example' } } }).properties,
    ).toEqual({ client });
  });

  it('drops what JSON cannot hold, and says where', () => {
    const { make, report } = world();
    expect(make({ name: 'LinkClick', properties: { a: 1n, b: { c: () => 1, d: 2 } } }).properties).toEqual({
      b: { d: 2 },
      client,
    });
    expect(report.mock.calls).toEqual([
      ['Event LinkClick: dropped bigint', new Error('at /a')],
      ['Event LinkClick: dropped function', new Error('at /b/c')],
    ]);
  });

  it('says in the whole view what the publisher says of it', () => {
    const { make } = world();
    const given = { url: 'https://www.site.example/other/', title: 'Other' };
    const opened = make({ name: 'Pageview', view: { isAnother: false, client: given } });
    const said = { ...client, url: 'https://www.site.example/other', title: 'Other' };
    expect(opened.properties).toEqual({ client: said });
    expect(make({ name: 'LinkClick' }).properties).toEqual({ client: said });
    expect(make({ name: 'Pageview', view: { isAnother: true, client: {} } }).properties).toEqual({
      client: { ...client, referrer: said.url },
    });
  });

  const hostile = fc.constantFrom('a', '/', '?', '&token=', '\u0001', '\ud83d\ude00', '\ud800', '漢', '"', ' ');
  const text = fc.tuple(hostile, fc.constantFrom(0, 1, 100, 3000, 60_000)).map(([part, times]) => part.repeat(times));

  it(
    'makes none that is larger than the server takes, whatever page and publisher say',
    law(
      fc.tuple(text, text, text, text, fc.dictionary(fc.string(), fc.oneof(text, fc.jsonValue()))),
      ([title, url, referrer, userAgent, properties]) => {
        const deps = worldOf();
        const page = { ...deps.page, title: () => title, referrer: () => referrer, userAgent: () => userAgent };
        const last = noView();
        const { make } = eventFactory(sessionAndView(deps, undefined, last), last, { ...deps, page });
        const event = make({ name: 'A'.repeat(100), properties, view: { isAnother: false, client: { url } } });
        expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(48_000);
        expect(Object.keys(event.properties['client'] as object).sort()).toEqual(Object.keys(client).sort());
      },
    ),
  );

  it('opens another view where there is another', () => {
    const { make } = world();
    const first = make({ name: 'Pageview', view: { isAnother: false, client: {} } });
    expect(make({ name: 'LinkClick' }).view_id).toBe(first.view_id);
    const second = make({ name: 'Pageview', view: { isAnother: true, client: {} } });
    expect(second.view_id).not.toBe(first.view_id);
    expect(make({ name: 'LinkClick' }).view_id).toBe(second.view_id);
    expect(second.session_id).toBe(first.session_id);
  });
});
