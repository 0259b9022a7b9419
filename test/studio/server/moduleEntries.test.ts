import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

import { definition, folderWith } from '../../command/support/called';

const root = resolve(__dirname, '../../..');
const at = (file: string): string => JSON.stringify(join(root, file));

/**
 * The text of a module after an entry was added and after it was removed again, or what Studio has said in place of
 * each. Studio runs in a process of its own, because the test runner has imports of its own.
 */
const afterOrders = (text: string): readonly string[] => {
  const program = `
    import { readFileSync } from 'node:fs';
    import { openProjectFile } from ${at('studio/server/projectFile.ts')};
    const file = new URL('project.ts', import.meta.url).pathname;
    const opened = await openProjectFile(file, []);
    const answers = [];
    for (const isWanted of [true, false]) {
      const order = { id: '20101', entry: { segtax: 4, id: '669' }, isWanted };
      const said = await opened.setEntry(order).catch(({ message }) => message);
      answers.push(said ?? readFileSync(file, 'utf8'));
    }
    opened.close();
    process.stdout.write(JSON.stringify(answers));`;
  const folder = folderWith({
    'project.ts': text,
    'orders.mts': program,
    'package.json': '{ "type": "module" }',
  });
  const args = ['--import', 'tsx', join(folder, 'orders.mts')];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as string[];
};

const rest = definition()
  .slice(1, -1)
  .replace(/"queries":\[.*?\}\],/, '')
  .replaceAll('"', "'");
const moduleText = (made: string): string => `import { taxonomyEntry } from ${at('project/define/define.ts')};
const sports = taxonomyEntry(4, 'Interest > Sports');
const project = {
  queries: [{ id: '20101', q: { event: 'Pageview' } }],
  // What buyers read.
  taxonomies: { '20101': [taxonomyEntry(4, 'Interest > Sports')], '20102': [sports] },
  ${rest},
};
export default ${made};
`;

describe('a definition that is a module', () => {
  it('gets an entry by the name that it has for such, and loses it without a trace', () => {
    const text = moduleText('project');
    expect(afterOrders(text)).toEqual([
      text.replace("Sports')],", "Sports'), taxonomyEntry(4, 'Interest > Sports > Tennis')],"),
      text,
    ]);
  });

  it('gets none where code of it would make something else of that', () => {
    const refused = 'Code of the file would make something else of this change, so nothing was written.';
    const text = moduleText('{ ...project, taxonomies: { 20101: project.taxonomies[20101].slice(0, 1) } }');
    expect(afterOrders(text)).toEqual([refused, text]);
  });
});
