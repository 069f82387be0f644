// npm run test:faults [-- --long] [-- --grep NAME]: attacks the built gateway and client, and prints a table of the attacks and their
// results. --long runs them at full size, including those that `npm test` skips.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const args = process.argv.slice(2);
const rest = args.filter(arg => arg !== '--long');
const { status } = spawnSync(
	process.execPath,
	[path.join(root, 'node_modules/mocha/bin/mocha.js'), '--config', 'test/faults/.mocharc.json', 'test/faults/**/*.test.ts', ...rest],
	{ cwd: root, stdio: 'inherit', env: { ...process.env, ...(args.includes('--long') && { FAULTS_LONG: '1' }) } },
);
process.exitCode = status ?? 1;
