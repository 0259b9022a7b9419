/**
 * Styles of the modal. The styles are in a shadow root, so the page's rules do not reach the modal, and these rules do
 * not reach the page. `--dim` is the opacity of the backdrop, `--fade` the duration of the transition. People who need
 * wider text set its spacing for all pages: the modal inherits that, against the layer's own styles.
 */
export const overlayStyle = `
:host { letter-spacing: inherit !important; word-spacing: inherit !important; }
.backdrop {
  position: fixed; inset: 0; box-sizing: border-box; padding: 16px;
  width: auto; height: auto; max-width: none; max-height: none; margin: 0; border: 0; overflow: hidden;
  display: flex; align-items: center; justify-content: center; overscroll-behavior: contain;
  background: rgb(0 0 0 / var(--dim)); opacity: 0; visibility: hidden;
  transition: opacity var(--fade) linear, visibility 0s linear var(--fade);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #1a1a1a;
}
.backdrop::backdrop { background: none; }
.open { opacity: 1; visibility: visible; transition-delay: 0s; }
.modal {
  position: relative; box-sizing: border-box; overflow: auto; overscroll-behavior: contain;
  width: fit-content; max-width: min(640px, 100%); max-height: 100%; padding: 52px 28px 28px;
  background: #fff; border-radius: 8px; box-shadow: 0 16px 48px rgb(0 0 0 / 35%);
}
.modal:focus { outline: none; }
.picture { padding: 52px 0 0; overflow: hidden auto; }
.picture img { display: block; max-width: 100%; height: auto; }
:where(.content) :where(h1, h2, h3) { margin: 0 0 0.5em; line-height: 1.25; }
:where(.content) :where(p, form) { margin: 0 0 1em; }
:where(.content) :where(a) { color: #14509e; }
:where(.content) :where(button, input, select) { min-height: 44px; padding: 8px 16px; font: inherit; }
:where(.content) > * > :last-child { margin-bottom: 0; }
.close {
  position: absolute; top: 4px; inset-inline-end: 12px; min-width: 44px; min-height: 44px; padding: 0 8px;
  font: inherit; color: #3a3a3a; background: none; border: 0;
  text-decoration: underline; text-underline-offset: 3px; cursor: pointer;
}
.close:hover { color: #000; }
.close:focus-visible, .content a:focus-visible { outline: 3px solid #1a5fd0; outline-offset: 2px; border-radius: 2px; }
@media (max-width: 480px) {
  .backdrop { padding: 8px; }
  .modal { padding: 52px 20px 20px; }
  .picture { padding: 52px 0 0; }
}
@media (prefers-reduced-motion: reduce) { .backdrop { transition: none; } }
`;
