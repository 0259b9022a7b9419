/** What the site's page `/ad` shows in the frame of an ad. */
export interface Creative {
  readonly creative: string;
  readonly width: number | string;
  readonly height: number | string;
  /** More parameters of `/ad`. */
  readonly more: Readonly<Record<string, string>>;
}

/** How the frame of an ad is shut off from the page. */
export interface Container {
  /** Id and name of the frame. */
  readonly id: string;
  /** The frame has an origin of its own, as a SafeFrame has. */
  readonly isSafeFrame: boolean;
  /** The values of the attribute `sandbox`; without it, undefined. */
  readonly sandbox?: string | undefined;
}

let made = 0;

/**
 * An origin that no other frame has, at the site's own server: browsers take each name under `localhost` for this
 * machine. Undefined where the site has a number in place of a name.
 */
const ownOrigin = (): string | undefined =>
  /^\d|^\[/.test(location.host)
    ? undefined
    : `${location.protocol}//ad${(made += 1)}-${Math.random().toString(36).slice(2)}.safeframe.${location.host}`;

/** The frame of an ad, which is not in the document yet. */
export const adFrame = (
  { creative, width, height, more }: Creative,
  { id, isSafeFrame, sandbox }: Container,
): HTMLIFrameElement => {
  const frame = document.createElement('iframe');
  const origin = isSafeFrame ? ownOrigin() : '';
  frame.id = id;
  frame.name = id;
  frame.title = 'Advertisement';
  frame.width = String(width);
  frame.height = String(height);
  frame.setAttribute('scrolling', 'no');
  frame.setAttribute('frameborder', '0');
  // A sandboxed frame has an origin of its own too, though no name for it.
  if (sandbox !== undefined || origin === undefined)
    frame.setAttribute('sandbox', sandbox ?? 'allow-popups allow-scripts');
  frame.src = `${origin ?? ''}/ad?${new URLSearchParams({ creative, w: String(width), h: String(height), ...more }).toString()}`;
  return frame;
};
