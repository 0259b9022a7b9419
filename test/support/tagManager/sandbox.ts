/**
 * A small interpreter of the sandbox in which Google Tag Manager runs tags of custom templates. The public
 * documentation (developers.google.com/tag-platform/tag-manager/templates, pages «api» and «permissions», read on
 * 2026-11-30) says what each function does, and which permission it needs. Imports nothing that a page does not have:
 * browser tests run it in their pages.
 */

type Listener = (consentType: string, isGranted: boolean) => void;
type Callback = (...given: readonly unknown[]) => unknown;
export type Require = (name: string) => unknown;
/** The sandboxed code of a template, as a function. */
export type Template = (require: Require, data: object) => void;

/** What a template asks to be allowed, as its section of permissions has it. */
export interface Permission {
  readonly instance: { readonly key: { readonly publicId: string }; readonly param: readonly Parameter[] };
}
interface Parameter {
  readonly key: string;
  readonly value: Value;
}
interface Value {
  readonly string?: string;
  readonly boolean?: boolean;
  readonly listItem?: readonly Value[];
  readonly mapKey?: readonly Value[];
  readonly mapValue?: readonly Value[];
}

/** The page in which the tags run. */
export interface SandboxedPage {
  readonly window: Record<string, unknown>;
  readonly loadScript: (url: string, onSuccess: () => void, onFailure: () => void) => void;
  readonly log: (...words: readonly unknown[]) => void;
}

export interface Sandbox {
  /** Fires a tag with the values of its fields. Resolves with how the tag has ended. */
  readonly fire: (template: Template, data: object) => Promise<'success' | 'failure'>;
  /** The consent platform says whether a type of consent mode is granted. Without a word, the type is granted. */
  readonly setConsent: (consentType: string, isGranted: boolean) => void;
  /** The permissions that have been used so far: `access_globals permutive.q write`. */
  readonly used: () => readonly string[];
}

const plainOf = ({ string, boolean, listItem, mapKey, mapValue }: Value): unknown => {
  if (listItem) return listItem.map(plainOf);
  if (mapKey) return Object.fromEntries(mapKey.map(({ string: key }, i) => [key, plainOf(mapValue?.[i] ?? {})]));
  return string ?? boolean;
};

/** Every single thing that permissions allow, in the words of `used`. */
export const allowedBy = (permissions: readonly Permission[]): readonly string[] =>
  permissions.flatMap(({ instance: { key, param } }) => {
    if (param.length === 0) return [key.publicId];
    return param.flatMap(({ value }) => {
      const entries = [plainOf(value)].flat();
      return entries.flatMap((entry) => {
        if (typeof entry !== 'object' || entry === null) return [`${key.publicId} ${String(entry)}`];
        const { key: path, consentType, ...rights } = entry as Record<string, unknown>;
        return Object.entries(rights).flatMap(([right, isGiven]) =>
          isGiven === true ? [`${key.publicId} ${String(path ?? consentType)} ${right}`] : [],
        );
      });
    });
  });

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/**
 * A value on the other side of the sandbox: lists and objects are copied, functions get copies of what they are given,
 * and what the sandbox has no type for, such as a regular expression, is undefined.
 */
const across = (value: unknown): unknown => {
  if (typeof value === 'function')
    return (...given: readonly unknown[]) => across((value as Callback)(...given.map(across)));
  if (Array.isArray(value)) return value.map(across);
  if (typeof value === 'symbol' || typeof value === 'bigint') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Object.prototype.toString.call(value) !== '[object Object]') return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, across(property)]));
};

/** The object that a path of names ends in, and its last name. */
const placeOf = (window: Record<string, unknown>, path: string) => {
  const names = path.split('.');
  const name = names.pop() ?? '';
  const parent = names.reduce<unknown>(
    (holder, step) => (holder as Record<string, unknown> | undefined)?.[step],
    window,
  ) as Record<string, unknown> | undefined;
  return { parent, name };
};

/** Functions that need no permission and reach nothing. */
export const pureApis: Readonly<Record<string, unknown>> = {
  getType: typeOf,
  makeString: String,
  encodeUriComponent: encodeURIComponent,
  Object: { keys: Object.keys },
};

export const sandboxOf = (permissions: readonly Permission[], page: SandboxedPage): Sandbox => {
  const allowed = allowedBy(permissions);
  const used = new Set<string>();
  const need = (...rights: readonly string[]): void => {
    for (const right of rights) {
      if (!allowed.includes(right)) throw new Error(`No permission: ${right}`);
      used.add(right);
    }
  };
  const global = (path: string, ...rights: readonly ('read' | 'write' | 'execute')[]) => {
    need(...rights.map((right) => `access_globals ${path} ${right}`));
    return placeOf(page.window, path);
  };
  const consent = new Map<string, boolean>();
  const listeners: { readonly consentType: string; readonly listener: Listener }[] = [];
  const stored = new Map<string, unknown>();

  const apis: Readonly<Record<string, unknown>> = {
    ...pureApis,
    addConsentListener: (consentType: string, listener: Listener) => {
      need(`access_consent ${consentType} read`);
      listeners.push({ consentType, listener });
    },
    callInWindow: (path: string, ...given: readonly unknown[]) => {
      const { parent, name } = global(path, 'execute');
      return across((parent as Record<string, Callback>)[name]!(...given.map(across)));
    },
    copyFromWindow: (path: string) => {
      const { parent, name } = global(path, 'read');
      return across(parent?.[name]);
    },
    createQueue: (path: string) => {
      const { parent, name } = global(path, 'read', 'write');
      if (parent === undefined) throw new Error(`${path} has no parent`);
      parent[name] ??= [];
      return (item: unknown) => void (parent[name] as unknown[]).push(across(item));
    },
    injectScript: (url: string, onSuccess: () => void, onFailure: () => void) => {
      need(allowed.find((right) => isScriptOf(right, url)) ?? `inject_script ${url}`);
      page.loadScript(url, onSuccess, onFailure);
    },
    isConsentGranted: (consentType: string) => {
      need(`access_consent ${consentType} read`);
      return consent.get(consentType) ?? true;
    },
    logToConsole: (...words: readonly unknown[]) => {
      need('logging debug');
      page.log(...words);
    },
    setInWindow: (path: string, value: unknown, isReplaced: boolean) => {
      const { parent, name } = global(path, 'read', 'write');
      if (parent === undefined || (!isReplaced && parent[name] !== undefined)) return false;
      parent[name] = across(value);
      return true;
    },
    templateStorage: {
      getItem: (key: string) => {
        need('access_template_storage');
        return stored.get(key);
      },
      setItem: (key: string, value: unknown) => {
        need('access_template_storage');
        stored.set(key, value);
      },
    },
  };

  return {
    fire: (template, data) =>
      new Promise((resolve) => {
        const ends = { gtmOnSuccess: () => resolve('success'), gtmOnFailure: () => resolve('failure') };
        template(requireOf(apis), { ...data, ...ends });
      }),
    setConsent: (consentType, isGranted) => {
      const earlier = consent.get(consentType) ?? true;
      consent.set(consentType, isGranted);
      // Only a change is told.
      if (isGranted === earlier) return;
      for (const heard of listeners) if (heard.consentType === consentType) heard.listener(consentType, isGranted);
    },
    used: () => [...used],
  };
};

/** Whether a permission to load scripts is for an address. A star stands for any characters. */
const isScriptOf = (right: string, url: string): boolean => {
  const [id, pattern = ''] = right.split(' ');
  const [start = '', end = ''] = pattern.split('*');
  return id === 'inject_script' && url.startsWith(start) && url.endsWith(end);
};

/** The sandbox's `require`: throws where the sandbox has no function of that name. */
export const requireOf =
  (apis: Readonly<Record<string, unknown>>): Require =>
  (name) => {
    if (!Object.hasOwn(apis, name)) throw new Error(`The sandbox has no ${name}`);
    return apis[name];
  };
