import type { HttpAnswer } from '../platform/platform';

/** An answer as JSON has it: binary bodies in base 64. */
export type AnswerData = Omit<HttpAnswer, 'body'> & ({ readonly body: string } | { readonly base64: string });

export const answerData = ({ body, ...answer }: HttpAnswer): AnswerData =>
  typeof body === 'string'
    ? { ...answer, body }
    : { ...answer, base64: btoa(Array.from(new Uint8Array(body), (byte) => String.fromCharCode(byte)).join('')) };

/** The answer of such data. */
export const answerOf = (data: AnswerData): HttpAnswer => {
  if ('body' in data) return data;
  const { base64, ...answer } = data;
  return { ...answer, body: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer };
};
