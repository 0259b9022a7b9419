import { tagMethods } from '../../src/api/tagMethods';

/** The forms of the tag that publishers have on their pages: the present one and three older ones. */
export const tagForms = ['workspace', 'project', 'short', 'queue'] as const;
export type TagForm = (typeof tagForms)[number];

export interface TagSettings {
  readonly form: TagForm;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly config: Readonly<Record<string, string | number | boolean>>;
}

/** JSON that may stand inside a script element. */
export const inScript = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');

const stubs = `for (var names = ${inScript(tagMethods)}, i = 0; i < names.length; i++) (function (name) {
    e[name] = function () { e.q.push({ functionName: name, arguments: Array.prototype.slice.call(arguments) }); };
  })(names[i]);`;

const viewId = `var c = window.crypto || window.msCrypto;
  if (c) e.config.viewId = '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, function (d) {
    return (d ^ (c.getRandomValues(new Uint8Array(1))[0] & (15 >> (d / 4)))).toString(16);
  });`;

const forms: Readonly<Record<TagForm, (settings: TagSettings) => string>> = {
  workspace: ({ apiKey, workspaceId, config }) => `!function (e, key, workspaceId, config) {
  if (e) return;
  e = window.permutive = {};
  e.q = [];
  e.config = config || {};
  e.config.apiKey = key;
  e.config.workspaceId = workspaceId;
  e.config.environment = e.config.environment || 'production';
  ${viewId}
  ${stubs}
}(window.permutive, ${inScript(apiKey)}, ${inScript(workspaceId)}, ${inScript(config)});`,

  project: ({ apiKey, workspaceId, config }) => `!function (d, e, projectId, key, config) {
  if (e) return;
  e = window.permutive = {};
  e.q = [];
  e.config = config || {};
  e.config.projectId = projectId;
  e.config.apiKey = key;
  e.config.environment = e.config.environment || 'production';
  ${stubs}
}(document, window.permutive, ${inScript(workspaceId)}, ${inScript(apiKey)}, ${inScript(config)});`,

  short: ({ apiKey, config }) => `!function (e, key, config) {
  if (e) return;
  e = window.permutive = {};
  e.q = [];
  e.config = config || {};
  e.config.apiKey = key;
  ${stubs}
}(window.permutive, ${inScript(apiKey)}, ${inScript(config)});`,

  // The oldest form hands over the arguments object itself, which is no array.
  queue: ({
    apiKey,
    workspaceId,
    config,
  }) => `window.permutive = window.permutive || { q: [], config: ${inScript({ ...config, projectId: workspaceId, apiKey })} };
!function (e) {
  for (var names = ${inScript(tagMethods)}, i = 0; i < names.length; i++) (function (name) {
    e[name] = function () { e.q.push({ functionName: name, arguments: arguments }); };
  })(names[i]);
}(window.permutive);`,
};

export const tag = (settings: TagSettings): string => forms[settings.form](settings);

export const webAddon = (page: unknown): string => `window.permutive.addon('web', { page: ${inScript(page)} });`;
