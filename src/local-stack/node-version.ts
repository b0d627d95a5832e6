// An optional dependency brings a current Node.js; where it was skipped the system's runs, and an
// old one fails far from the cause. This says so in one line instead.

/** The first release that runs TypeScript unbuilt without a flag, as `package.json` demands. */
const NEEDED: readonly [major: number, minor: number] = [22, 18];

/** @throws Error with one clear line when this Node.js is too old for the service. */
export function assertNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // 23.0 to 23.5 are newer by number only: they still need a flag to run TypeScript.
  const old = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
  if (old || (major === 23 && minor < 6))
    throw new Error(
      `Node.js ${NEEDED.join('.')} or later is needed, this is ${version}. "npm ci" brings one ` +
        'along, unless it is told to omit optional dependencies.',
    );
}
