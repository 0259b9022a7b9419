import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSync } from 'esbuild';

import { sectionsOf, tagTemplateOf } from '../../bundle/tagManager/tagTemplate';
import { project } from '../../demo/project/project';
import type { Sandbox, Template } from '../support/tagManager/sandbox';
import { openChanged } from './support/changedPage';
import { hostsOf } from './support/examplePage';
import { stageForTests } from './support/stage';
import { untilRefused } from './support/untilRefused';
import type { Visitor } from './support/visitor';

/** A page with the template, whose sandbox reaches the page itself. */
interface WithSandbox {
  readonly sandbox: Sandbox;
  readonly template: Template;
  readonly permutive?: { readonly config: object };
}

const bundled = (): string => {
  const [file] = buildSync({
    entryPoints: [resolve('test/support/tagManager/sandbox.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'tagManager',
    write: false,
  }).outputFiles;
  return file?.text ?? '';
};

const loadScript = (url: string, onSuccess: () => void, onFailure: () => void): void => {
  const element = document.createElement('script');
  element.async = true;
  element.onload = onSuccess;
  element.onerror = onFailure;
  element.src = url;
  document.head.append(element);
};

/** What puts the template of the demo's project into a page, for bundles of a CDN. */
const sandboxScript = (cdn: string): string => {
  const { workspaceId, apiKey } = project;
  const settings = { workspaceId, apiKey, windowKey: 'permutive', cdn: `${cdn}/` };
  const written = tagTemplateOf(readFileSync('bundle/tagManager/template.tpl', 'utf8'), settings);
  const sections = sectionsOf(written);
  return `${bundled()}
window.sandbox = tagManager.sandboxOf(${sections.get('WEB_PERMISSIONS')}, {
  window, loadScript: ${String(loadScript)}, log: (...words) => console.log(...words),
});
window.template = function (require, data) { 'use strict'; ${sections.get('SANDBOXED_JS_FOR_WEB_TEMPLATE')} };`;
};

describe('The template for Google Tag Manager', () => {
  const stage = stageForTests();

  /** Fires a tag. The demo's hosts are known before the script can come. */
  const fire = ({ page }: Visitor, data: object): Promise<string> =>
    page.evaluate(
      ({ fields, hosts }) => {
        const given = window as unknown as WithSandbox;
        const end = given.sandbox.fire(given.template, fields);
        Object.assign(given.permutive?.config ?? {}, hosts);
        return end;
      },
      { fields: data, hosts: hostsOf(stage.demo) },
    );

  const pageView = (consentType = 'none', pageProperties: readonly object[] = []): object => ({
    action: 'page',
    workspaceId: project.workspaceId,
    apiKey: project.apiKey,
    consentType,
    pageProperties,
  });

  const setConsent = ({ page }: Visitor, consentType: string, isGranted: boolean): Promise<void> =>
    page.evaluate(
      ([type, granted]) => (window as unknown as WithSandbox).sandbox.setConsent(type as string, granted as boolean),
      [consentType, isGranted],
    );

  /** A visitor on a page that has a tag manager and no SDK. */
  const arrived = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await openChanged(visitor, stage.demo.site, '', () => '<!doctype html><title>A page</title>');
    await visitor.page.evaluate(sandboxScript(stage.demo.cdn));
    return visitor;
  };

  const scriptsOf = ({ asked }: Visitor): readonly string[] => asked.filter((url) => url.endsWith('-web.js'));

  test('loads the SDK, and tells it page views, events and the visitor’s IDs', async () => {
    const visitor = await arrived();
    expect(await fire(visitor, { action: 'event', eventName: 'Early' })).toBe('success');
    const properties = [
      { name: 'type', value: 'article' },
      { name: 'article.section', value: 'markets' },
    ];
    expect(await fire(visitor, pageView('none', properties))).toBe('success');
    const [view] = await stage.untilArrived('Pageview');
    expect(view!.properties).toMatchObject({ type: 'article', article: { section: 'markets' } });
    const [early] = await stage.untilArrived('Early');
    expect(early!.view_id).toBe(view!.view_id);

    await fire(visitor, { action: 'identify', ids: [{ tag: 'crm', id: 'reader-1' }] });
    await fire(visitor, {
      action: 'event',
      eventName: 'Vote',
      eventProperties: [{ name: 'choice', value: 'copper' }],
    });
    const [vote] = await stage.untilArrived('Vote');
    expect(vote!.properties).toMatchObject({ choice: 'copper' });
    expect(await stage.requests('/identify')).toMatchObject([{ method: 'POST', status: 200 }]);
    expect(scriptsOf(visitor)).toHaveLength(1);
  });

  test('with consent mode, loads the SDK once consent is granted, and tells a withdrawal', async () => {
    const visitor = await arrived();
    await setConsent(visitor, 'ad_storage', false);
    expect(await fire(visitor, pageView('ad_storage'))).toBe('success');
    expect(scriptsOf(visitor)).toEqual([]);
    expect(await visitor.storage()).toEqual({});
    await setConsent(visitor, 'ad_storage', true);
    await stage.untilArrived('Pageview');
    await setConsent(visitor, 'ad_storage', false);
    await untilRefused(visitor);
    expect(await visitor.storage()).toEqual({ 'permutive-consent': '{"opt_in":false}' });
  });

  test('leaves the SDK of a page that has one, and counts a page view', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await stage.untilArrived('Pageview');
    await visitor.page.evaluate(sandboxScript(stage.demo.cdn));
    expect(await fire(visitor, pageView('none', [{ name: 'type', value: 'second' }]))).toBe('success');
    const [, second] = await stage.untilArrived('Pageview', 2);
    expect(second!.properties).toMatchObject({ type: 'second' });
    expect(scriptsOf(visitor)).toHaveLength(1);
  });
});
