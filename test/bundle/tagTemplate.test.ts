import { readFileSync } from 'node:fs';

import { sectionsOf, tagTemplateOf } from '../../bundle/tagManager/tagTemplate';
import { tagMethods } from '../../src/api/tagMethods';
import { refusedBy } from '../support/tagManager/language';
import { allowedBy, type Permission, type Sandbox, sandboxOf } from '../support/tagManager/sandbox';
import { runScenario, scenarioNames, scenariosOf, templateOf } from '../support/tagManager/scenarios';

const file = readFileSync('bundle/tagManager/template.tpl', 'utf8');
const section = (name: string, text = file): string => sectionsOf(text).get(name) ?? '';
const json = (name: string, text = file): unknown => JSON.parse(section(name, text));

const code = section('SANDBOXED_JS_FOR_WEB_TEMPLATE');
const permissions = json('WEB_PERMISSIONS') as readonly Permission[];
const { scenarios, setup } = scenariosOf(section('TESTS'));

interface Field {
  readonly type: string;
  readonly name: string;
  readonly defaultValue?: string;
  readonly radioItems?: readonly { readonly value: string }[];
  readonly selectItems?: readonly { readonly value: string }[];
  readonly subParams?: readonly Field[];
}
const fieldsIn = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => (field.subParams ? fieldsIn(field.subParams) : [field]));
const fieldsOf = (text: string): readonly Field[] => fieldsIn(json('TEMPLATE_PARAMETERS', text) as readonly Field[]);
const fieldOf = (name: string, text = file): Field | undefined => fieldsOf(text).find((field) => field.name === name);

/** A page whose tags are fired, and what the sandbox has done in it. */
const sandboxed = (window: Record<string, unknown> = {}, allowed = permissions) => {
  const scripts: { readonly url: string; readonly loads: () => void; readonly fails: () => void }[] = [];
  const said: unknown[] = [];
  const sandbox: Sandbox = sandboxOf(allowed, {
    window,
    loadScript: (url, loads, fails) => void scripts.push({ url, loads, fails }),
    log: (...words) => void said.push(...words),
  });
  const fire = (data: object) => sandbox.fire(templateOf(code), data);
  const queue = () => (window['permutive'] as { readonly q: readonly unknown[] }).q;
  return { ...sandbox, fire, scripts, said, queue, window };
};

const pageView = { action: 'page', workspaceId: 'WORKSPACE_ID', apiKey: 'API_KEY', consentType: 'none' };
const call = (functionName: string, ...given: readonly unknown[]) => ({
  functionName,
  arguments: [...given, undefined, undefined, undefined].slice(0, 3),
});

describe('The template for Google Tag Manager', () => {
  it('has the sections of a template, in their order', () => {
    expect([...sectionsOf(file).keys()]).toEqual([
      'TERMS_OF_SERVICE',
      'INFO',
      'TEMPLATE_PARAMETERS',
      'SANDBOXED_JS_FOR_WEB_TEMPLATE',
      'WEB_PERMISSIONS',
      'TESTS',
      'NOTES',
    ]);
    expect(json('INFO')).toMatchObject({ type: 'TAG', version: 1, containerContexts: ['WEB'] });
  });

  it('has code that the sandbox takes', () => {
    expect(refusedBy(code, ['require', 'data', 'undefined'], ['data', 'templateStorage', 'Object'])).toEqual([]);
  });

  it('has tests that the sandbox takes', () => {
    const names = ['require', 'undefined', ...scenarioNames];
    for (const scenario of scenarios) {
      expect(scenario.name).toMatch(/^[\w -]+$/);
      expect(refusedBy(`${setup}\n${scenario.code}`, names, ['page', 'assertThat', 'assertApi'])).toEqual([]);
    }
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });

  it('finds what the sandbox does not take', () => {
    const wrong =
      'let a = `b`; new c(); [1].includes(1); try { delete a.b; } catch (e) {} function d() { return this; }';
    expect(refusedBy(wrong, [], []).map((refused) => refused.replace(/ at \d+$/, ''))).toEqual(
      expect.arrayContaining([
        'TemplateLiteral',
        'NewExpression',
        'name c',
        'method includes',
        'TryStatement',
        'delete',
        'ThisExpression',
      ]),
    );
  });

  it('reads its fields alone, and each of them', () => {
    const read = [...code.matchAll(/\bdata\.(\w+)/g)].map(([, name]) => name);
    const ends = ['gtmOnSuccess', 'gtmOnFailure'];
    expect([...new Set(read)].sort()).toEqual([...fieldsOf(file).map(({ name }) => name), ...ends].sort());
  });

  it('keeps the calls that the text for the head keeps', () => {
    const [, kept = ''] = /const keptMethods = \[([^\]]*)\]/.exec(code) ?? [];
    expect([...kept.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual([...tagMethods]);
  });

  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('test of its own: %s', (_, scenario) => {
    expect.hasAssertions();
    runScenario(templateOf(code), setup, scenario);
  });

  it('has tests that can fail', () => {
    const other = templateOf(code.replace("'-web.js'", "'.js'"));
    const [first] = scenarios;
    expect(() => runScenario(other, setup, first!)).toThrow('toStrictEqual');
  });
});

describe('In a sandbox, the template', () => {
  it('needs each of its permissions, and no other', async () => {
    const used = new Set<string>();
    const types = fieldOf('consentType')!.selectItems!.map(({ value }) => value);
    for (const consentType of types) {
      const page = sandboxed();
      await page.fire({ action: 'event', eventName: 'Early' });
      const view = page.fire({ ...pageView, consentType });
      page.scripts[0]!.fails();
      expect(await view).toBe('failure');
      await page.fire({ action: 'identify', ids: [{ tag: 'default', id: 'a' }] });
      for (const right of page.used()) used.add(right);
    }
    expect([...used].sort()).toEqual([...allowedBy(permissions)].sort());
  });

  it('fills the queue in the order of the calls: consent, page view, events before it, the page’s own', async () => {
    const page = sandboxed();
    expect(await page.fire({ action: 'event', eventName: 'Early' })).toBe('success');
    expect(page.window).toEqual({});
    const view = page.fire({ ...pageView, consentType: 'ad_storage' });
    const permutive = page.window['permutive'] as Record<string, (...given: readonly unknown[]) => void>;
    permutive['segments']!();
    expect(page.queue()).toStrictEqual([
      call('consent', { opt_in: true, token: 'CONSENT_CAPTURED' }),
      call('addon', 'web', { page: {} }),
      call('track', 'Early', {}),
      call('segments'),
    ]);
    page.scripts[0]!.loads();
    expect(await view).toBe('success');
    expect(page.said).toEqual([]);
  });

  it('calls the SDK of the page, with what the page can use', async () => {
    const calls: unknown[] = [];
    const page = sandboxed({
      permutive: { track: () => undefined, addon: (...given: unknown[]) => calls.push(given) },
    });
    const link = { href: 'https://site.example/' };
    const pageProperties = [
      { name: 'link', value: link },
      { name: 'pattern', value: /a/ },
    ];
    expect(await page.fire({ ...pageView, pageProperties })).toBe('success');
    expect(calls).toEqual([['web', { page: { link } }]]);
    expect(page.scripts).toEqual([]);
  });

  it('leaves a name alone that is something else', async () => {
    const page = sandboxed({ permutive: 'taken' });
    expect(await page.fire(pageView)).toBe('failure');
    expect(page.window).toEqual({ permutive: 'taken' });
    expect(page.said).toEqual(['Permutive: the page uses the name window.permutive for something else']);
  });

  it('loads nothing from elsewhere', async () => {
    const elsewhere = tagTemplateOf(file, {
      apiKey: 'a',
      workspaceId: 'b',
      windowKey: 'permutive',
      cdn: 'https://a.example/',
    });
    await expect(
      sandboxed({}, json('WEB_PERMISSIONS', elsewhere) as readonly Permission[]).fire(pageView),
    ).rejects.toThrow('No permission: inject_script https://cdn.permutive.com/WORKSPACE_ID-web.js');
  });
});

describe('The template of a project', () => {
  const settings = {
    apiKey: 'key-1',
    workspaceId: 'b1cb1816',
    windowKey: 'audience',
    cdn: 'https://static.publisher.example/sdk/',
  };
  const written = tagTemplateOf(file, settings);

  it('has the project’s IDs in its fields', () => {
    expect(fieldOf('workspaceId', written)?.defaultValue).toBe('b1cb1816');
    expect(fieldOf('apiKey', written)?.defaultValue).toBe('key-1');
    const others = fieldsOf(written).filter(({ name }) => name !== 'workspaceId' && name !== 'apiKey');
    expect(others).toEqual(fieldsOf(file).filter(({ name }) => name !== 'workspaceId' && name !== 'apiKey'));
  });

  it('loads from the project’s host alone, and uses the project’s name', () => {
    const allowed = allowedBy(json('WEB_PERMISSIONS', written) as readonly Permission[]);
    expect(allowed).toContain('inject_script https://static.publisher.example/sdk/*');
    expect(allowed).toContain('access_globals audience.track execute');
    expect(written).not.toMatch(/cdn\.permutive\.com|["']permutive["'.]|window\.permutive/);
  });

  it('passes its own tests', () => {
    const own = scenariosOf(section('TESTS', written));
    const template = templateOf(section('SANDBOXED_JS_FOR_WEB_TEMPLATE', written));
    for (const scenario of own.scenarios) runScenario(template, own.setup, scenario);
    expect(own.scenarios.map(({ name }) => name)).toEqual(scenarios.map(({ name }) => name));
  });

  it('is the file itself, where the project has the default host and name', () => {
    expect(
      tagTemplateOf(file, { apiKey: '', workspaceId: '', windowKey: 'permutive', cdn: 'https://cdn.permutive.com/' }),
    ).toBe(file);
  });
});
