import { json } from '../model/plainJson';
import { trusted } from './trustedTypes';

/**
 * Starts a worker of these scripts. Throws where the browser or the page's policy refuses.
 * Workers must be of the page's own origin. A Blob is, and it imports the scripts from wherever the bundle lives.
 */
export const openWorker = (scriptUrls: readonly string[]): Worker => {
  const blobUrl = URL.createObjectURL(new Blob([workerSource(scriptUrls)], { type: 'text/javascript' }));
  try {
    return new Worker(trusted('createScriptURL', blobUrl));
  } finally {
    // The worker has its own hold on the Blob by now.
    URL.revokeObjectURL(blobUrl);
  }
};

/** Imports the scripts, in order and fetched side by side, and leaves their folder for the worker's own chunks. */
const workerSource = (urls: readonly string[]): string => {
  const [first = ''] = urls;
  const base = first.slice(0, first.lastIndexOf('/') + 1);
  return `var u=${json.stringify(urls)};self.permutiveBase=${json.stringify(base)};
if(self.trustedTypes){${trustedImport}}else importScripts.apply(self,u)`;
};

/** A page's policy holds in its workers too: each address must come from a policy. */
const trustedImport =
  'var p=trustedTypes.createPolicy("permutive",{createScriptURL:function(x){return u.indexOf(x)<0?"":x}});' +
  'importScripts.apply(self,u.map(function(x){return p.createScriptURL(x)}))';
