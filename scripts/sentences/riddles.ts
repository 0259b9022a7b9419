import { plainNouns } from './plainNouns';
import type { Paragraph } from './prose';

/** A sentence that a reader cannot understand by itself, and why. */
export interface Riddle {
  readonly sentence: string;
  readonly line: number;
  readonly why: string;
}

/** Pronouns that point out of their sentence where they begin it. */
const pronouns = /^(?:And |But |So |Then )?(?:it|they|he|she|its|their|neither|none of (?:it|them))\b/i;
/** Words that are a determiner before a noun, and a pronoun before anything else. */
const pointers = /^(?:And |But |So )?(?:this|that|these|those|both)\b[ ,]*(\S*)/i;
/** Words that no noun is: where one follows a pointer, the pointer is a pronoun. */
const noNoun =
  /^(?:is|are|was|were|has|have|had|does|do|did|can|may|must|will|would|could|should|of|in|on|at|by|for|to|from|with|without|where|when|whose|which|that|the|a|an|not|also|only|goes|go|comes|come|makes|make|takes|take|keeps|keep|costs|cost|holds|hold|needs|need|gives|give|says|say|lets|means|mean|happens|stands|stand|ends|end|begins|begin|ran|runs|run|leaves|leave|finds|find|shows|show|saves|counts|count|cannot|stay|stays|belongs|belong|beside|above|below|alone|too|way|before|after)\b|^$/i;

/** Phrases of comments that say what kind of stream, function or number something is. */
const stockPhrase =
  /^(?:(?:Hot|Cold|State|Pure|Hot while anyone listens)\b[^.]{0,24}|Ms since 1970|(?:Never|Always) \w+|(?:Emits|Answers|Completes|Returns) (?:once|nothing|at once)|(?:In ms|From 0 to \d+)\b[^.]{0,16})\.?$/;

/** The sentences of a paragraph. A full stop in code, in an abbreviation or before a small letter ends none. */
export const sentencesOf = (text: string): readonly string[] =>
  text
    .replace(/`[^`]*`/g, (code) => code.replaceAll(' ', '\u00a0'))
    .split(/(?<=[.!?][)»"”]?) +(?=[A-Z«`([])/)
    .map((sentence) => sentence.replaceAll('\u00a0', ' '))
    .filter((sentence) => /\w/.test(sentence));

/** The words of a sentence in lower case; names in code and names with capitals are marked by `#`. */
const wordsOf = (sentence: string): readonly string[] =>
  sentence
    .replace(/`[^`]*`|«[^»]*»|\[[^\]]*\]\([^)]*\)/g, ' # ')
    .replace(/(?<=\S )[A-Z]\w+|\b[A-Z]\w*[A-Z§]\S*|\b\w+[A-Z]\w*|\$/g, '#')
    .toLowerCase()
    .match(/#|[a-z]+(?:-[a-z]+)*/g) ?? [];

/** The singular forms that a word may have. */
const singulars = (word: string): readonly string[] => [
  word,
  word.replace(/s$/, ''),
  word.replace(/es$/, ''),
  word.replace(/ies$/, 'y'),
  word.replace(/^.*-/, '').replace(/s$/, ''),
];

/**
 * The sentences of a paragraph that begin with a pronoun, or that have no noun of the glossary or of the plain nouns.
 */
export const riddlesOf = ({ text, line }: Paragraph, glossary: ReadonlySet<string>): readonly Riddle[] =>
  sentencesOf(text).flatMap((sentence) => {
    if (stockPhrase.test(sentence) || !/[a-z]{3}/.test(sentence) || sentence.startsWith('eslint-')) return [];
    const [, next] = pointers.exec(sentence) ?? [];
    if (pronouns.test(sentence) || (next !== undefined && noNoun.test(next.replace(/[.,:;]$/, ''))))
      return [{ sentence, line, why: 'begins with a pronoun' }];
    const hasNoun = wordsOf(sentence).some(
      (word) => word === '#' || singulars(word).some((form) => glossary.has(form) || plainNouns.has(form)),
    );
    return hasNoun ? [] : [{ sentence, line, why: 'has no noun of the glossary' }];
  });
