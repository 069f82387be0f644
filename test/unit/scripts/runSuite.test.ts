import assert from 'node:assert/strict';
import { runSuite } from '../../../scripts/test/runSuite.ts';

const runCommandLine = (program: string): Promise<{ passed: number; failed: number; output: string }> =>
	runSuite({ name: 'one', counts: 'whole', commands: [['node', '--eval', program]] });

describe('a command of a suite', () => {
	it('passes or fails by its exit code, and its output is kept', async () => {
		const good = await runCommandLine('console.log("well")');
		assert.deepEqual([good.passed, good.failed, good.output], [1, 0, 'well\n']);
		const bad = await runCommandLine('console.error("badly"); process.exitCode = 3');
		assert.deepEqual([bad.passed, bad.failed, bad.output], [0, 1, 'badly\n']);
	});

	it('kills child processes that are still running when it exits', async function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		// the child would run forever and keep the pipes open
		const left = `const { spawn } = require('node:child_process');
			const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
			child.unref();
			console.log(child.pid);`;
		const { passed, output } = await runCommandLine(left);
		assert.equal(passed, 1);
		assert.match(output, /^\d+\n$/);
	});
});
