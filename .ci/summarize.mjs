// Judges a CI run by its reports. `explains FOLDER` tells whether tests failed in the runs of one phase, and nothing
// else did. `again FOLDER` repeats each file that failed once, alone; a file that then passes is unsteady: it is
// listed, and counts as passed. The last lines are a summary.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const SLOWEST = 10;
/** More unsteady files than this fail the run. */
const UNSTEADY_MAX = 3;
/** If more files than this have failed, none is repeated: the run has failed, and it has a time limit. */
const REPEATED_MAX = 10;

const [command, folder] = process.argv.slice(2);
const runs = readRuns(folder);
const files = runs.flatMap((run) => run.files);

if (command === 'explains') {
  const isExplained = files.some(({ failed }) => failed > 0) && runs.every(({ errors }) => errors.length === 0);
  process.exit(isExplained ? 0 : 1);
}

const failures = files.filter(({ failed }) => failed > 0);
const repeated = failures.length <= REPEATED_MAX ? failures : [];
const unsteady = repeated.filter((file, index) => passesAlone(file, `${folder}/again-${index}`));
const judged = files.map((file) =>
  unsteady.includes(file) ? { ...file, passed: file.passed + file.failed, failed: 0 } : file,
);
const sum = (name) => judged.reduce((total, file) => total + file[name], 0);

console.log('\nThe slowest test files, in seconds:');
for (const { ms, file } of files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
  console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${file}`);
if (unsteady.length > 0) {
  console.log(`\nUnsteady files, which failed and passed when they ran again, alone (at most ${UNSTEADY_MAX} may):`);
  for (const { project, file, firstFailure } of unsteady) console.log(`  ${file} (${project})\n    ${firstFailure}`);
}
writeFileSync(`${folder}/unsteady.json`, JSON.stringify(unsteady, null, 2));
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') > 0 || unsteady.length > UNSTEADY_MAX ? 1 : 0);

/** @returns all reports of a folder and of its phases, see test/support/reporters.ts */
function readRuns(path) {
  if (!existsSync(path)) return [];
  const names = readdirSync(path, { recursive: true }).filter((name) => /\d+\.json$/.test(name));
  return names.map((name) => JSON.parse(readFileSync(`${path}/${name}`, 'utf8')));
}

/** Runs one file again, with as many interleavings as `npm run test:system`. */
function passesAlone({ config, project, file }, reports) {
  console.log(`\n${file} of ${project || config} failed, and runs again, alone.`);
  const env = { ...process.env, TEST_REPORTS: reports, INTERLEAVINGS: '120' };
  const args = ['vitest', 'run', '--config', config, ...(project ? ['--project', project] : []), file];
  const { status } = spawnSync('npx', args, { stdio: 'inherit', env });
  return status === 0 && readRuns(reports).some((run) => run.files.some(({ passed }) => passed > 0));
}
