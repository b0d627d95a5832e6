// Refuses an old Node.js in one line. An optional dependency installs a current one; where it was skipped, the
// system's Node.js runs, and an old one would fail with an error that does not tell the cause.

/** The first release that runs TypeScript unbuilt without a flag, as `package.json` demands. */
const NEEDED: readonly [major: number, minor: number] = [22, 18];

/** @throws Error when this Node.js is too old for the service */
export function assertNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // Node.js 23.0 to 23.5 still need a flag to run TypeScript.
  const old = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
  if (old || (major === 23 && minor < 6))
    throw new Error(
      `Node.js ${NEEDED.join('.')} or later is needed, this is ${version}. "npm ci" brings one ` +
        'along, unless it is told to omit optional dependencies.',
    );
}
