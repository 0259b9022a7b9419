import type { CDPSession } from 'playwright-core';

/** The parts of a heap snapshot that are read here. Numbers of all nodes stand one after the other, as `meta` says. */
type Snapshot = {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
};
const kinds = new Set(['object', 'closure', 'array', 'object shape', 'regexp']);

/**
 * Bytes of the objects, functions and lists that the scripts of a page hold. Compiled code is not counted, nor are
 * texts: the browser and its developer tools keep the bodies of requests, the more of them the busier the machine is.
 */
export const scriptBytes = async (devtools: CDPSession): Promise<number> => {
  const chunks: string[] = [];
  const add = ({ chunk }: { readonly chunk: string }): void => {
    chunks.push(chunk);
  };
  devtools.on('HeapProfiler.addHeapSnapshotChunk', add);
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  devtools.off('HeapProfiler.addHeapSnapshotChunk', add);
  const {
    snapshot: { meta },
    nodes,
  } = JSON.parse(chunks.join('')) as Snapshot;
  const type = meta.node_fields.indexOf('type');
  const size = meta.node_fields.indexOf('self_size');
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += meta.node_fields.length)
    if (kinds.has(meta.node_types[0][nodes[at + type]!]!)) bytes += nodes[at + size]!;
  return bytes;
};
