// npm run test:host: the host tests on the checkout, as built by `node esbuild.mjs --tests`: all, or those of a part (main, rest).
import { runHostTests } from './lib/hostTests.ts';

const { passes, failures } = await runHostTests('checkout', process.argv[2]);
process.exitCode = failures === 0 && passes > 0 ? 0 : 1;
