import { openWith } from '../support/changedPage';
import { can, listMissing } from '../support/needs';
import { pause } from '../support/pause';
import { stageForTests } from '../support/stage';
import { until, untilSteady } from '../support/until';

/** Globals that other browsers lack, or that only a consent platform makes. */
const names = ['trustedTypes', 'scheduler', 'navigation', 'BroadcastChannel', '__tcfapi', '__gpp', '__uspapi'];

describe('In a browser that lacks newer parts, HTML that is shown in their place', () => {
  const stage = stageForTests();

  /** What the visit asks for, by method and path; its warnings, and where the engine runs. */
  interface Seen {
    readonly asked: readonly string[];
    readonly warnings: readonly string[];
    readonly workers: number | false;
  }
  const asked = async (): Promise<readonly string[]> => {
    const all = (await stage.requests()).map(({ method, path }) => `${method} ${path.replace(/[^/]{36}$/, 'USER')}`);
    return [...new Set(all)].sort();
  };
  const visit = async (html: string, isOver: () => Promise<unknown>): Promise<Seen> => {
    const visitor = await stage.visitor();
    await visitor.context.addInitScript((missing) => {
      for (const name of missing) Reflect.deleteProperty(window, name);
    }, names);
    await openWith(visitor, stage.demo.site, html, '?permutive_debug=true');
    // The tool that drives the browser stumbles over some of the elements.
    await stage.untilArrived('Pageview');
    await stage.untilArrived('SegmentEntry');
    await isOver();
    const seen = {
      asked: await asked(),
      warnings: await visitor.warnings(),
      workers: can('workers') && visitor.page.workers().length,
    };
    await stage.endVisits();
    return seen;
  };
  const shown = (element: (name: string) => string): string => names.map(element).join('');
  const elements: Readonly<Record<string, (name: string) => string>> = {
    'two elements of each name': (name) => `<a id=${name}></a><a id=${name} name=createPolicy></a>`,
    frames: (name) => `<iframe name=${name} srcdoc="<object id=yield></object>"></iframe>`,
    'objects, which may be called': (name) => `<object id=${name}></object>`,
    forms: (name) => `<form id=${name}><object name=createPolicy></object><object name=yield></object></form>`,
  };

  test('changes nothing', async () => {
    const control = await visit('', () => untilSteady(asked, 1500));
    expect(control).toMatchObject({ warnings: [], workers: can('workers') && 1 });
    const seen: Record<string, Seen> = {};
    for (const [what, element] of Object.entries(elements))
      seen[what] = await visit(shown(element), async () => {
        await until(async () => {
          const now = await asked();
          return control.asked.every((each) => now.includes(each)) || undefined;
        }, `what a visit asks for: ${what}`);
        await pause(500, 'a request that no other visit makes comes by then');
      });
    expect(seen).toEqual(Object.fromEntries(Object.keys(elements).map((what) => [what, control])));
  });

  listMissing('workers', 'leaves the engine in a worker');
});
