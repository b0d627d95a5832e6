// The reporters of a test run. On CI each run also writes a report, from which .ci/run counts tests.

/** Each run writes its own file, since one command may have several runs. */
const REPORT = { outputFile: `.data/test-reports/${process.pid}.json` };

export const reporters: ['default', ...['json', typeof REPORT][]] = process.env.CI
  ? ['default', ['json', REPORT]]
  : ['default'];
