import { createRoot, type Root } from 'react-dom/client';
import { catchError, forkJoin, of, switchMap } from 'rxjs';

import type { StudioProject, Vocabulary } from '../protocol';
import { App } from './App';
import { StudioProvider } from './parts/studioContext';
import { openAddress } from './state/addresses';
import { type Server, serverOf } from './state/ask';
import { openDrafts } from './state/draftStore';
import { tokenOf } from './state/route';
import { openStudio } from './state/studio';

/** Shows the page with what the server has told. `token`: the one of the address that the page was opened with. */
const show = async (
  root: Root,
  server: Server,
  token: string,
  project: StudioProject,
  vocabulary: Vocabulary,
): Promise<void> => {
  const store = await openDrafts(project.file);
  const studio = openStudio({ server, store, project, vocabulary, now: Date.now });
  studio.follow$.subscribe();
  const { route$, first, ...address } = openAddress(window, token);
  root.render(
    <StudioProvider value={{ studio, server, ...address }}>
      <App route$={route$} first={first} />
    </StudioProvider>,
  );
};

/** Says why there is nothing to show. */
const showFault = (root: Root, error: unknown): void =>
  root.render(
    <main>
      <h1>Studio</h1>
      <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
      <p>Open Studio by the whole address that the command has printed.</p>
      <p>
        A link that somebody has copied in Studio opens in the tab of yours: paste the link into the address bar there.
      </p>
    </main>,
  );

const place = document.querySelector('#studio');
if (place !== null) {
  const root = createRoot(place);
  const token = tokenOf(location.href);
  const server = serverOf(token);
  forkJoin({
    project: server.ask('project', {}),
    // Without completions, the rest works.
    vocabulary: server.ask('vocabulary', {}).pipe(catchError(() => of<Vocabulary>({ events: [] }))),
  })
    .pipe(switchMap(({ project, vocabulary }) => show(root, server, token, project, vocabulary)))
    .subscribe({ error: (error: unknown) => showFault(root, error) });
}
