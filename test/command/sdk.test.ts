import { join } from 'node:path';

import { missingTools } from '../../command/support/sdk';
import { called, definition, folderWith } from './support/called';

describe('missingTools', () => {
  it('looks into the folders above too, and tells other versions', () => {
    const folder = folderWith({
      'node_modules/a/package.json': '{"version":"1.0.0"}',
      'node_modules/@b/c/package.json': '{"version":"2.0.0"}',
    });
    const tools = { a: '1.0.0', '@b/c': '2.1.0', 'no-such-package-here': '3.0.0' };
    expect(missingTools({ version: '1.0.0', tools }, join(folder, 'node_modules/sdk/dist'))).toEqual({
      missing: ['no-such-package-here@3.0.0'],
      others: ['@b/c is 2.0.0 and was tested as 2.1.0'],
    });
  });
});

describe('build', () => {
  it.each([
    [['--only', 'cohorts'], '--only cohorts: expected queries'],
    [['--names', 'some'], '--names some: expected all or none'],
    [['other.json'], 'there is no file other.json'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await called(folderWith({ 'project.json': definition() }), 'build', ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
