import { createReadStream } from 'node:fs';
import { setImmediate as pause } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';

import { visitLine } from '../../../project/visits/visits';
import type { VisitStore } from './visitStore';

/** What was read of a file of visits. */
export interface FileReading {
  readonly lines: number;
  /** Lines that are no events, and what is wrong with the first one. */
  readonly wrong: number;
  readonly firstWrong: string | undefined;
}

/** How long the thread may read without a look at calls, in ms. */
const sliceMs = 30;
const newLine = 10;
/** Bytes of a line at most. A small compressed file may hold a line that has no end. */
const maxLine = 16 * 1024 * 1024;

/** Adds the event of a line to a store. Answers what is wrong with the line; undefined where nothing is. */
export const addLine = (store: VisitStore, bytes: Uint8Array): string | undefined => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  if (text.trim() === '') return undefined;
  const line = visitLine(text);
  if (line.type === 'wrong') return line.wrong;
  if (line.type === 'other') return undefined;
  const { event, visitor } = line;
  const isRecorded = !text.includes('"user_id"');
  // A line of a recording has more around its event.
  const own = isRecorded ? Buffer.from(JSON.stringify(event)) : bytes;
  store.add({ visitor, name: event.name, time: event.time, text: own });
  return undefined;
};

/**
 * Reads a file of visits line by line into a store: a recording of the inspector, or one event a line; compressed where
 * its name ends with `.gz`. Lines that are wrong are counted. Rejects where the file cannot be read.
 */
export const readVisitFile = async (file: string, store: VisitStore, stop: AbortSignal): Promise<FileReading> => {
  const source = createReadStream(file, { highWaterMark: 1024 * 1024 });
  const stream = file.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  source.once('error', (error) => stream.destroy(error));
  let [lines, wrong] = [0, 0];
  // The parts of a line whose end has not come yet, and their length.
  let [rest, length]: [Buffer[], number] = [[], 0];
  let firstWrong: string | undefined;
  let began = performance.now();
  const take = (bytes: Uint8Array): void => {
    lines++;
    const fault = addLine(store, bytes);
    if (fault === undefined) return;
    wrong++;
    firstWrong ??= `line ${lines} ${fault}`;
  };
  for await (const read of stream as AsyncIterable<Buffer>) {
    rest.push(read);
    length += read.length;
    if (!read.includes(newLine)) {
      if (length > maxLine) throw new Error(`line ${lines + 1} is longer than 16 MB`);
      continue;
    }
    const bytes = Buffer.concat(rest);
    let start = 0;
    for (let end = bytes.indexOf(newLine); end >= 0; end = bytes.indexOf(newLine, start)) {
      take(bytes.subarray(start, end));
      start = end + 1;
      if (performance.now() - began < sliceMs) continue;
      await pause();
      began = performance.now();
      if (stop.aborted) return { lines, wrong, firstWrong };
    }
    [rest, length] = [[bytes.subarray(start)], bytes.length - start];
  }
  if (length > 0) take(Buffer.concat(rest));
  return { lines, wrong, firstWrong };
};
