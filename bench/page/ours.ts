import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { project as sample } from '../../demo/project/project';
import type { Definition } from '../../src/engine/language/language';
import { definitionOf } from '../rules';
import { workload } from '../workload';
import type { Candidate } from './candidates';

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(root, 'build/bench/page');

/** Builds the SDK for a project definition, with source maps for profiles. Answers the folder. */
const build = (name: string, definition: object): string => {
  const out = resolve(folder, name);
  mkdirSync(folder, { recursive: true });
  const file = resolve(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(definition));
  execFileSync('node', ['scripts/build.mjs', '--env', `project=${file}`, '--env', `out=${out}`, '--env', 'maps'], {
    cwd: root,
  });
  return out;
};

/** Our own script with the folder of its chunks and maps. */
export interface Ours extends Candidate {
  readonly dist: string;
}

/** Google's tag, as far as the SDK calls it. */
const googleTag = `window.googletag = { cmd: { push: function (c) { c(); } }, targeting: {}, pubads: function () { return {
        setTargeting: function (k, v) { googletag.targeting[k] = v; if (k === 'permutive' && v.length) { bench.mark('cohorts'); if (v.indexOf('rts') > -1) bench.mark('rts'); } return this; },
        getTargeting: function (k) { return googletag.targeting[k] || []; }, clearTargeting: function () {}, getSlots: function () { return []; },
        addEventListener: function () {}, removeEventListener: function () {} }; } };`;

const candidate = (name: string, dist: string, api: string, hasTag: boolean): Ours => {
  const file = `${sample.workspaceId}-web.js`;
  const config = {
    apiHost: api,
    apiProtocol: 'http',
    cdnBaseUrl: api,
    cdnProtocol: 'http',
    metricsSamplingPercentage: 0,
  };
  const script = readFileSync(resolve(dist, file), 'utf8');
  return {
    name,
    script,
    integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
    dist,
    file,
    before: `${hasTag ? googleTag : ''}
      var p = (window.permutive = { q: [], config: ${JSON.stringify({ ...config, apiKey: sample.apiKey, workspaceId: sample.workspaceId })} });
      ['addon', 'identify', 'track', 'trigger', 'query', 'segment', 'segments', 'ready', 'on', 'once', 'user', 'consent'].forEach(function (name) {
        p[name] = function () { p.q.push({ functionName: name, arguments: Array.prototype.slice.call(arguments) }); };
      });
      permutive.addon('web', { page: { article: { section: 'markets', title: document.title, keywords: ['copper', 'futures'] } } });
      permutive.ready(function () { bench.ready(); });
      permutive.ready(function () { bench.mark('realtime'); }, 'realtime');`,
    track: "permutive.track('Many', { i: i })",
  };
};

/** 1,000 selective cohorts, and one that holds for each reader, so that the ad tag gets something. */
const manyCohorts = (): object => {
  const { rules } = workload({ cohorts: 1000, events: 1, shape: 'selective' });
  const reader: Definition = {
    id: '1',
    q: { event: 'Pageview', is: { gte: 1 } },
    activations: { dfp: { trigger: 'EveryTime' } },
  };
  return {
    ...sample,
    queries: [reader, ...rules.map(definitionOf)],
    activations: {},
    addons: { web: {}, dfp: {} },
  };
};

/**
 * The SDK with 1,000 selective cohorts, with the sample project, and in earlier builds, built only where wanted.
 * `tags`: whether Google's tag is on the page; where both are asked for, the page without it comes first.
 */
export const ours = (
  api: string,
  others: readonly (readonly [name: string, folder: string])[],
  isWanted: (name: string) => boolean,
  tags: 'with' | 'both',
): readonly Ours[] =>
  [
    { name: 'ours, 1,000 cohorts', folder: () => build('many', manyCohorts()) },
    { name: 'ours, sample', folder: () => build('sample', sample) },
    ...others.map(([name, folder]) => ({ name: `ours, ${name}`, folder: () => resolve(root, folder) })),
  ]
    .filter(({ name }) => isWanted(name))
    .flatMap(({ name, folder }) => {
      const dist = folder();
      return tags === 'with'
        ? [candidate(name, dist, api, true)]
        : [candidate(name, dist, api, false), candidate(`${name}, ad tag`, dist, api, true)];
    });
