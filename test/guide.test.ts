import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { readProject } from '../project/readProject';
import { visitor } from '../src/testing/testing';

const page = readFileSync(resolve(__dirname, '../docs/cohorts-guide.md'), 'utf8');
const [, text = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
const project = JSON.parse(text) as { readonly queries: readonly { readonly id: string }[] };
const sport = { article: { section: 'sport' } };

/** Reads a definition as the build does. */
const built = (definition: unknown) => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  try {
    writeFileSync(join(folder, 'project.json'), JSON.stringify(definition));
    return readProject(join(folder, 'project.json'));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The message of the error that a function throws. */
const messageOf = (run: () => unknown): string => {
  try {
    run();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the guide of cohorts', () => {
  it('has a definition that the build takes without a warning', () => {
    expect(built(project).warnings).toStrictEqual([]);
    visitor().views(3, sport).expect(project).toBeIn('Sport fans');
  });

  it('has the message of an expectation that is not met', () => {
    const message = messageOf(() => visitor().views(2, sport).expect(project).toBeIn('Sport fans'));
    expect(page).toContain(`\`\`\`\n${message}\n\`\`\``);
  });

  it('has the message of the build for a wrong id', () => {
    const wrong = { id: '20102', q: { and: [{ event: 'Pageview' }, { not: { cohort: '20111' } }] } };
    const message = messageOf(() => built({ ...project, queries: [...project.queries, wrong] }));
    const [, said = ''] = /^ {2}(queries\/20102.*)$/m.exec(message) ?? [];
    expect(page).toContain(`\`\`\`\n${said}\n\`\`\``);
  });
});
