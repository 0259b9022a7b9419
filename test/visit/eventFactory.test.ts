import { sdkVersion } from '../../src/model/clientContext';
import { sessionAndView } from '../../src/streams/visitor/sessionAndView';
import { eventFactory } from '../../src/visit/eventFactory';
import { noonText } from '../support/events';
import { worldOf } from '../support/world';

const world = () => {
  const deps = worldOf();
  const moments = sessionAndView(deps, undefined, { at: 0 });
  return { ...eventFactory(moments, deps), moments, report: deps.report };
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
    expect(make({ name: 'Pageview', view: { isAnother: true, client: {} } }).properties).toEqual({ client });
  });

  it('opens another view where there is another, or the page starts its view over', () => {
    const { make } = world();
    const first = make({ name: 'Pageview', view: { isAnother: false, client: {} } });
    const again = make({ name: 'Pageview', view: { isAnother: true, client: {} } });
    expect(again.view_id).toBe(first.view_id);
    const over = make({ name: 'Pageview', view: { isAnother: true, startsOver: true, client: {} } });
    expect(over.view_id).not.toBe(first.view_id);
    const other = { url: 'https://www.site.example/other' };
    const second = make({ name: 'Pageview', view: { isAnother: true, client: other } });
    expect(second.view_id).not.toBe(over.view_id);
    expect(make({ name: 'LinkClick' }).view_id).toBe(second.view_id);
    expect(second.view_id).not.toBe(first.view_id);
    expect(second.session_id).toBe(first.session_id);
  });
});
