import { ownFields } from '../hardening/ownFields';
import type { BundleFile } from './bundleFiles';

/** The files that a worker starts with: definitions, and the engine, which finds its other parts itself. */
export type WorkerFiles = Readonly<Record<'queries' | 'engine', BundleFile>>;

/**
 * Starts a worker that runs the definitions and the engine. Throws where the browser or the page's policy refuses it.
 * Browsers accept only workers of the page's own origin: a Blob is of that origin, and fetches the files from the
 * bundle's origin. `addressOf`: makes the address one that the page's policy takes.
 */
export const openWorker = (files: WorkerFiles, addressOf: (url: string) => string): Worker => {
  const blobUrl = URL.createObjectURL(new Blob([workerSource(files)], ownFields({ type: 'text/javascript' })));
  try {
    return new Worker(addressOf(blobUrl));
  } finally {
    // The worker keeps the Blob from here on, so its address can go.
    URL.revokeObjectURL(blobUrl);
  }
};

/**
 * The files as the source of an object. Addresses are escaped as those of a web page are, because a page may have
 * changed what JSON does with texts.
 */
const filesSource = (files: WorkerFiles): string =>
  Object.entries(files)
    .map(([name, { url, integrity }]) => `${name}:{url:decodeURI("${encodeURI(url)}"),integrity:"${integrity}"}`)
    .join(',');

/**
 * Source of the worker. `permutiveLoad` runs files in order, and `permutiveEngine` is the file of the engine, by which
 * the engine finds its other parts. Pinned files are fetched, which the browser refuses where their content is another
 * than the build's, and run from Blobs: `importScripts` of their addresses would fetch them again, unchecked. The
 * definitions are read as data instead, because browsers keep the source of what they have run. Other files are
 * imported from their addresses, which needs no CORS. What the page posts before the engine runs is kept for it. An
 * error is thrown in a task of its own, because the page hears of no rejected promise.
 *
 * The page's policy holds in its workers too, so where it requires trusted types, each address must come from a policy;
 * this one accepts the address that is run now only.
 */
const workerSource = (files: WorkerFiles): string => `let f={${filesSource(files)}},q=[],u,
p=self.trustedTypes&&trustedTypes.createPolicy("permutive",{createScriptURL:x=>x===u?x:""}),
keep=e=>q.push(e.data),
own=x=>(u=x,p?p.createScriptURL(x):x),
data=t=>{self.permutiveQueries=JSON.parse(t.slice(t.indexOf("{")))},
load=self.permutiveLoad=async files=>{
if(!files[0].integrity)return importScripts(...files.map(x=>own(x.url)));
let all=await Promise.all(files.map(x=>
fetch(x.url,{integrity:x.integrity,credentials:"omit"}).then(r=>x===f.queries?r.text().then(data):r.blob())));
for(let b of all)if(b){
let x=URL.createObjectURL(new Blob([b],{type:"text/javascript"}));importScripts(own(x));URL.revokeObjectURL(x)
}};
self.permutiveEngine=f.engine;
addEventListener("message",keep);
load([f.queries,f.engine]).then(()=>{removeEventListener("message",keep);
for(let d of q)dispatchEvent(new MessageEvent("message",{data:d}))
}).catch(e=>setTimeout(()=>{throw e}))`;
