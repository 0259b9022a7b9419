import { createHighlighterCoreSync } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import html from 'shiki/langs/html.mjs';
import javascript from 'shiki/langs/javascript.mjs';
import json from 'shiki/langs/json.mjs';
import nginx from 'shiki/langs/nginx.mjs';
import tsx from 'shiki/langs/tsx.mjs';
import typescript from 'shiki/langs/typescript.mjs';
import dark from 'shiki/themes/github-dark-high-contrast.mjs';
import light from 'shiki/themes/github-light-high-contrast.mjs';

const highlighter = createHighlighterCoreSync({
  engine: createJavaScriptRegexEngine(),
  langs: [html, javascript, json, nginx, tsx, typescript],
  themes: [dark, light],
});

/**
 * Code of a language as HTML, in colours that follow the page's colour scheme by themselves. Code without a language is
 * an empty text: the caller shows such code as it is. Throws for a language that is not loaded here.
 */
export const coloured = (code: string, language: string): string =>
  language === ''
    ? ''
    : highlighter.codeToHtml(code, {
        lang: language,
        themes: { light: light.name ?? '', dark: dark.name ?? '' },
        defaultColor: 'light-dark()',
        // Without a limit of time, the colours are the same on a slow machine.
        tokenizeTimeLimit: 0,
      });
