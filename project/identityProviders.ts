import * as t from 'io-ts';

import type { Fault } from '../src/codecs/codecs';
import type { ProjectDefinition, ServiceDefinition } from '../src/model/project';
import { publicUrl } from '../src/primitives/publicUrl';
import { publicAddress } from './check/valueFaults';
import { GivenProvider, identityForm } from './identityForms';

export const ProjectIdentities = t.type({
  addons: t.partial({ identity_manager: t.partial({ providers: t.record(t.string, GivenProvider) }) }),
});

export type GivenProviders = Readonly<Record<string, GivenProvider>>;

export const providersOf = ({ addons }: t.TypeOf<typeof ProjectIdentities>): GivenProviders =>
  addons.identity_manager?.providers ?? {};

export const identityFaults = (providers: GivenProviders): readonly Fault[] =>
  Object.entries(providers).flatMap(([tag, given]) => {
    const form = identityForm(tag, given);
    const path = `addons/identity_manager/providers/${tag}`;
    if ('expected' in form) return [{ ...form, path: `${path}${form.path}` }];
    return form.url === undefined || publicUrl(form.url) ? [] : [{ path: `${path}/url`, expected: publicAddress }];
  });

/** Moves the identity providers out of the addon's options, because a stream of the visitor reads them. */
export const withIdentityProviders = (
  project: ProjectDefinition,
  given: GivenProviders,
): ProjectDefinition & Pick<ServiceDefinition, 'identityProviders'> => {
  const { providers, ...options } = project.addons['identity_manager'] ?? {};
  if (providers === undefined) return project;
  const identityProviders = Object.fromEntries(
    Object.entries(given).flatMap(([tag, provider]) => {
      const form = identityForm(tag, provider);
      return 'expected' in form ? [] : [[tag, form]];
    }),
  );
  return { ...project, addons: { ...project.addons, identity_manager: options }, identityProviders };
};
