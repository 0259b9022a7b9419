import { type Codec, DecodeError, readAs } from '../codecs/codecs';
import { type Json, NoJson } from '../hardening/json';
import { LogHeader, LogLine } from './logEntry';

/** A log as it was recorded. */
export interface ParsedLog {
  readonly header: LogHeader;
  readonly lines: readonly LogLine[];
}

/** Reads a log. Throws an error that names the first line that is wrong, and what was expected there. */
export const parseLog = (text: string, json: Json): ParsedLog => {
  const [first = '', ...others] = text.split('\n');
  return {
    header: decodeLine(LogHeader, first, 1, json),
    lines: others.flatMap((line, i) => (line === '' ? [] : [decodeLine(LogLine, line, i + 2, json)])),
  };
};

const decodeLine = <A>(codec: Codec<A>, line: string, number: number, json: Json): A => {
  const parsed = json.parse(line);
  const read = parsed === NoJson ? new Error('(root): expected JSON') : readAs(codec, parsed);
  if (read instanceof DecodeError || read instanceof Error)
    throw new Error(`Line ${number} of the log: ${read.message}`);
  return read;
};
