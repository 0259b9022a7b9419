import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { withTables } from '../scripts/docs';

it('has the settings and stored names in the README as they are in the code: `npm run docs` writes them', () => {
  const readme = readFileSync(resolve(__dirname, '../README.md'), 'utf8');
  expect(readme).toBe(withTables(readme));
});
