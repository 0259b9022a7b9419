import { type ConfigName, configTable, type Settings } from '../model/config';
import type { AddonCheck } from './addonCheck';

/** Words of a text, such as a definition as JSON; words with a dot may be host names. */
const hostWords = /[a-z0-9-]+(?:\.[a-z0-9-]+)*/gi;
/** Hosts of the addresses that stand anywhere in a script. */
const scriptHosts = /\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi;

/** The hosts that a definition names: in the options, in the config of the activations and in the settings. */
export const namedHosts = (
  { options, config, hosts = [] }: AddonCheck,
  setting: Settings,
  origin: string,
): ReadonlySet<string> => {
  const settings = (Object.keys(configTable) as ConfigName[]).map((name) => setting(name));
  const words = [options, config, settings]
    .flatMap((part) => jsonOf(part).match(hostWords) ?? [])
    .filter((word) => word.includes('.'));
  return new Set([...hosts, ...words, new URL(origin).hostname].map((host) => host.toLowerCase()));
};

/** JSON; empty for what has none, such as functions and values that contain themselves. */
const jsonOf = (value: unknown): string => {
  try {
    return [JSON.stringify(value)].join();
  } catch {
    return '';
  }
};

/** Host of an address, relative ones included; empty where it is no address. */
export const hostOfRequest = (address: string, origin: string): string => {
  try {
    return new URL(address, origin).hostname;
  } catch {
    return '';
  }
};

/** Hosts that a script may ask. A host that the script puts together from parts is not found. */
export const hostsInScript = (script: string): readonly string[] =>
  [...script.matchAll(scriptHosts)].map(([, host = '']) => host.toLowerCase());
