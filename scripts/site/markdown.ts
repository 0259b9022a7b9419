import MarkdownIt, { type Token } from 'markdown-it';

import { coloured } from './colours';
import { idOf } from './html';

/** A heading of a page. */
export interface Heading {
  readonly level: number;
  readonly title: string;
  readonly id: string;
  /** The source between this heading and the next one. */
  readonly body: string;
}

/** How addresses in a text become those of the page. */
type LinkTo = (address: string) => string;

const markdownIt = new MarkdownIt({
  highlight: coloured,
});
markdownIt.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
// The site is one file: its pictures stand in the repository, and here are their words.
markdownIt.renderer.rules['image'] = (tokens, i) =>
  `<em>Picture: ${markdownIt.utils.escapeHtml(tokens[i]?.content ?? '')}</em>`;
markdownIt.renderer.rules['table_close'] = () => '</table></div>\n';

/** The text without comments: what they mark is for scripts. */
const prepared = (markdown: string): string => markdown.replace(/^<!--.*-->$/gm, '');

const titleOf = (heading: Token): string => (heading.children ?? []).map(({ content }) => content).join('');

/**
 * Markdown as HTML. `scope` comes before the ids of headings, because several texts stand on one page. Headings are one
 * level lower than in the text. HTML in the text is shown as it is written.
 */
export const htmlOf = (markdown: string, scope: string, linkTo: LinkTo): string => {
  const tokens = markdownIt.parse(prepared(markdown), {});
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', `${scope}-${idOf(titleOf(tokens[i + 1]!))}`);
    if (token.type.startsWith('heading_')) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`;
    // A column without a name has no heading.
    if (token.type === 'th_open' && tokens[i + 1]!.content === '') token.tag = tokens[i + 2]!.tag = 'td';
    for (const child of token.children ?? [])
      if (child.type === 'link_open') child.attrSet('href', linkTo(String(child.attrGet('href'))));
  }
  // A part that scrolls takes the focus of the keyboard, as code in colours does already.
  return markdownIt.renderer.render(tokens, markdownIt.options, {}).replaceAll('<pre>', '<pre tabindex="0">').trim();
};

/** The headings of a text, in its order. Lines of code that begin like one are none. */
export const headingsOf = (markdown: string, scope: string): readonly Heading[] => {
  const text = prepared(markdown);
  const lines = text.split('\n');
  const tokens = markdownIt.parse(text, {});
  const headings = tokens.flatMap((token, i) =>
    token.type === 'heading_open'
      ? [{ level: Number(token.tag.slice(1)), title: titleOf(tokens[i + 1]!), lines: token.map ?? [0, 0] }]
      : [],
  );
  return headings.map(({ level, title, lines: [, end] }, i) => ({
    level,
    title,
    id: `${scope}-${idOf(title)}`,
    body: lines.slice(end, headings[i + 1]?.lines[0]).join('\n'),
  }));
};
