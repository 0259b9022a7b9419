import { escaped, idOf } from './html';

/** A heading of a page. */
export interface Heading {
  readonly level: number;
  readonly title: string;
  readonly id: string;
}

/** How addresses in a text become those of the page. */
type LinkTo = (address: string) => string;

/**
 * Markdown as HTML, as far as the project's own pages use it: headings, paragraphs, lists, tables, code and links.
 * `scope` comes before the ids of headings, because several texts stand on one page.
 */
export const htmlOf = (markdown: string, scope: string, linkTo: LinkTo): string => {
  const lines = markdown.split('\n');
  const blocks: string[] = [];
  for (let at = 0; at < lines.length;) {
    const { html, length } = blockAt(lines, at, scope, linkTo);
    blocks.push(html);
    at += length;
  }
  return blocks.join('\n');
};

/** The headings of a text, in its order. Lines of code that begin like one are none. */
export const headingsOf = (markdown: string, scope: string): readonly Heading[] =>
  [...markdown.replace(/```[\s\S]*?```/g, '').matchAll(/^(#+) (.*)$/gm)].map(([, signs = '', title = '']) => ({
    level: signs.length,
    title: title.replaceAll('`', ''),
    id: `${scope}-${idOf(title)}`,
  }));

interface Block {
  readonly html: string;
  /** Lines that the block takes. */
  readonly length: number;
}

const blockAt = (lines: readonly string[], at: number, scope: string, linkTo: LinkTo): Block => {
  const line = lines[at] ?? '';
  const inline = (text: string): string => inlineHtml(text, linkTo);
  /** The lines from here on, as long as they are of the same block. */
  const run = (belongs: (line: string) => boolean): readonly string[] => {
    const end = lines.findIndex((next, i) => i > at && !belongs(next));
    return lines.slice(at, end === -1 ? undefined : end);
  };
  if (line.trim() === '' || line.startsWith('<!--')) return { html: '', length: 1 };
  const heading = /^(#+) (.*)$/.exec(line);
  if (heading) {
    const [, signs = '', title = ''] = heading;
    const level = Math.min(6, signs.length + 1);
    return { html: `<h${level} id="${scope}-${idOf(title)}">${inline(title)}</h${level}>`, length: 1 };
  }
  if (line.startsWith('```')) {
    const code = run((next) => !next.startsWith('```')).slice(1);
    return { html: `<pre><code>${escaped(code.join('\n'))}</code></pre>`, length: code.length + 2 };
  }
  if (line.startsWith('|')) {
    const rows = run((next) => next.startsWith('|'));
    return { html: tableHtml(rows, inline), length: rows.length };
  }
  const item = /^(- |\d+\. )/;
  if (item.test(line)) {
    const items = run((next) => item.test(next) || /^ {2,}\S/.test(next));
    const texts = items.reduce<readonly string[]>(
      (list, next) =>
        item.test(next) ? [...list, next.replace(item, '')] : [...list.slice(0, -1), `${list.at(-1)} ${next.trim()}`],
      [],
    );
    const tag = line.startsWith('-') ? 'ul' : 'ol';
    return {
      html: `<${tag}>${texts.map((text) => `<li>${inline(text)}</li>`).join('')}</${tag}>`,
      length: items.length,
    };
  }
  const paragraph = run((next) => next.trim() !== '' && !/^(```|\||#+ )/.test(next));
  return { html: `<p>${inline(paragraph.join(' '))}</p>`, length: paragraph.length };
};

/** A table; `\|` in a cell is no border, nor is a bar in code. */
const tableHtml = (rows: readonly string[], inline: (text: string) => string): string => {
  const cellsOf = (row: string): readonly string[] =>
    row
      .replaceAll('\\|', '\u0000')
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => inline(cell.trim().replaceAll('\u0000', '|')));
  const [head = '', , ...body] = rows;
  const row = (tag: 'th' | 'td', text: string): string =>
    `<tr>${cellsOf(text)
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join('')}</tr>`;
  return `<div class="wide"><table><thead>${row('th', head)}</thead><tbody>${body.map((text) => row('td', text)).join('')}</tbody></table></div>`;
};

/** Code is taken out first, because nothing in it is markup. HTML that the pages write, such as entities, is kept. */
const inlineHtml = (text: string, linkTo: LinkTo): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part, i) => {
      if (i % 2 === 1) return `<code>${escaped(part.slice(1, -1))}</code>`;
      return escaped(part)
        .replace(/&lt;(\/?code)&gt;/g, '<$1>')
        .replace(/&amp;(#?\w+;)/g, '&$1')
        .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
        .replace(/\*([^*]+)\*/g, '<em>$1</em>');
    })
    .join('')
    .replace(
      /\[((?:[^[\]]|<code>[^<]*<\/code>)+)\]\(([^)]+)\)/g,
      (_, label: string, address: string) => `<a href="${linkTo(address)}">${label}</a>`,
    );
