import { createRoot } from 'react-dom/client';
import { catchError, forkJoin, fromEvent, lastValueFrom, map, of } from 'rxjs';

import { init } from '../../src/engine/engineEntry';
import { App } from './App';
import { StudioProvider } from './parts/studioContext';
import { serverOf } from './state/ask';
import { openDrafts } from './state/draftStore';
import { fragmentOf, type Route, routeOf, tokenOf } from './state/route';
import { openStudio } from './state/studio';

const start = async (place: Element): Promise<void> => {
  const root = createRoot(place);
  const server = serverOf(tokenOf(location.href));
  try {
    const loaded = await lastValueFrom(
      forkJoin({
        project: server.ask('project', {}),
        // Without completions, the rest works.
        vocabulary: server.ask('vocabulary', {}).pipe(catchError(() => of({ events: [] }))),
      }),
      { defaultValue: undefined },
    );
    if (loaded === undefined) throw new Error('Studio’s server has said nothing.');
    const { project, vocabulary } = loaded;
    const store = await openDrafts(project.file);
    const studio = openStudio({ server, store, project, vocabulary, now: Date.now });
    studio.follow$.subscribe();
    const link = (route: Route): string => fragmentOf(route, location.hash);
    const go = (route: Route): void => {
      location.hash = link(route);
    };
    const route$ = fromEvent(window, 'hashchange').pipe(map(() => routeOf(location.hash)));
    root.render(
      <StudioProvider value={{ studio, server, init, go, link }}>
        <App route$={route$} first={routeOf(location.hash)} />
      </StudioProvider>,
    );
  } catch (error) {
    root.render(
      <main>
        <h1>Studio</h1>
        <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
        <p>Open Studio by the whole address that the command has printed.</p>
      </main>,
    );
  }
};

const place = document.querySelector('#studio');
if (place !== null) await start(place);
