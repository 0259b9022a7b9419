import type { Report } from '../../src/model/report';

/** Takes reports, for a test to look at. */
export const reportMock = (): jest.Mock<ReturnType<Report>, Parameters<Report>> =>
  jest.fn<ReturnType<Report>, Parameters<Report>>();

/** What was reported, a line each: message and cause. */
export const linesOf = ({ mock }: ReturnType<typeof reportMock>): string[] =>
  mock.calls.map(([message, cause]) => `${message}: ${cause instanceof Error ? cause.message : ''}`);
