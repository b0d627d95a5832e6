// Prints a summary of a CI run's reports: the ten slowest test files, and how many tests passed and failed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const SLOWEST = 10;
const [folder] = process.argv.slice(2);
const names = existsSync(folder) ? readdirSync(folder) : [];
const reports = names.map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
const files = reports.flatMap((report) => report.testResults);

const slowest = files
  .map(({ name, startTime, endTime }) => ({
    seconds: (endTime - startTime) / 1000,
    file: relative('.', name),
  }))
  .toSorted((a, b) => b.seconds - a.seconds)
  .slice(0, SLOWEST);
console.log('\nThe slowest test files, in seconds:');
for (const { seconds, file } of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);

const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
const passed = sum(({ numPassedTests }) => numPassedTests);
// A file that could not be loaded counts as a failure too.
const unloaded = files.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
const failed = sum(({ numFailedTests }) => numFailedTests) + unloaded.length;
console.log(`\n${passed} passed, ${failed} failed`);
