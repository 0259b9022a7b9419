import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { errorMessages } from '../../command/doctor/errorMessages';
import { addonList } from '../../src/addons/addonList';
import { declarationOf, type Documented, exportsOf, membersOf } from './codeDocs';
import { escaped, idOf, withCode } from './html';
import { headingsOf, htmlOf } from './markdown';
import type { Entry, Part } from './part';

/** A page of the project in Markdown. */
export interface Guide {
  /** Path from the root, such as `docs/decisions/001-feedback-loop.md`. */
  readonly file: string;
  readonly text: string;
}

const scopeOf = (file: string): string => `guide-${idOf(file.replaceAll(/[/.]/g, ' '))}`;

/**
 * How links in a file lead to other chapters of the page. Addresses elsewhere stay, and files that are no chapter are
 * those beside the page.
 */
const linksOf =
  (file: string, chapters: readonly string[]) =>
  (address: string): string => {
    if (/^[a-z]+:/.test(address)) return address;
    const [path = '', fragment] = address.split('#');
    const target = path === '' ? file : resolve('/', file, '..', path).slice(1);
    if (!chapters.includes(target)) return `../../${target}`;
    return `#${fragment === undefined ? scopeOf(target) : `${scopeOf(target)}-${fragment}`}`;
  };

/** A guide as a chapter. Links to other guides lead to their chapters, others to the files beside the page. */
export const guidePart = ({ file, text }: Guide, guides: readonly Guide[]): Part => {
  const scope = scopeOf(file);
  const linkTo = linksOf(
    file,
    guides.map((guide) => guide.file),
  );
  const headings = headingsOf(text, scope);
  const title = headings[0]?.title ?? file;
  return {
    id: scope,
    title,
    html: htmlOf(text, scope, linkTo),
    entries: headings.map((heading) => ({
      title: heading.title,
      where: title,
      id: heading.id,
      text: heading.body.replace(/[`*|]/g, '').replace(/\s+/g, ' '),
    })),
    links: headings.filter(({ level }) => level === 2),
  };
};

/** A chapter that is a table in Markdown; its first column names what is searched. */
export const tablePart = (id: string, title: string, intro: string, table: string): Part => {
  const rows = table.split('\n').slice(2);
  const nameOf = (row: string): string => /^\| `?([^`|]*?)`? \|/.exec(row)?.[1] ?? '';
  let row = 0;
  return {
    id,
    title,
    html: `<h2>${title}</h2><p>${withCode(intro)}</p>${htmlOf(table, id, (address) => address).replace(
      /<tr>\n<td>/g,
      () => `<tr id="${id}-${idOf(nameOf(rows[row++] ?? ''))}"><td>`,
    )}`,
    entries: rows.map((text) => ({
      title: nameOf(text),
      where: title,
      id: `${id}-${idOf(nameOf(text))}`,
      text: text.replace(/[`|]/g, ' ').replace(/\s+/g, ' '),
    })),
    links: [],
  };
};

/** Every message of the SDK: when it comes, and what to do. */
export const errorsPart = (): Part => {
  const messages = Object.entries(errorMessages).sort(([a], [b]) => a.localeCompare(b));
  const idFor = (message: string): string => `errors-${idOf(message)}`;
  return {
    id: 'errors',
    title: 'Errors',
    html: [
      '<h2>Errors</h2><p>What the SDK reports, in the console with <code>?permutive_debug=true</code>. No report reaches the page’s own error handler. <code>…</code> stands for what is filled in.</p>',
      '<div class="wide" tabindex="0"><table><thead><tr><th>message</th><th>when</th><th>what to do</th></tr></thead><tbody>',
      ...messages.map(
        ([message, { when, fix }]) =>
          `<tr id="${idFor(message)}"><td><code>${escaped(message)}</code></td><td>${withCode(when)}</td><td>${withCode(fix)}</td></tr>`,
      ),
      '</tbody></table></div>',
    ].join('\n'),
    entries: messages.map(([message, { when, fix }]) => ({
      title: message,
      where: 'Errors',
      id: idFor(message),
      text: `${when} ${fix}`,
    })),
    links: [],
  };
};

/** Groups of the reference: what they are, and where their comments stand. */
const references = (root: string): readonly (readonly [title: string, documented: readonly Documented[]])[] => {
  const source = (file: string): string => resolve(root, 'src', file);
  return [
    ['permutive', membersOf(source('api/publicMethods.ts'), 'PublicMethods')],
    ['Addon kit', exportsOf(source('addonKit/addonKit.ts'))],
    ['Addon', membersOf(source('addons/addon.ts'), 'Addon')],
    ['AddonStreams', membersOf(source('addons/addon.ts'), 'AddonStreams')],
    ['AddonDeps', membersOf(source('addons/addon.ts'), 'AddonDeps')],
    ['AddonCheck', membersOf(source('addonKit/addonCheck.ts'), 'AddonCheck')],
    ['Engine', membersOf(source('engine/engine.ts'), 'Engine')],
  ];
};

/** The reference of the API, from the comments of the code. */
export const apiPart = (root: string): Part => {
  const groups = references(root).map(([title, documented]) => ({ title, documented, id: `api-${idOf(title)}` }));
  return {
    id: 'api',
    title: 'API reference',
    html: [
      '<h2>API reference</h2>',
      ...groups.flatMap(({ title, documented, id }) => [
        `<h3 id="${id}">${title}</h3><div class="wide" tabindex="0"><table><tbody>`,
        ...documented.map(
          ({ name, signature, comment }) =>
            `<tr id="${id}-${idOf(name)}"><td><code>${escaped(name)}</code></td><td>${signature === '' ? '' : `<code>${escaped(signature)}</code><br>`}${withCode(comment)}</td></tr>`,
        ),
        '</tbody></table></div>',
      ]),
    ].join('\n'),
    entries: groups.flatMap(({ title, documented, id }) =>
      documented.map(({ name, comment }): Entry => ({
        title: name,
        where: title,
        id: `${id}-${idOf(name)}`,
        text: comment,
      })),
    ),
    links: groups.map(({ title, id }) => ({ title, id })),
  };
};

/** The page with the table of all addons. */
const addonsPage = 'docs/addons.md';

/** The addons of the project's list: what their page says of them, and what their code does. */
export const galleryPart = (root: string, guides: readonly Guide[]): Part => {
  const page = readFileSync(resolve(root, addonsPage), 'utf8');
  const linkTo = linksOf(
    addonsPage,
    guides.map(({ file }) => file),
  );
  const rows = [...page.matchAll(/^\| (`\w+`(?: · `\w+`)*) \| (.*?) \| (.*?) ?\|$/gm)];
  const addons = Object.entries(addonList).map(([name, { file, exported, startsAtOnce }]) => {
    const [, , what = '', options = ''] = rows.find(([, names = '']) => names.includes(`\`${name}\``)) ?? [];
    return {
      name,
      file,
      what,
      options,
      startsAtOnce,
      comment: declarationOf(resolve(root, file), exported)?.comment ?? '',
    };
  });
  return {
    id: 'addons',
    title: 'Addons',
    html: [
      '<h2>Addons</h2>',
      ...addons.map(({ name, file, what, options, startsAtOnce, comment }) =>
        [
          `<h3 id="addons-${idOf(name)}"><code>${name}</code></h3>`,
          htmlOf(what, 'addons', linkTo),
          `<p>${withCode(comment)}</p>`,
          options === '' ? '' : `<p><b>Options and <code>c</code>:</b></p>${htmlOf(options, 'addons', linkTo)}`,
          `<p><small><code>${file}</code>, ${startsAtOnce === true ? 'in the page script' : 'in the deferred chunk'}</small></p>`,
        ].join('\n'),
      ),
    ].join('\n'),
    entries: addons.map(({ name, what, comment }) => ({
      title: name,
      where: 'Addons',
      id: `addons-${idOf(name)}`,
      text: `${what} ${comment}`.replaceAll('`', ''),
    })),
    links: addons.map(({ name }) => ({ title: name, id: `addons-${idOf(name)}` })),
  };
};
