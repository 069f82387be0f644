import path from 'node:path';
import { root } from '../../lib/paths.ts';
import { runQuietly } from '../cleanCopy.ts';

/**
 * Check 9: the built extension installs and activates in an editor, and the built command line installs in an empty folder and runs an agent.
 * Runs the tests of the packages, which use the files in dist/.
 */
export function checkInstallation(): string[] {
	const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
	runQuietly(root, [path.join(root, 'esbuild.mjs'), '--only-tests']);
	runQuietly(root, [mocha, '--config', 'test/vsix/.mocharc.json']);
	runQuietly(root, [mocha, '--config', 'test/cli/.mocharc.json', 'test/cli/package.test.ts']);
	runQuietly(root, [path.join(root, 'scripts/testVsix.ts'), 'main'], { GREP: 'activation' });
	return [];
}
