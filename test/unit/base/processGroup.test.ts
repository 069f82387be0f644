import assert from 'node:assert/strict';
import { getGroupOptions, killProcessGroup } from '#base/processGroup.ts';

describe('a process with its children', () => {
	const signalGroup = (platform: NodeJS.Platform, pid: number | undefined, isGone = false) => {
		const signaled: unknown[] = [];
		const kill = (...args: unknown[]) => {
			signaled.push(args);
			if (isGone) {
				throw new Error('ESRCH');
			}
		};
		killProcessGroup({ pid, kill: signal => kill('child', signal) }, 'SIGKILL', platform, kill);
		return signaled;
	};

	it('starts and ends as a group on Linux and macOS', () => {
		for (const platform of ['linux', 'darwin'] as const) {
			assert.deepEqual(getGroupOptions(platform), { detached: true });
			assert.deepEqual(signalGroup(platform, 7), [[-7, 'SIGKILL']]);
		}
	});

	it('ends alone on Windows, or if it was never started', () => {
		assert.deepEqual(getGroupOptions('win32'), { detached: false });
		assert.deepEqual(signalGroup('win32', 7), [['child', 'SIGKILL']]);
		assert.deepEqual(signalGroup('linux', undefined), [['child', 'SIGKILL']]);
	});

	it('may have ended before', () => {
		assert.equal(signalGroup('linux', 7, true).length, 1);
		assert.equal(signalGroup('win32', 7, true).length, 1);
	});
});
