// The host tests on the installed package, after `npm run package` and `node esbuild.mjs --only-tests`.
import { runHostTests } from './lib/hostTests.ts';

const { passes, failures } = await runHostTests('package');
process.exitCode = failures === 0 && passes > 0 ? 0 : 1;
