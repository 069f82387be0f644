// node scripts/testVsix.ts [main|rest]: the host tests on the installed package, all or those of a part, after `npm run package` and `node
// esbuild.mjs --only-tests`.
import { runHostTests } from './lib/hostTests.ts';

const { passes, failures } = await runHostTests('package', process.argv[2]);
process.exitCode = failures === 0 && passes > 0 ? 0 : 1;
