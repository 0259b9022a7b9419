import { affinity } from '../../src/endpoints/affinity';
import { watson } from '../../src/endpoints/watson';
import { hashOf } from './hash';
import { type Route, served } from './served';
import { confidenceOf, themesOf, wordsOf } from './themes';

const pleased =
  'best boost growth gain gains good great guide happy improve joy love opportunity profit profits record rise save smart strong success thrive upbeat win wins'.split(
    ' ',
  );
const troubled =
  'attack bad bankruptcy cost crash crisis cuts danger death decline disaster fall falls fear flood floods fraud loss losses phishing ransomware risk slump strike threat war wildfire'.split(
    ' ',
  );

export const classificationRoutes: readonly Route[] = [
  served(watson, ({ body: { url } }) => {
    const words = wordsOf(url);
    const labels = themesOf(words).flatMap((theme) => theme.labels);
    const score = count(words, pleased) - count(words, troubled);
    return {
      concepts: termsOf(labels.map((label) => label.slice(label.lastIndexOf('/') + 1))),
      emotion: { document: { emotion: emotionOf(url, score) } },
      sentiment: {
        document: {
          label: score > 0 ? 'positive' : score < 0 ? 'negative' : 'neutral',
          score: Math.max(-1, Math.min(1, score * 0.4)),
        },
      },
      entities: termsOf(siteOf(url)),
      keywords: termsOf(words),
      taxonomy: [...new Set(labels)].slice(0, 5).map((label) => ({ label, score: confidenceOf(`${url} ${label}`) })),
    };
  }),
  served(affinity, ({ query }) => {
    const url = query.get('url') ?? '';
    return {
      affinity_values: Object.fromEntries(
        themesOf(wordsOf(url)).map(({ cohort }) => [String(cohort), confidenceOf(`${url} ${cohort}`)]),
      ),
    };
  }),
];

const count = (words: readonly string[], list: readonly string[]): number =>
  words.filter((word) => list.includes(word)).length;

const termsOf = (texts: readonly string[]): { text: string; relevance: number }[] =>
  [...new Set(texts)].slice(0, 10).map((text) => ({ text, relevance: confidenceOf(text) }));

/** The one name that any page has is its publisher's. */
const siteOf = (url: string): readonly string[] =>
  URL.canParse(url) ? new URL(url).hostname.split('.').slice(-2, -1) : [];

const emotionOf = (url: string, score: number): Record<string, number> => {
  const strength = (emotion: string, lean: number): number =>
    Math.round(Math.max(0.01, Math.min(0.95, 0.1 + lean * 0.3 + (hashOf(`${url} ${emotion}`) % 100) / 500)) * 100) /
    100;
  return {
    anger: strength('anger', -score),
    disgust: strength('disgust', 0),
    fear: strength('fear', -score),
    joy: strength('joy', score),
    sadness: strength('sadness', -score),
  };
};
