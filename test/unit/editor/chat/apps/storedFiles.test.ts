import assert from 'node:assert/strict';
import { getSaveName } from '#editor/chat/apps/storedFiles.ts';

describe('the name of a saved file', () => {
	it('has no folder, and is never empty', () => {
		assert.deepEqual(['plan.pdf', '../../.bashrc', 'C:\\temp\\plan.pdf', '', '/'].map(getSaveName), [
			'plan.pdf',
			'.bashrc',
			'plan.pdf',
			'file',
			'file',
		]);
	});
});
