import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Frame } from 'playwright-core';

import { json } from '../../../src/hardening/plainJson';
import { parseLog } from '../../../src/inspector/parseLog';
import { framesAt } from './frames';
import { until } from './until';
import type { Visitor } from './visitor';

/**
 * The IAB's stub for the TCF: with it the page has a locator, and a relay of messages to the platform. Version 1.5.21
 * forgets who has asked before the platform answers, so that this is 1.5.15.
 */
export const tcfStub = readFileSync(
  resolve(__dirname, '../../../node_modules/@iabtechlabtcf/stub/lib/stub.js'),
  'utf8',
);

/** The frame by which a script in a frame finds the platform. */
export const locator = (name: string): string => `<iframe name="${name}Locator" hidden></iframe>`;

/** The relay that the IAB describes for GPP and US Privacy: calls of frames go to the platform of this window. */
const relay = (name: string, ask: string): string => `
addEventListener('message', ({ data, source }) => {
  const isText = typeof data === 'string';
  let message = data;
  try { if (isText) message = JSON.parse(data); } catch { return; }
  const call = message && message.${name}Call;
  if (!call) return;
  const callback = (returnValue, success) => {
    const answer = { ${name}Return: { returnValue, success, callId: call.callId } };
    source.postMessage(isText ? JSON.stringify(answer) : answer, '*');
  };
  ${ask}
});`;

/** A platform of GPP, as the IAB describes it. `decide` is the visitor's answer, `listeners` are those it tells. */
export const gppPlatform = `${locator('__gpp')}<script>
var listeners = new Map(), nextId = 1, signal = null;
function event(listenerId, eventName, data) {
  return { eventName, listenerId, data, pingData: {
    gppVersion: '1.1', cmpStatus: 'loaded', cmpDisplayStatus: signal ? 'hidden' : 'visible',
    signalStatus: signal ? 'ready' : 'not ready', supportedAPIs: ['7:usnat'], cmpId: 30, sectionList: [7],
    applicableSections: [7], gppString: 'DBABLA~BVQVAAAAAg', parsedSections: signal ? { usnat: [signal] } : {},
  } };
}
function __gpp(command, callback, parameter) {
  if (command === 'ping') callback(event(0, 'ping', null).pingData, true);
  if (command === 'addEventListener') {
    const id = nextId++;
    listeners.set(id, callback);
    callback(event(id, 'listenerRegistered', true), true);
  }
  if (command === 'removeEventListener') callback(listeners.delete(parameter), true);
}
function decide(section) {
  signal = section;
  listeners.forEach((callback, id) => callback(event(id, 'signalStatus', 'ready'), true));
}
${relay('__gpp', '__gpp(call.command, callback, call.parameter, call.version);')}
</script>`;

/** A platform of US Privacy, whose visitor has given this string. */
export const uspPlatform = (uspString: string): string => `${locator('__uspapi')}<script>
function __uspapi(command, version, callback) {
  callback({ version: 1, uspString: '${uspString}' }, command === 'getUSPData' && version === 1);
}
${relay('__uspapi', '__uspapi(call.command, call.version, callback);')}
</script>`;

/** A frame with the site's blank page. */
export const framedPage = (origin: string): string => `<iframe src="${origin}/blank"></iframe>`;

/** The frame with the SDK, however deep it is. */
export const framedTab = ({ page }: Visitor): Promise<Frame> =>
  until(async () => (await framesAt(page, (address) => address.endsWith('/blank')))[0], 'the frame of the SDK');

/** What a stream of the frame's SDK has emitted so far, as its recording has it. */
export const emitted = async (frame: Frame, stream: string): Promise<readonly unknown[]> => {
  await frame.waitForFunction('typeof permutive === "object" && "recording" in permutive');
  const text: string = await frame.evaluate('permutive.recording()');
  return parseLog(text, json)
    .lines.filter(({ type }) => type === stream)
    .map(({ data }) => (data as { readonly value: unknown }).value);
};

/** Waits until a stream of the frame's SDK has emitted so many values. */
export const untilEmitted = (frame: Frame, stream: string, count: number): Promise<readonly unknown[]> =>
  until(async () => {
    const values = await emitted(frame, stream);
    return values.length >= count ? values : undefined;
  }, `${count} of ${stream}`);
