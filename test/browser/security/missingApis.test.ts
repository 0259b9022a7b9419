import { openWith } from '../support/changedPage';
import { can, listMissing } from '../support/needs';
import { stageForTests } from '../support/stage';

jest.retryTimes(0);

/** Globals that other browsers lack, or that only a consent platform makes. */
const names = ['trustedTypes', 'scheduler', 'navigation', 'BroadcastChannel', '__tcfapi', '__gpp', '__uspapi'];

describe('In a browser that lacks newer parts, HTML that is shown in their place', () => {
  const stage = stageForTests();

  /** What the visit asks for, by method and path; its warnings, and where the engine runs. */
  const visit = async (html: string): Promise<unknown> => {
    const visitor = await stage.visitor();
    await visitor.context.addInitScript((missing) => {
      for (const name of missing) Reflect.deleteProperty(window, name);
    }, names);
    await openWith(visitor, stage.demo.site, html, '?permutive_debug=true');
    // The tool that drives the browser stumbles over some of the elements.
    await stage.untilArrived('Pageview');
    await stage.untilArrived('SegmentEntry');
    await stage.untilQuiet(1500);
    const asked = (await stage.requests()).map(({ method, path }) => `${method} ${path.replace(/[^/]{36}$/, 'USER')}`);
    const { warnings, page } = visitor;
    const workers = can('workers') && page.workers().length;
    await stage.endVisits();
    return { asked: [...new Set(asked)].sort(), warnings, workers };
  };
  const shown = (element: (name: string) => string): string => names.map(element).join('');

  test.each([
    ['two elements of each name', (name: string) => `<a id=${name}></a><a id=${name} name=createPolicy></a>`],
    ['frames', (name: string) => `<iframe name=${name} srcdoc="<object id=yield></object>"></iframe>`],
    ['objects, which may be called', (name: string) => `<object id=${name}></object>`],
    [
      'forms',
      (name: string) => `<form id=${name}><object name=createPolicy></object><object name=yield></object></form>`,
    ],
  ])('changes nothing: %s', async (_, element) => {
    const control = await visit('');
    expect(control).toMatchObject({ warnings: [], workers: can('workers') && 1 });
    expect(await visit(shown(element))).toEqual(control);
  });

  listMissing('workers', 'leaves the engine in a worker');
});
