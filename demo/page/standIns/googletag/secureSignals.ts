import { guarded, type Messages } from '../messages';

type Provider = googletag.secureSignals.SecureSignalProvider;

/** Under which signals are kept, followed by the provider's name. */
const prefix = '_GESPSK-';

/** Asks each provider of a secure signal once, and keeps its signal where Google keeps it. */
export const secureSignals = (messages: Messages): googletag.secureSignals.SecureSignalProvidersArray => ({
  push: (provider) =>
    guarded(messages, () => {
      const id = nameOf(provider);
      if (id === undefined) {
        messages.warn('A provider of signals has either an id or a network code');
        return;
      }
      void provider.collectorFunction().then((signal) => {
        try {
          if (signal) localStorage.setItem(prefix + id, JSON.stringify([id, signal]));
        } catch {
          // No room: the signal is asked for again.
        }
      });
    }),
  clearAllCache: () => {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  },
});

/** The name of a provider: an id or a network code, never both. */
const nameOf = (provider: Provider): string | undefined => {
  const { id, networkCode } = provider as { readonly id?: string; readonly networkCode?: string };
  return id === undefined || networkCode === undefined ? (id ?? networkCode) : undefined;
};
