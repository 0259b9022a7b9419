import { map, Observable, switchMap } from 'rxjs';
import { fromFetch } from 'rxjs/fetch';

import {
  changesPath,
  type Check,
  type Checked,
  type Comparison,
  type Conflict,
  type Find,
  type Found,
  type Publish,
  type Published,
  type Refusal,
  type Save,
  type SaveExamples,
  type SetEntry,
  type Size,
  type SizeLine,
  type StudioProject,
  type Visitor,
  type Vocabulary,
} from '../../protocol';

/** By name, the body and the answer of each call. */
interface Calls {
  readonly project: readonly [Readonly<Record<string, never>>, StudioProject];
  readonly save: readonly [Save, StudioProject];
  readonly entry: readonly [SetEntry, StudioProject];
  readonly examples: readonly [SaveExamples, StudioProject];
  readonly check: readonly [Check, Checked];
  readonly vocabulary: readonly [Readonly<Record<string, never>>, Vocabulary];
  readonly find: readonly [Find, Found];
  readonly visitor: readonly [{ readonly id: string }, Visitor];
  readonly compare: readonly [Readonly<Record<string, never>>, Comparison];
  readonly publish: readonly [Publish, Published];
}

/** What the page has of its server. Each stream asks when it is subscribed to, and gives up when nobody listens. */
export interface Server {
  readonly ask: <Name extends keyof Calls>(name: Name, body: Calls[Name][0]) => Observable<Calls[Name][1]>;
  readonly size: (body: Size) => Observable<SizeLine>;
  /** Each time the file has changed on disk. */
  readonly changes$: Observable<unknown>;
}

/** The server has refused a call. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal & Partial<Conflict>,
  ) {
    super(refusal.message);
  }
}

/** The server from which the page comes. */
export const serverOf = (token: string): Server => {
  const post = (name: string, body: unknown): Observable<Response> =>
    fromFetch(`/api/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-studio-token': token },
    }).pipe(
      switchMap(async (response) => {
        if (response.ok) return response;
        throw new Refused(response.status, await refusalOf(response));
      }),
    );
  return {
    ask: (name, body) => post(name, body).pipe(switchMap((response) => response.json() as Promise<never>)),
    size: (body) => post('size', body).pipe(switchMap(linesOf)),
    changes$: new Observable((subscriber) => {
      const source = new EventSource(`${changesPath}?token=${encodeURIComponent(token)}`);
      // What has changed before the connection, or while there was none, was told to nobody.
      for (const type of ['open', 'project']) source.addEventListener(type, (event) => subscriber.next(event));
      return () => source.close();
    }),
  };
};

const refusalOf = async (response: Response): Promise<Refusal & Partial<Conflict>> => {
  try {
    return (await response.json()) as Refusal;
  } catch {
    return { message: `The server has answered ${response.status}.` };
  }
};

/** The lines of an answer, each as it comes. */
const linesOf = (response: Response): Observable<SizeLine> => {
  const text$ = new Observable<string>((subscriber) => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const read = async (): Promise<void> => {
      let rest = '';
      for (;;) {
        const part = await reader?.read();
        if (part === undefined || part.done) break;
        const lines = (rest + part.value).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.trim() !== '') subscriber.next(line);
      }
      if (rest.trim() !== '') subscriber.next(rest);
      subscriber.complete();
    };
    read().catch((error: unknown) => subscriber.error(error));
    return () => void reader?.cancel().catch(() => undefined);
  });
  return text$.pipe(map((line) => JSON.parse(line) as SizeLine));
};
