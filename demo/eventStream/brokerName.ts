/** The addresses of a broker as people may see them: without user, password and token. */
export const brokerName = (url: string): string =>
  url
    .split(',')
    .map((server) => `${/^\w+:\/\//.exec(server)?.[0] ?? ''}${server.split(/@|:\/\//).at(-1) ?? ''}`)
    .join(',');
