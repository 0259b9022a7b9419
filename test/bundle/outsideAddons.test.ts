import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { outsideAddons } from '../../bundle/outsideAddons/outsideAddons';
import { writeProjectModules } from '../../bundle/projectModules';
import { readProject } from '../../project/readProject';
import { addonRules } from '../../src/addonKit/addonFault';
import { projectDefinition } from '../support/project';

// Each reading compiles an addon with all that it imports.

const root = resolve(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'outside-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file outside the repository; its path. */
const written = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
/** The file of an addon that acts when a cohort is entered. */
const addonFile = (name: string, effect: string): string =>
  written(
    `${name}.ts`,
    `import { ignoreElements, switchMap, take, tap } from 'rxjs';
     import { type Addon, dueActivations, isolate, textOf } from 'permutive-web-sdk/addon-kit';
     export const own: Addon<unknown> = {
       name: '${name}',
       autoInit: true,
       options: (input) => input,
       run: (streams, options$, deps) =>
         options$.pipe(
           take(1),
           switchMap(() => dueActivations(streams, deps)),
           tap((activation) => ${effect}),
           ignoreElements(),
           isolate('${name} has failed', deps.report),
         ),
     };`,
  );
const page = { addons: {}, activations: {}, config: {} };
const messageOf = async (act: () => unknown): Promise<string> => {
  try {
    await act();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const activation = { id: '1', short_id: '1', sc: 7, tt: 'OnEntry' as const };

it('reads addons from any folder, and checks them with the options and activations of the definition', async () => {
  const pixel = `deps.loadPixel(textOf(activation, 'url') ?? 'https://nowhere.example/')`;
  const files = [addonFile('mine', pixel), addonFile('other', `deps.writeKey('other', activation.id)`)];
  const { listed, check } = await outsideAddons(files, root);
  expect(listed).toEqual({
    mine: { file: files[0], exported: 'own' },
    other: { file: files[1], exported: 'own' },
  });
  const url = 'https://partner.example/';
  const named = { ...activation, c: { url } };
  expect(await messageOf(() => check({ ...page, activations: { mine: [named] } }))).toBe('');
  const message = await messageOf(() => check({ ...page, activations: { mine: [named, activation] } }));
  expect(message).toContain(`mine: ${addonRules.hosts.rule} It asked nowhere.example. ${addonRules.hosts.fix}`);
  expect(message.split('\n')).toHaveLength(2);
});

it('says where a type is wrong, in the file or in what it imports', async () => {
  written('helper.ts', '\nexport const key: string = 7;');
  const file = written('wrong.ts', `import { key } from './helper';\n\n\nexport const own: number = key;`);
  const message = await messageOf(() => outsideAddons([file], root));
  expect(message).toMatch(/helper\.ts\(2,14\): error TS2322: Type 'number' is not assignable to type 'string'/);
  expect(message).toMatch(/wrong\.ts\(4,14\): error TS2322: Type 'string' is not assignable to type 'number'/);
});

it('refuses names that are taken, files without an addon, and files that touch the page while they load', async () => {
  const nothing = `deps.readKey(activation.id)`;
  const taken = addonFile('dfp', nothing);
  const first = addonFile('twin', nothing);
  const second = written('second.ts', readFileSync(first, 'utf8'));
  const none = written('none.ts', 'export const answer = 42;');
  const message = await messageOf(() => outsideAddons([taken, first, second, none], root));
  expect(message).toContain('dfp.ts (own): the name dfp is that of a built-in addon');
  expect(message).toMatch(/second\.ts \(own\): the name twin is that of .*twin\.ts \(own\)/);
  expect(message).toContain('none.ts: expected an export with name, autoInit, options and run');
  const touching = written('touching.ts', 'export const width: number = window.innerWidth;');
  expect(await messageOf(() => outsideAddons([touching], root))).toContain('window is not defined');
});

it('lets the definition name them, and gives the deferred chunk their options and activations', () => {
  const definition = join(folder, 'project.json');
  const mine = { key: 'k' };
  const queries = [{ id: '7', q: { event: 'Pageview' }, activations: { mine: { trigger: 'EveryTime' } } }];
  const given = { ...projectDefinition, queries, addons: { mine }, activations: { mine: [activation] } };
  writeFileSync(definition, JSON.stringify({ ...given, platformCohorts: { mine: [7] } }));
  expect(() => readProject(definition)).toThrow('addons/mine');
  const project = readProject(definition, ['mine']);
  const modules = writeProjectModules(project, folder, { mine: { file: '/elsewhere/mine.ts', exported: 'own' } });
  const [early, deferred] = ['page.js', 'deferred.js'].map((file) => readFileSync(join(modules, file), 'utf8'));
  expect(deferred).toContain(`import { own as addon0 } from "/elsewhere/mine.ts";\nexport const addons = [addon0];`);
  expect(deferred).toContain(`export const activations = ${JSON.stringify({ mine: [activation] })}`);
  expect(deferred).toContain(`export const addonOptions = ${JSON.stringify({ mine })}`);
  expect(early).not.toContain('elsewhere');
});
