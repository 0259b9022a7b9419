import { classificationSegment } from '../../src/endpoints/classificationSegment';
import { contextualSegment } from '../../src/endpoints/contextualSegment';
import { type ContextualAnswer, contextualState } from '../../src/endpoints/contextualState';
import type { ApiProject } from './apiProject';
import { type Route, served } from './served';
import { confidenceOf, type Theme, themesOf, wordsOf } from './themes';

const platforms = ['dfp', 'dfp_contextual', 'appnexus_adserver', 'appnexus_adserver_contextual'];

/** Cohorts of the page, not of the visitor: from the words of its URL, and of its properties where those are sent. */
export const contextualRoutes = ({ cohortCodes = {} }: ApiProject): readonly Route[] => {
  const codeOf = ({ cohort, code }: Theme): string => cohortCodes[String(cohort)] ?? code;

  const answer = (words: readonly string[], requires_segmentation: boolean): ContextualAnswer => {
    const themes = themesOf(words);
    const codes = [...new Set(themes.map(codeOf))];
    return {
      activations: Object.fromEntries(platforms.map((platform) => [platform, codes])),
      cohorts: codes,
      contextual_data: {
        classifications: {
          categories: themes.map(({ category }) => ({
            value: category,
            confidence: confidenceOf(category),
            taxonomy: 'iab_3.0',
            provider: 'ibm_watson',
          })),
          keywords: words.map((value) => ({ value, confidence: confidenceOf(value) })),
        },
      },
      requires_segmentation,
    };
  };

  return [
    // A page whose address says nothing has to be looked at.
    served(contextualState, ({ query }) => {
      const words = wordsOf(query.get('url') ?? '');
      return answer(words, themesOf(words).length === 0);
    }),
    served(contextualSegment, ({ body: { url, page_properties } }) => answer(allWordsOf(url, page_properties), false)),
    served(classificationSegment, ({ body: { url, page_properties } }) => ({
      cohorts: themesOf(allWordsOf(url, page_properties)).map((theme) => `clm-${codeOf(theme)}`),
    })),
  ];
};

const allWordsOf = (url: string, properties: unknown): readonly string[] => [
  ...new Set([...wordsOf(url), ...textsIn(properties).flatMap(wordsOf)]),
];

/** The texts of the properties, but not of `client`: its user agent and referrer are no content. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'client' ? [] : textsIn(inner)));
};
