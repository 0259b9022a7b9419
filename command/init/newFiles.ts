import { tagOf } from '../../bundle/headOf';
import { type ConsentRecipe, consentScript, indented } from './consentRecipes';

/** Platform of an ad server's codes, by what `init` calls the ad server. */
export const adServers = { google: 'dfp', appnexus: 'appnexus_adserver', none: undefined } as const;
export type AdServer = keyof typeof adServers;

/** What a new project is made from. */
export interface NewProject {
  readonly site: string;
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly adServer: AdServer;
  /** How pages tell of consent; undefined where none is required. */
  readonly consent: ConsentRecipe | undefined;
}

/** A text of TypeScript in single quotes. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&').replace(/\s+/g, ' ')}'`;

const inHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const projectText = ({ site, workspaceId, apiKey, adServer, consent }: NewProject): string => {
  const platform = adServers[adServer];
  const activations = platform === undefined ? '' : `\n      activations: { ${platform}: { trigger: 'EveryTime' } },`;
  return `// The project of ${site.replace(/\s+/g, ' ')}. \`npx permutive-web-sdk check\` says what is wrong with it.
import { defineProject } from 'permutive-web-sdk/project';

export default defineProject({
  workspaceId: '${workspaceId}',
  organizationId: ${quoted(site)},
  apiKey: '${apiKey}',${consent === undefined ? '' : `\n  // Nothing is stored or sent before the visitor agrees.\n  config: { consentRequired: true },`}
  queries: [
    {
      id: '20101',
      name: 'Sport fans',
      // Three articles of a section within a week.
      q: {
        event: 'Pageview',
        where: { p: 'article.section', eq: 'sport' },
        is: { gte: 3 },
        within: { days: 7 },
      },${activations}
    },
    {
      id: '20102',
      name: 'Came back',
      // Pages on three different days within two weeks.
      q: { event: 'Pageview', distinct: '$day', is: { gte: 3 }, within: { days: 14 } },${activations}
    },
    {
      id: '20103',
      name: 'Reads much now',
      // Ten pages in one session.
      q: { event: 'Pageview', is: { gte: 10 }, within: 'session' },${activations}
    },
  ],
  addons: { web: {}${platform === undefined ? '' : `, ${platform}: {}`} },
});
`;
};

const pageText = ({ site, workspaceId, apiKey, consent }: NewProject): string => {
  const tag = tagOf({ workspaceId, apiKey, windowKey: 'permutive' });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${inHtml(site)}</title>
    <script>
  ${tag}
    </script>
    <script>
      // For this page alone: \`npx permutive-web-sdk dev\` serves the API and the files of the CDN beside the page.
      permutive.config.apiHost = permutive.config.cdnBaseUrl = location.host;
      permutive.config.apiProtocol = permutive.config.cdnProtocol = location.protocol.replace(':', '');
    </script>
    <script async src="dist/${workspaceId}-web.js"></script>
${consent === undefined ? '' : indented(consentScript(consent), 4)}    <script>
      permutive.addon('web', { page: { article: { section: 'sport' } } });
      permutive.ready(function () {
        permutive.segments(function (cohorts) {
          document.querySelector('output').textContent = cohorts.join(', ') || 'none yet';
        });
      }, 'realtime');
    </script>
  </head>
  <body>
    <h1>${inHtml(site)}</h1>
    <p>Cohorts of this visitor: <output>…</output></p>
    <p>Load the page three times, and the visitor is a sport fan. Alt+Shift+P opens the inspector.</p>
${consent === undefined ? '' : answersText(consent)}  </body>
</html>
`;
};

/** Buttons for a page that has no account with the consent platform. */
const answersText = ({ title }: ConsentRecipe): string => `    <p>
      Without the script of ${title}, these buttons answer in its place:
      <button onclick="permutive.consent({ opt_in: true, token: 'CONSENT_CAPTURED' })">Agree</button>
      <button onclick="permutive.consent({ opt_in: false })">Refuse</button>
    </p>
`;

const testText = `import { test } from 'node:test';
import { visitor } from 'permutive-web-sdk/testing';

import project from './project.ts';

const sport = { article: { section: 'sport' } };

test('three pages of sport within a week make a sport fan', () => {
  visitor().views(3, sport).expect(project).toBeIn('Sport fans');
  visitor().views(2, sport).after('8 days').views(1, sport).expect(project).not.toBeIn('Sport fans');
});

test('two pages of sport, or three of another section, do not', () => {
  visitor().views(2, sport).expect(project).not.toBeIn('Sport fans');
  visitor().views(3, { article: { section: 'markets' } }).expect(project).not.toBeIn('Sport fans');
});

test('pages on three days are a return, pages of one day are not', () => {
  visitor().views(1).after('1 day').views(1).after('1 day').views(1).expect(project).toBeIn('Came back');
  visitor().views(9).expect(project).not.toBeIn('Came back');
});
`;

const readmeText = ({ site, workspaceId, consent }: NewProject): string => `# Cohorts of ${site}

\`project.ts\` says which cohorts the site has.

| command | what it does |
| --- | --- |
| \`npx permutive-web-sdk check\` | says what is wrong with \`project.ts\` |
| \`npx permutive-web-sdk dev\` | serves \`index.html\` with the present cohorts |
| \`node --import tsx --test project.test.js\` | runs the tests of \`project.test.js\` |
| \`npx permutive-web-sdk build\` | writes what pages load into \`dist\` |
| \`npx permutive-web-sdk publish --dry-run\` | says which file is uploaded when, with which headers |

${
  consent === undefined
    ? `Paste the text of \`dist/${workspaceId}-head.html\` into the head of the site's pages.`
    : `Paste the texts of \`dist/${workspaceId}-head.html\` and \`consent.html\` into the head of the site's pages, in this order.
The second one tells the SDK what visitors answer to ${consent.title}.`
}
`;

/** The files of a new project, by name. */
export const newFiles = (project: NewProject): Readonly<Record<string, string>> => ({
  'project.ts': projectText(project),
  'project.test.js': testText,
  'index.html': pageText(project),
  ...(project.consent && { 'consent.html': consentScript(project.consent) }),
  '.gitignore': 'node_modules\ndist\n',
  'README.md': readmeText(project),
});
