import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { openChanged } from './support/changedPage';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

const zoneJs = readFileSync(resolve(__dirname, '../../node_modules/zone.js/bundles/zone.umd.js'), 'utf8');

/** What a page notes of the zone of its application. */
interface Noted {
  readonly application: { readonly run: (action: () => unknown) => unknown };
  /** Timers, listeners and requests that were begun in the zone: an application with one of them is not at rest. */
  readonly tasks: readonly string[];
  /** Callbacks, each with the zone in which it ran. */
  readonly called: string[];
}

/** Makes a zone as Angular does, and notes what is begun in it. Runs in the page. */
const makeZone = `
  const tasks = [];
  const application = Zone.current.fork({
    name: 'application',
    onScheduleTask: (parent, current, target, task) => {
      if (task.type !== 'microTask') tasks.push(task.type + ' ' + task.source);
      return parent.scheduleTask(target, task);
    },
  });
  Object.assign(window, { noted: { application, tasks, called: [] } });`;

describe('A page with zone.js, as Angular has it', () => {
  const stage = stageForTests();
  const open = (visitor: Visitor, change: (html: string) => string = (html) => html): Promise<void> =>
    openChanged(visitor, stage.demo.site, '', (html) =>
      change(html.replace('<head>', () => `<head><script>${zoneJs}</script><script>${makeZone}</script>`)),
    );
  const noted = (visitor: Visitor) =>
    visitor.page.evaluate(() => {
      const { tasks, called } = (window as unknown as { noted: Noted }).noted;
      return { tasks, called };
    });

  test('finds nothing of the SDK in its zone, in which its callbacks run', async () => {
    const visitor = await stage.visitor();
    await open(visitor);
    await visitor.ready('realtime');
    await visitor.ask((permutive) => {
      const { application, called } = (window as unknown as { noted: Noted }).noted;
      const note = (name: string) => (): void => {
        const { Zone } = window as unknown as { Zone: { current: { name: string } } };
        called.push(`${name} in ${Zone.current.name}`);
      };
      application.run(() => {
        permutive.on('InZone', note('on'));
        permutive.addon('web', { page: { title: 'A route' } });
        void permutive.track('InZone');
        permutive.q.push({ functionName: 'track', arguments: ['Pushed'] });
        void permutive.identify('in-zone');
        void permutive.segments(note('segments'));
        void permutive.ready(note('ready'), 'realtime');
      });
    });
    await stage.untilArrived('InZone');
    await stage.untilArrived('Pushed');
    await stage.untilArrived('Pageview', 2);
    const called = await until(async () => {
      const { called: names } = await noted(visitor);
      return names.length === 3 ? names : undefined;
    }, 'the callbacks');
    expect([...called].sort()).toEqual(['on in application', 'ready in application', 'segments in application']);
    expect((await noted(visitor)).tasks).toEqual([]);
  });

  test('finds nothing of the SDK in its zone where the script is loaded there', async () => {
    const visitor = await stage.visitor();
    await open(visitor, (html) =>
      html.replace(
        /<script async src="([^"]*-web\.js)"[^>]*><\/script>/,
        `<script>noted.application.run(() => {
          const script = document.createElement('script');
          script.src = '$1';
          document.head.append(script);
        });</script>`,
      ),
    );
    await visitor.ready('realtime');
    await stage.untilArrived('Pageview');
    await stage.untilEntered(20401);
    expect((await noted(visitor)).tasks).toEqual([]);
  });
});
