import { windowKey } from '@project/settings';

import type { HandOver } from './handOver';
import type { CheckElement, WaitingElement } from './natives/checkElement';
import { brokenNative } from './natives/probes/probes';
import { brokenPromise } from './natives/probes/promises';
import { stayOut, type Tag } from './natives/stayOut';
import { scriptElement } from './platform/scriptElement';

/** Runs the script that waits again, by an element with what the first one has. */
const startAgain = (first: WaitingElement): void => {
  const { src: url, integrity } = first;
  const again: WaitingElement = scriptElement(document, first, { url, integrity });
  again.areNativesChecked = true;
  again.handOver = first.handOver;
  again.referrerPolicy = first.referrerPolicy;
  if (integrity !== '') again.crossOrigin = first.crossOrigin;
  document.head.appendChild(again);
};

/** Keeps the SDK out of the page, whose tag the gate may have taken. */
const keepOut = (native: string, { handOver }: WaitingElement): void => {
  const taken = handOver as HandOver | undefined;
  // Nothing is kept for a next page on which nothing starts either.
  taken?.begin();
  taken?.waitFor(undefined);
  taken?.workers.close();
  const tag = taken?.tag ?? (window as unknown as Record<string, Tag | undefined>)[windowKey];
  // A second script on the page finds the tag taken.
  if (taken === undefined && tag?.version !== undefined) return;
  stayOut(native, tag, window);
};

/** Checks the natives, and starts the script that waits again or says which native does not work. */
const main = (): void => {
  const check = document.currentScript as CheckElement | null;
  // An element that hides this member of the document is none of ours.
  if (!(check instanceof HTMLScriptElement)) throw new Error('The page hides the script');
  const broken = brokenNative();
  const act = (native: string | undefined): void => {
    if (native === undefined) startAgain(check.waiting);
    else keepOut(native, check.waiting);
  };
  if (broken === undefined) brokenPromise((step, ms) => window.setTimeout(step, ms), act);
  else act(broken);
};

try {
  main();
} catch (error) {
  console.warn('Permutive was not initialized. Exception during initialisation. Got', error);
}
