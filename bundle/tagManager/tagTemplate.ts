/** What a template for Google Tag Manager has of a project's definition. */
export interface TemplateSettings {
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Name of the tag's global object. */
  readonly windowKey: string;
  /** The address of the folder that pages load the page script from; ends with a slash. */
  readonly cdn: string;
}

const mark = /^___([A-Z_]+)___$/m;

/** The sections of a template, in the format of Google Tag Manager's gallery: their texts by their names. */
export const sectionsOf = (template: string): ReadonlyMap<string, string> => {
  const [, ...parts] = template.split(mark);
  return new Map(parts.flatMap((name, i) => (i % 2 === 0 ? [[name, (parts[i + 1] ?? '').trim()] as const] : [])));
};

const textOf = (sections: ReadonlyMap<string, string>): string =>
  `${[...sections].map(([name, text]) => `___${name}___\n\n${text}`).join('\n\n\n')}\n`;

/** The CDN of the template, in whose place the project's comes. */
const defaultCdn = 'https://cdn.permutive.com/';
/** Where the template names the tag's global object: paths in quotes, and one message. */
const globals = /(?<=["'])permutive(?=[."'])|(?<=window\.)permutive(?= )/g;

/**
 * A project's template for Google Tag Manager: the fields have the project's IDs, and the template may load scripts
 * from the project's host alone. `template`: the text of `template.tpl`.
 */
export const tagTemplateOf = (template: string, settings: TemplateSettings): string => {
  const written = template.replaceAll(defaultCdn, () => settings.cdn).replace(globals, () => settings.windowKey);
  const sections = new Map(sectionsOf(written));
  const fields = sections.get('TEMPLATE_PARAMETERS') ?? '[]';
  sections.set('TEMPLATE_PARAMETERS', JSON.stringify(withDefaults(fields, settings), null, 2));
  return textOf(sections);
};

/** The fields of a template, as JSON has them, each with the setting of its name as its default. */
const withDefaults = (fields: string, { apiKey, workspaceId }: TemplateSettings): unknown => {
  const defaults: Readonly<Record<string, string>> = { apiKey, workspaceId };
  return JSON.parse(fields, (_, field: Partial<Field> | null) => {
    const defaultValue = defaults[field?.name ?? ''];
    return defaultValue === undefined ? field : { ...field, defaultValue };
  });
};

/** A field of a template, as far as its default goes. */
interface Field {
  readonly name: string;
  readonly defaultValue: string;
}
