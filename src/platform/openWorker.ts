import { json } from '../model/plainJson';
import { trusted } from './trustedTypes';

/**
 * Starts a worker that runs these scripts in order. Throws where the browser or the page's policy refuses it. Browsers
 * accept only workers of the page's own origin: a Blob is of that origin, and imports the scripts from the bundle's
 * origin.
 */
export const openWorker = (scriptUrls: readonly string[]): Worker => {
  const blobUrl = URL.createObjectURL(new Blob([workerSource(scriptUrls)], { type: 'text/javascript' }));
  try {
    return new Worker(trusted('createScriptURL', blobUrl));
  } finally {
    // The worker keeps the Blob from here on, so its address can go.
    URL.revokeObjectURL(blobUrl);
  }
};

/**
 * Source of the worker: it imports the scripts, which are fetched side by side and run in order, and keeps the address
 * of their folder for the worker's own chunks.
 */
const workerSource = (urls: readonly string[]): string => {
  const [first = ''] = urls;
  const base = first.slice(0, first.lastIndexOf('/') + 1);
  return `var u=${json.stringify(urls)};self.permutiveBase=${json.stringify(base)};
if(self.trustedTypes){${trustedImport}}else importScripts.apply(self,u)`;
};

/**
 * Imports the scripts where trusted types are required. The page's policy holds in its workers too, so each address
 * must come from a policy; this one allows the given addresses only.
 */
const trustedImport =
  'var p=trustedTypes.createPolicy("permutive",{createScriptURL:function(x){return u.indexOf(x)<0?"":x}});' +
  'importScripts.apply(self,u.map(function(x){return p.createScriptURL(x)}))';
