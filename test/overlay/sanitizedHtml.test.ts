/** @jest-environment jsdom */
import { localCss } from '../../src/overlay/localCss';
import { sanitizedHtml } from '../../src/overlay/sanitizedHtml';
import { cpuMs } from '../support/cpuTime';

const textOf = (html: string): string => {
  const place = document.createElement('div');
  place.append(sanitizedHtml(html).fragment);
  return place.innerHTML;
};

describe('the html of an overlay', () => {
  const attacks = [
    'background:url(https://evil.example/x)',
    'background:url("//evil.example/x")',
    "background:URL('https://evil.example/x')",
    'background:url(/x)',
    'background:u\\72l(https://evil.example/x)',
    'background:\\75\r\nrl(https://evil.example/x)',
    'background:\\75\frl(https://evil.example/x)',
    'background:\\000075\r\n\\72\r\nl(https://evil.example/x)',
    'content:"/*";background:url(https://evil.example/x);content:"*/"',
    'content:"/*";background:u\\72l(https://evil.example/x);content:"*/"',
    'background:image-set("https://evil.example/x" 1x)',
    '--x:url(https://evil.example/x);background:var(--x)',
    'background:url(data:image/png;base64,AA),url(https://evil.example/x)',
    'background:url("data:image/png,\\") ,url(https://evil.example/x)")',
    'list-style:url(#a url(https://evil.example/x)',
  ];
  it.each([
    '@import "https://evil.example/x";',
    '@\\69mport "https://evil.example/x";',
    '@import/**/url(https://evil.example/x);',
    '@font-face{font-family:a;src:url(https://evil.example/x)}',
    ...attacks.map((declarations) => `b{${declarations}}`),
  ])('loads nothing by its style sheet: %s', (css) => {
    expect(textOf(`<style>${css}</style><b>x</b>`)).not.toMatch(/evil|\/x/);
  });

  it.each(attacks)('loads nothing by a style attribute: %s', (declarations) => {
    const element = document.createElement('b');
    element.setAttribute('style', declarations);
    expect(textOf(element.outerHTML)).not.toContain('evil');
  });

  it.each([
    // Line ends as character references come through the parser as they are.
    '<b style="background:\\75&#13;&#10;rl(https://evil.example/x)">x</b>',
    '<table background="https://evil.example/x"><tr><td background="https://evil.example/x">x</table>',
    '<table><tr background="//evil.example/x"><th background="//evil.example/x">x</table>',
    '<svg><filter id="f"><feImage href="https://evil.example/x"></feImage></filter></svg>',
    '<svg><filter id="f"><feImage xlink:href="https://evil.example/x"></feImage></filter></svg>',
  ])('loads nothing that is no picture: %s', (html) => {
    expect(textOf(html)).not.toContain('evil');
  });

  it.each(['fill', 'filter', 'mask', 'clip-path', 'marker-start', 'cursor'])(
    'loads nothing by the attribute %s',
    (name) => {
      expect(textOf(`<svg><path ${name}="url(https://evil.example/x#a)"></path></svg>`)).not.toContain('evil');
    },
  );

  it.each([
    'b{color:red}@media(min-width:9px){b::before{content:"\\201C";margin:0}}/* a note */',
    'b{background:url(data:image/png;base64,AA==)}',
    "b{fill:url('#a')}",
  ])('keeps styles that load nothing: %s', (css) => {
    expect(localCss(css)).toBe(css);
    expect(textOf(`<style>${css}</style><b>x</b>`)).toBe(`<style>${css}</style><b>x</b>`);
  });

  it('keeps the declarations beside one that loads', () => {
    expect(localCss('b{color:red;background:url(x);margin:0}i{top:0}')).toBe('b{color:red;margin:0}i{top:0}');
    expect(localCss('color:red;background:url(x)')).toBe('color:red;');
  });

  it.each<readonly [string, readonly string[]]>([
    [
      '<style>b{color:red}</style><p class="a" style="color:red">Hello <!-- note --><a href="/x" target="_blank">x</a></p>',
      [],
    ],
    ['<form action="/x"><input name="a"><button>Send</button></form><img src="data:image/png;base64,AA==">', []],
    ['<script>alert(1)</script><p>x</p>', ['script']],
    ['<p onclick="f()">x</p><b onclick="f()">x</b><p onclick="f()">y</p>', ['p[onclick]', 'b[onclick]']],
    ['<a href="javascript:f()">x</a><iframe src="/x"></iframe>', ['a[href]', 'iframe']],
    ['<table background="/x"><tr><td>x</td></tr></table>', ['table[background]']],
    ['<my-offer>x</my-offer>', ['my-offer']],
    ['<form onsubmit="f()"><input name="a"></form>', ['form[onsubmit]']],
    ['<form onsubmit="f()"><input name="nodeName"></form>', ['form[onsubmit]', 'input[name]']],
    [
      '<style>b{background:url(/x)}</style><b style="background:url(/x)" onclick="f()">x</b>',
      ['b[onclick]', 'style', 'b[style]'],
    ],
  ])('says what was removed of %s', (html, removed) => {
    expect([...sanitizedHtml(html).removed].sort()).toEqual([...removed].sort());
  });

  // A check whose time grows with the square of the length would take minutes, on any machine.
  it('takes a moment for very long styles', () => {
    for (const part of ['url(', '/*', '\\', 'a', ';', 'url(data:image/', '@import', '*/'])
      expect(cpuMs(() => localCss(part.repeat(200_000 / part.length)))).toBeLessThan(5000);
  });
});
