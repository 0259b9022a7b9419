import { raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

// One palette for the whole paper; a drawing picks a ground and builds with flat shapes on an 800 by 500 sheet.
const ink = '#14383a';
const green = '#1f6b62';
const mint = '#a9cfc3';
const sand = '#efe2c6';
const cream = '#fbf4e4';
const gold = '#d6a440';
const brick = '#c4553b';
const rose = '#e6b8a2';
const sky = '#cfe0e2';
const night = '#1e2b3c';

const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
const disc = (x: number, y: number, r: number, fill: string) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
const ring = (x: number, y: number, r: number, stroke: string, width: number) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`;
const shape = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const ground = (fill: string) => rect(0, 0, 800, 500, fill);
const times = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

const drawings: Readonly<Record<string, () => string>> = {
  chart: () =>
    ground(night) +
    times(6, (i) => rect(60, 80 + i * 68, 680, 1.5, '#3a4a5e')) +
    shape(
      'M60 330 L150 290 L230 350 L320 300 L400 372 L490 340 L570 250 L650 200 L740 120 L740 460 L60 460Z',
      '#27415a',
    ) +
    line('M60 330 L150 290 L230 350 L320 300 L400 372 L490 340 L570 250 L650 200 L740 120', gold, 8) +
    disc(740, 120, 15, cream) +
    disc(400, 372, 10, brick),
  bars: () =>
    ground(sand) +
    disc(620, 150, 90, gold) +
    [150, 205, 180, 250, 225, 300, 330]
      .map((height, i) => rect(90 + i * 92, 440 - height, 62, height, i % 3 === 2 ? brick : i % 2 ? green : ink, 4))
      .join('') +
    rect(60, 440, 690, 8, ink),
  coils: () =>
    ground(ink) +
    times(
      3,
      (i) =>
        disc(210 + i * 195, 265, 130, ['#b9683f', '#d1824f', '#a85732'][i] ?? brick) +
        times(4, (j) => ring(210 + i * 195, 265, 118 - j * 22, '#6f3820', 4)) +
        disc(210 + i * 195, 265, 30, ink),
    ) +
    rect(0, 400, 800, 100, '#0d2729') +
    rect(0, 396, 800, 6, gold),
  columns: () =>
    ground(sky) +
    disc(400, 250, 210, '#e3edee') +
    shape('M170 170 L400 70 L630 170Z', ink) +
    rect(160, 170, 480, 26, green) +
    times(5, (i) => rect(190 + i * 96, 200, 40, 190, i === 2 ? gold : cream)) +
    rect(160, 392, 480, 22, green) +
    rect(130, 414, 540, 26, ink),
  loaf: () =>
    ground(rose) +
    rect(0, 380, 800, 120, brick) +
    rect(90, 366, 620, 26, ink, 8) +
    shape('M150 366 V230 C150 150 240 140 320 140 H480 C560 140 640 150 640 230 V366Z', '#b9773d') +
    shape('M150 366 V230 C150 150 185 140 222 140 C262 140 290 160 290 230 V366Z', sand) +
    shape('M168 350 V236 C168 178 194 160 222 160 C250 160 272 178 272 236 V350Z', cream) +
    times(3, (i) => line(`M${360 + i * 80} 190 l40 -22`, '#8d5527', 8)) +
    shape('M60 366 V250 C60 205 70 190 84 190 C98 190 108 205 108 250 V366Z', sand),
  jars: () =>
    ground(mint) +
    rect(0, 400, 800, 100, green) +
    [0.85, 0.55, 0.3]
      .map((full, i) => {
        const x = 130 + i * 200;
        return (
          rect(x, 170, 150, 230, '#e8f3ee', 24) +
          rect(x + 10, 390 - 200 * full, 130, 200 * full, gold, 16) +
          rect(x + 14, 138, 122, 38, ink, 8) +
          times(3, (j) => ring(x + 40 + j * 34, 372 - 60 * full - (j % 2) * 26, 13, '#a87b22', 4))
        );
      })
      .join(''),
  umbrella: () =>
    ground(green) +
    times(14, (i) => line(`M${40 + i * 58} ${(i % 3) * 40 + 20} l-22 60`, '#4d938a', 6)) +
    shape(
      'M170 300 C170 160 290 90 400 90 C510 90 630 160 630 300 C590 268 545 268 515 300 C480 262 436 262 400 300 C364 262 320 262 285 300 C255 268 210 268 170 300Z',
      gold,
    ) +
    shape(
      'M285 300 C290 190 340 110 400 90 C460 110 510 190 515 300 C480 262 436 262 400 300 C364 262 320 262 285 300Z',
      brick,
    ) +
    line('M400 80 V420 C400 456 452 456 452 420', cream, 11) +
    disc(400, 80, 9, cream),
  bicycle: () =>
    ground(sand) +
    rect(0, 410, 800, 90, ink) +
    disc(640, 120, 62, brick) +
    ring(240, 325, 88, ink, 11) +
    ring(560, 325, 88, ink, 11) +
    line(
      'M240 325 L340 200 L500 200 L560 325 M340 200 L400 325 L500 200 M400 325 L240 325 M320 170 H366 M500 200 L488 150 H536',
      green,
      11,
    ) +
    rect(170, 110, 130, 112, gold, 8) +
    rect(170, 144, 130, 8, '#a87b22') +
    disc(400, 325, 17, brick),
  towers: () =>
    ground(sky) +
    disc(180, 130, 62, gold) +
    rect(90, 210, 130, 240, green) +
    rect(600, 170, 130, 280, '#3b7f86') +
    rect(250, 70, 310, 380, ink) +
    rect(372, 70, 66, 380, sky) +
    times(18, (i) => rect(272 + (i % 3) * 32, 100 + Math.floor(i / 3) * 54, 20, 32, i % 4 === 1 ? gold : '#3f6668')) +
    times(18, (i) => rect(456 + (i % 3) * 32, 100 + Math.floor(i / 3) * 54, 20, 32, i % 5 === 2 ? gold : '#3f6668')) +
    rect(0, 446, 800, 54, sand),
  hanger: () =>
    ground(rose) +
    rect(0, 96, 800, 9, ink) +
    line('M400 100 C400 60 440 66 438 92 C436 116 400 116 400 150', ink, 9) +
    shape('M400 148 L560 222 L606 330 L552 352 L540 316 L552 470 H248 L260 316 L248 352 L194 330 L240 222Z', brick) +
    shape('M400 148 L346 174 L400 300 L454 174Z', cream) +
    line('M400 300 V466', '#8f3622', 5) +
    times(3, (i) => disc(418, 330 + i * 44, 7, gold)) +
    shape('M120 108 L160 420 H80Z', green) +
    shape('M690 108 L734 440 H646Z', ink),
  oven: () =>
    ground(ink) +
    rect(110, 90, 580, 340, green, 16) +
    rect(150, 180, 500, 210, night, 105) +
    rect(180, 330, 440, 12, gold) +
    times(
      4,
      (i) =>
        shape(`M${196 + i * 108} 330 C${196 + i * 108} 268 ${286 + i * 108} 268 ${286 + i * 108} 330Z`, '#d69a52') +
        line(`M${226 + i * 108} 296 l10 18 M${246 + i * 108} 294 l10 18`, '#8d5527', 5),
    ) +
    times(5, (i) => disc(210 + i * 95, 136, 15, i === 2 ? gold : cream)) +
    rect(70, 430, 660, 20, brick),
  circuit: () =>
    ground(night) +
    rect(280, 130, 240, 240, green, 22) +
    rect(320, 170, 160, 160, mint, 12) +
    times(4, (i) =>
      line(
        `M${320 + i * 54} 130 V${60 + (i % 2) * 30} M${320 + i * 54} 370 V${440 - (i % 2) * 30} M280 ${170 + i * 54} H${150 + (i % 2) * 40} M520 ${170 + i * 54} H${650 - (i % 2) * 40}`,
        gold,
        6,
      ),
    ) +
    times(
      4,
      (i) => disc(150 + (i % 2) * 40, 170 + i * 54, 11, brick) + disc(650 - (i % 2) * 40, 170 + i * 54, 11, brick),
    ) +
    line('M352 284 L386 216 H414 L448 284 M366 258 H434', ink, 13),
  seedling: () =>
    ground(cream) +
    disc(400, 470, 300, '#e6d6b4') +
    shape('M90 500 C200 400 600 400 710 500Z', '#7a5433') +
    line('M400 440 C400 340 396 290 404 210', green, 13) +
    shape('M402 300 C320 300 262 250 250 170 C340 170 398 222 402 300Z', green) +
    shape('M404 240 C404 160 462 104 550 96 C556 182 496 238 404 240Z', '#4d9a80') +
    times(3, (i) => disc(250 + i * 150, 462, 19, gold)) +
    line('M260 178 L402 300 M540 106 L404 240', '#d7ebe0', 4),
  ship: () =>
    ground(sky) +
    disc(650, 110, 56, gold) +
    rect(0, 370, 800, 130, green) +
    times(15, (i) =>
      rect(
        176 + (i % 5) * 84,
        262 - Math.floor(i / 5) * 52,
        78,
        46,
        [brick, gold, ink, '#3b7f86', rose][(i * 2 + Math.floor(i / 5)) % 5] ?? ink,
      ),
    ) +
    rect(606, 170, 62, 140, cream) +
    rect(616, 186, 42, 18, ink) +
    shape('M110 312 H730 L676 404 H168Z', ink) +
    times(3, (i) => line(`M${40 + i * 250} ${436 + (i % 2) * 22} q30 -16 60 0 t60 0 t60 0`, mint, 6)),
  scales: () =>
    ground(mint) +
    rect(388, 110, 24, 300, ink) +
    rect(290, 410, 220, 22, ink, 8) +
    disc(400, 100, 24, gold) +
    line('M180 160 H620', ink, 14) +
    line('M180 160 L120 310 M180 160 L240 310 M620 160 L560 310 M620 160 L680 310', green, 5) +
    shape('M100 310 H260 C260 360 220 376 180 376 C140 376 100 360 100 310Z', brick) +
    shape('M540 310 H700 C700 360 660 376 620 376 C580 376 540 360 540 310Z', brick) +
    disc(160, 288, 22, gold) +
    disc(202, 288, 22, gold) +
    disc(600, 288, 22, gold) +
    disc(642, 288, 22, gold),
  arcs: () =>
    ground(cream) +
    ['#b8443a', '#d9803f', '#dfb445', '#4a8f6d', '#3c6f97', '#6a4c86']
      .map((colour, i) => ring(400, 470, 370 - i * 48, colour, 46))
      .join('') +
    disc(400, 470, 104, cream) +
    rect(0, 455, 800, 45, ink),
  shield: () =>
    ground(green) +
    times(8, (i) => line(`M${i * 110 - 40} 500 L${i * 110 + 220} 0`, '#2a7a70', 14)) +
    shape('M400 70 L580 130 V260 C580 360 500 420 400 456 C300 420 220 360 220 260 V130Z', cream) +
    shape('M400 104 L548 154 V260 C548 340 484 392 400 424Z', sand) +
    rect(330, 236, 140, 106, ink, 12) +
    line('M354 236 V206 C354 144 446 144 446 206 V236', ink, 17) +
    disc(400, 280, 14, gold) +
    rect(394, 284, 12, 32, gold, 5),
  tiles: () =>
    ground(night) +
    times(6, (i) => {
      const x = 70 + (i % 3) * 226;
      const y = 66 + Math.floor(i / 3) * 192;
      const colours = [green, gold, brick, '#3b7f86', rose, mint];
      return i === 4
        ? rect(x, y, 206, 172, '#2b3b50', 14) +
            line(
              `M${x + 66} ${y + 62} H${x + 140} M${x + 66} ${y + 88} H${x + 140} M${x + 66} ${y + 114} H${x + 108}`,
              cream,
              8,
            )
        : rect(x, y, 206, 172, colours[i] ?? green, 14) +
            disc(x + 103, y + 74, 32, cream) +
            shape(`M${x + 43} ${y + 172} C${x + 43} ${y + 100} ${x + 163} ${y + 100} ${x + 163} ${y + 172}Z`, ink);
    }),
  console: () =>
    ground('#7c9aa0') +
    rect(90, 130, 620, 250, ink, 110) +
    rect(250, 162, 300, 186, mint, 12) +
    shape('M250 348 V290 L320 240 L380 300 L450 220 L550 310 V348Z', green) +
    disc(480, 204, 20, gold) +
    line('M170 212 V284 M134 248 H206', cream, 24) +
    disc(630, 214, 19, brick) +
    disc(664, 252, 19, gold) +
    disc(596, 252, 19, rose) +
    disc(630, 290, 19, mint),
  hills: () =>
    ground('#e9b384') +
    disc(560, 190, 84, '#d8663f') +
    shape('M0 300 L180 170 L330 290 L520 150 L800 320 V500 H0Z', '#a4523a') +
    shape('M0 370 L220 270 L420 370 L620 280 L800 370 V500 H0Z', '#6d3a33') +
    shape('M0 440 C200 380 600 390 800 440 V500 H0Z', '#2e2530') +
    times(9, (i) => shape(`M${60 + i * 86} 440 l22 -${80 + (i % 3) * 22} l22 ${80 + (i % 3) * 22}Z`, '#2e2530')) +
    line('M300 150 C280 110 330 90 310 50 M350 160 C330 120 380 100 360 60', '#f4dcc3', 9),
  glass: () =>
    ground(brick) +
    disc(250, 180, 180, '#d06a4c') +
    shape('M300 70 H500 C520 230 470 290 400 290 C330 290 280 230 300 70Z', '#f3d9c9') +
    shape('M294 150 H506 C506 240 466 280 400 280 C334 280 294 240 294 150Z', '#7d1f35') +
    rect(393, 286, 14, 130, '#f3d9c9') +
    shape('M310 436 C330 410 470 410 490 436Z', '#f3d9c9') +
    rect(0, 436, 800, 64, '#7c2f20') +
    times(6, (i) => disc(600 + (i % 3) * 46 - Math.floor(i / 3) * 23, 330 + Math.floor(i / 3) * 42, 27, '#4c2a4f')) +
    line('M646 304 C650 270 690 260 706 262', ink, 8),
  tooth: () =>
    ground(sky) +
    disc(400, 250, 200, '#e7f0f1') +
    shape(
      'M400 150 C450 110 540 116 540 210 C540 290 500 310 492 390 C486 430 450 430 444 390 C438 340 424 320 400 320 C376 320 362 340 356 390 C350 430 314 430 308 390 C300 310 260 290 260 210 C260 116 350 110 400 150Z',
      cream,
    ) +
    line('M300 200 C302 176 318 164 338 162', '#ffffff', 11) +
    times(9, (i) => rect(170, 120 + i * 32, 460, 2, 'rgba(31,107,98,.28)')) +
    rect(150, 236, 500, 8, gold) +
    rect(640, 190, 90, 100, ink, 20) +
    disc(668, 240, 14, gold),
  turbines: () =>
    ground('#dfe9dd') +
    disc(140, 120, 58, gold) +
    shape('M0 380 C200 300 420 330 800 290 V500 H0Z', '#8db48f') +
    shape('M0 430 C240 360 520 420 800 370 V500 H0Z', green) +
    [
      [240, 200, 1],
      [450, 150, 1.3],
      [650, 220, 0.9],
    ]
      .map(
        ([x = 0, y = 0, size = 1]) =>
          shape(`M${x - 5 * size} ${y} L${x - 9 * size} 410 H${x + 9 * size} L${x + 5 * size} ${y}Z`, cream) +
          times(
            3,
            (i) =>
              `<g transform="rotate(${i * 120 + 18 * size} ${x} ${y})">${shape(`M${x} ${y} C${x + 17 * size} ${y - 26 * size} ${x + 9 * size} ${y - 80 * size} ${x} ${y - 112 * size} C${x - 5 * size} ${y - 70 * size} ${x - 6 * size} ${y - 30 * size} ${x} ${y}Z`, '#ffffff')}</g>`,
          ) +
          disc(x, y, 9 * size, ink),
      )
      .join('') +
    rect(70, 352, 76, 56, brick) +
    shape('M60 352 L108 316 L156 352Z', ink),
};

/** A drawing for an article. Decorative: the headline beside it says what the article is about. */
export const illustration = (name: string): HtmlEscapedString =>
  raw(
    `<svg class="art" viewBox="0 0 800 500" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">${(drawings[name] ?? drawings['chart'])?.() ?? ''}</svg>`,
  );
