import { identity } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import { localKeys, ownPrefix } from '../../model/storageKeys';
import type { TextStorage, WriteFailure } from '../../platform/platform';
import { type Door, group, read, type WatchDeps } from './door';

/** Local or session storage. Writes are effects, too. */
export const storageDoor = (door: string): Door<TextStorage> => {
  const failure = `${door} failure`;
  return group<TextStorage>({
    read: read(door, (data) => data as string | null, identity),
    keys: read(`${door} keys`, (data) => (data as readonly string[] | null) ?? []),
    write: {
      watched:
        (write, { log, recorder }) =>
        (key, text) => {
          const failed = recorder.read(failure, key, write(key, text));
          if (failed === undefined) recorder.wrote(door, key, text);
          log.note({ lane: 'effects', type: door, data: { key, ...shown(key, text) } });
          return failed;
        },
      replayed:
        (_, { playback }) =>
        (key, text) => {
          const failed = (playback.read(failure, key) as WriteFailure | null) ?? undefined;
          if (failed === undefined) playback.wrote(door, key, text);
          return failed;
        },
    },
    remove: {
      watched:
        (remove, { log, recorder }) =>
        (key) => {
          remove(key);
          recorder.wrote(door, key, null);
          log.note({ lane: 'effects', type: door, data: { key, text: null } });
        },
      replayed:
        (_, { playback }) =>
        (key) =>
          playback.wrote(door, key, null),
    },
  });
};

/** The texts that partners read are shown; of our own, which may be long, their length. */
const shown = (key: string, text: string) => (key.startsWith(ownPrefix) ? { characters: text.length } : { text });

const local = storageDoor('local');

/** Local storage, without the stored ids by which others know the visitor. */
export const localDoor: Door<TextStorage> = {
  ...local,
  watched: (storage, deps) => local.watched({ ...storage, read: hidingIdentities(storage.read, deps) }, deps),
};

const hidingIdentities =
  (readText: TextStorage['read'], { log, json }: WatchDeps): TextStorage['read'] =>
  (key) => {
    const text = readText(key);
    if (key === localKeys.notes && text !== null) {
      const notes = json.parse(text);
      const identities = isRecord(notes) && isRecord(notes['identities']) ? Object.values(notes['identities']) : [];
      for (const identity of identities) if (isRecord(identity)) log.hide(String(identity['id']));
    }
    return text;
  };
