import type { CheckElement, PageElement } from './natives/checkElement';
import { brokenNative } from './natives/probes/probes';
import { brokenPromise } from './natives/probes/promises';
import { stayOut } from './natives/stayOut';
import { scriptElement } from './platform/scriptElement';

/** Runs the page script again, by an element with what the page has given the first one. */
const startAgain = (first: HTMLScriptElement): void => {
  const { src: url, integrity } = first;
  const again: PageElement = scriptElement(document, first, { url, integrity });
  again.areNativesChecked = true;
  again.referrerPolicy = first.referrerPolicy;
  if (integrity !== '') again.crossOrigin = first.crossOrigin;
  document.head.appendChild(again);
};

/** Checks the natives, and starts the page script again or says which does not work. */
const main = (): void => {
  const check = document.currentScript as CheckElement | null;
  // An element that hides this member of the document is none of ours.
  if (!(check instanceof HTMLScriptElement)) throw new Error('The page hides the script');
  const broken = brokenNative();
  const act = (native: string | undefined): void => {
    if (native === undefined) startAgain(check.pageScript);
    else stayOut(native, window);
  };
  if (broken === undefined) brokenPromise((step, ms) => window.setTimeout(step, ms), act);
  else act(broken);
};

try {
  main();
} catch (error) {
  console.warn('Permutive was not initialized. Exception during initialisation. Got', error);
}
