import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/** The address of the page to classify. */
export const WatsonRequest = t.strict({ url: t.string, classify: t.literal(true) }, 'WatsonRequest');

/** A word or phrase of the content, and how much of the content is about it. */
const Term = t.type({ text: t.string, relevance: t.number }, 'Term');
const Terms = t.union([t.readonlyArray(Term), t.null]);
const Emotion = t.type({ document: t.type({ emotion: t.record(t.string, t.number) }) }, 'Emotion');
const Sentiment = t.type({ document: t.type({ label: t.string, score: t.number }) }, 'Sentiment');
const Label = t.type({ label: t.string, score: t.number }, 'Label');

/**
 * What a page is about. Any part may be null or missing, because the classifier cannot give each part in each language.
 * Labels of the taxonomy are paths such as `/a/b`.
 */
export const WatsonAnswer = t.partial(
  {
    concepts: Terms,
    emotion: t.union([Emotion, t.null]),
    sentiment: t.union([Sentiment, t.null]),
    entities: Terms,
    keywords: Terms,
    taxonomy: t.union([t.readonlyArray(Label), t.null]),
  },
  'WatsonAnswer',
);
export type WatsonAnswer = Readonly<t.TypeOf<typeof WatsonAnswer>>;

/** POST /v2.0/watson : classifies the content of a page (spec S§7). */
export const watson = endpointOf({
  method: 'POST',
  path: '/{apiVersion}/watson',
  body: WatsonRequest,
  answer: WatsonAnswer,
});
