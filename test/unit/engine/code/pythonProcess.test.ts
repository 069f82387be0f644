import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { PythonProcess } from '#engine/code/pythonProcess.ts';
import { pythonProgram } from '#engine/code/pythonProgram.ts';

const limits = { timeoutMs: 10_000, memoryBytes: 512 * 1024 * 1024, outputBytes: 1024 * 1024 };
const job = { inputs: { x: 2 }, memory: limits.memoryBytes, seconds: 11 };

describe('a Python process on other systems', () => {
	let python: string;
	before(function () {
		const found = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
		if (found.status !== 0) {
			this.skip();
		}
		python = found.stdout.trim();
	});

	const run = async (code: string, platform: NodeJS.Platform, before: string) => {
		await using child = new PythonProcess([python, '-c', before + pythonProgram], platform);
		return JSON.parse(await child.runJob(`${JSON.stringify({ ...job, code })}\n`, limits, new AbortController().signal));
	};

	it('runs the code in the first process on Windows, which has no fork, with the folder of the system', async () => {
		process.env['SYSTEMROOT'] = '/windows';
		const code = 'import os\ndef main(x):\n  return {"y": x * 2, "env": sorted(os.environ.keys() & {"SYSTEMROOT", "PATH", "HOME"})}';
		const reply = await run(code, 'win32', 'import os\ndel os.fork\n').finally(() => delete process.env['SYSTEMROOT']);
		assert.deepEqual(reply.result, { y: 4, env: ['PATH', 'SYSTEMROOT'] });
	});

	it('ends the process of the code on macOS, which has no /proc', async () => {
		const code = 'import os\ndef main(x):\n  return {"y": x * 2, "pid": os.getpid()}';
		const { result } = await run(code, 'darwin', 'import sys\nsys.platform = "darwin"\n');
		assert.equal(result.y, 4);
		assert.throws(() => process.kill(result.pid, 0), { code: 'ESRCH' });
	});
});
