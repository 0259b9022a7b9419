import { useObservableState } from 'observable-hooks';
import { memo, type ReactElement, useEffect, useRef, useState } from 'react';
import type { Observable } from 'rxjs';

import { CohortList } from './CohortList';
import { CohortPage } from './CohortPage';
import { FindingList } from './parts/FindingList';
import { useStudio, useStudioState } from './parts/studioContext';
import { counted } from './parts/words';
import { PublishView } from './publish/PublishView';
import type { Route } from './state/route';
import type { SharedQuery } from './state/sharedQuery';
import { TryView } from './TryView';

interface AppProps {
  readonly route$: Observable<Route>;
  readonly first: Route;
}

/** A file may have thousands of cohorts. They are drawn anew for news of theirs alone. */
const Side = memo(CohortList);

/** The whole page: the cohorts at the side, and one view. */
export const App = ({ route$, first }: AppProps): ReactElement => {
  const route = useObservableState(route$, first);
  const { link } = useStudio();
  const { project, status } = useStudioState();
  const main = useRef<HTMLElement>(null);
  const [tried, setTried] = useState<SharedQuery>();
  const title = titleOf(route);
  const before = useRef(title);
  useEffect(() => {
    document.title = `${title} – Studio`;
    // Who follows a link hears where it has led. The first page is announced by the browser.
    if (before.current !== title) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    before.current = title;
  }, [title]);
  return (
    <>
      <header>
        <a className="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
          To the content
        </a>
        <h1>
          <a href={link({ view: 'cohorts' })}>Studio</a>
        </h1>
        <p className="file">
          <code>{project.file}</code>
        </p>
        <nav aria-label="Studio">
          <a href={link({ view: 'cohorts' })} aria-current={route.view === 'cohorts' ? 'page' : undefined}>
            Cohorts
          </a>
          <a href={link({ view: 'try', shared: tried })} aria-current={route.view === 'try' ? 'page' : undefined}>
            Try a query
          </a>
          <a href={link({ view: 'publish' })} aria-current={route.view === 'publish' ? 'page' : undefined}>
            Compare and publish
          </a>
        </nav>
      </header>
      <p role="status" className="status" data-test="status">
        {status}
      </p>
      <div className={route.view === 'cohorts' ? 'page at-list' : 'page'}>
        <aside aria-labelledby="cohorts-title">
          <Side chosen={'cohort' in route ? route.cohort : undefined} />
        </aside>
        <main id="main" ref={main} tabIndex={-1} aria-label={title}>
          {'cohort' in route ? (
            <CohortPage key={route.cohort ?? ''} id={route.cohort} view={route.view} />
          ) : route.view === 'publish' ? (
            <PublishView />
          ) : route.view === 'try' ? (
            <TryView key={JSON.stringify(route.shared)} shared={route.shared} onTried={setTried} />
          ) : (
            <Welcome />
          )}
        </main>
      </div>
    </>
  );
};

const titleOf = (route: Route): string => {
  if ('cohort' in route) return route.cohort === undefined ? 'New cohort' : `Cohort ${route.cohort}`;
  return { cohorts: 'Cohorts', publish: 'Compare and publish', try: 'Try a query' }[route.view];
};

/** What is said beside the list, as long as no cohort is chosen. */
const Welcome = (): ReactElement => {
  const { project } = useStudioState();
  const general = project.findings.filter(({ path }) => !path.startsWith('queries/'));
  return (
    <>
      <h2>{project.cohorts.length === 0 ? 'No cohort yet' : 'Choose a cohort, or make a new one'}</h2>
      <p>
        A cohort is made as a form or as text, sized by the visits that were recorded, tested with visitors, compared
        with what is published, and published.
      </p>
      <p className="soft">
        {project.visits === undefined
          ? 'There are no visits to count. Start Studio with --data FILE or --nats URL to size cohorts and to find visitors.'
          : `Visits: ${project.visits}.`}
      </p>
      {general.length > 0 && (
        <details>
          <summary>What the check says of the rest of the file: {counted(general.length, 'finding')}</summary>
          <FindingList findings={general} />
        </details>
      )}
    </>
  );
};
