// All of RxJS that sources and tests import, for `bundled.cjs`.
export * from 'rxjs';
export { AsyncAction } from 'rxjs/internal/scheduler/AsyncAction';
export { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
export { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
export { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
export { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
export { TestScheduler } from 'rxjs/testing';
