// A reporter for Stryker, which shows each surviving mutant as soon as its tests have ended, so that a run that is
// stopped has told what it found.
import { relative } from 'node:path';

interface Tested {
  fileName: string;
  location: { start: { line: number } };
  mutatorName: string;
  replacement: string;
  status: string;
}

class SurvivorsReporter {
  onMutantTested({ fileName, location, mutatorName, replacement, status }: Tested): void {
    if (status !== 'Survived' && status !== 'NoCoverage') return;
    const text = replacement.replaceAll(/\s+/g, ' ');
    console.log(`SURVIVED ${relative('.', fileName)}:${location.start.line}  ${mutatorName}: ${text}`);
  }
}

/** The list by which Stryker finds what a plugin has. */
export const strykerPlugins = [{ kind: 'Reporter', name: 'survivors', injectableClass: SurvivorsReporter }];
