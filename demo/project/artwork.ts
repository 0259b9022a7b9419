/** A picture that needs no server: a card with two lines of text as a data URL. */
export const svgImage = (title: string, line: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    [
      '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400">',
      '<rect width="640" height="400" fill="#0d3b36"/>',
      '<circle cx="520" cy="90" r="150" fill="#17574f"/><circle cx="570" cy="330" r="90" fill="#c9a24b" opacity="0.85"/>',
      '<rect x="56" y="66" width="64" height="6" fill="#c9a24b"/>',
      `<text x="56" y="190" font-family="Georgia, serif" font-size="34" fill="#ffffff">${title}</text>`,
      `<text x="56" y="240" font-family="Georgia, serif" font-size="24" fill="#d9e5e2">${line}</text>`,
      '<text x="56" y="344" font-family="Helvetica, Arial, sans-serif" font-size="16" letter-spacing="3" fill="#d9e5e2">THE LEDGER POST</text>',
      '</svg>',
    ].join(''),
  )}`;
