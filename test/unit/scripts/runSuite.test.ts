import assert from 'node:assert/strict';
import { runSuite } from '../../../scripts/test/runSuite.ts';

const runCommandLine = (program: string): Promise<{ passed: number; failed: number; output: string }> =>
	runSuite({ name: 'one', counts: 'whole', commands: [['node', '--eval', program]] });

describe('a command of a suite', () => {
	it('passes or fails by its exit code, and what it wrote is kept', async () => {
		const good = await runCommandLine('console.log("well")');
		assert.deepEqual([good.passed, good.failed, good.output], [1, 0, 'well\n']);
		const bad = await runCommandLine('console.error("badly"); process.exitCode = 3');
		assert.deepEqual([bad.passed, bad.failed, bad.output], [0, 1, 'badly\n']);
	});

	it('takes along what it has started and left behind', async function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		// it would run for ever, and hold the pipes as long
		const left = `const { spawn } = require('node:child_process');
			const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
			child.unref();
			console.log(child.pid);`;
		const { passed, output } = await runCommandLine(left);
		assert.equal(passed, 1);
		assert.match(output, /^\d+\n$/);
	});
});
