// What `hooks.test.tsx` expects of the React that it runs on.
process.env['REACT_MAJOR'] = '18';
