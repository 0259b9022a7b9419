import type { AppState } from '../../src/visit/appState';

/** The stored state as one object, to be made into text as a whole: what the spliced text is held to. */
export const encodeAppState = ({ cohorts, queue, pause }: AppState): object => ({
  core: { cohorts: { all: cohorts } },
  eventPublication: {
    eventUpload: queue.map(({ page, event }) => [event.id, { event, page }]),
    ...(pause && { pause }),
  },
});
