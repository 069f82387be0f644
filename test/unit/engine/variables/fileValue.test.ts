import assert from 'node:assert/strict';
import { getFileMember } from '#engine/variables/fileMember.ts';
import { type FileValue, formatFileMarkdown, toFileValue } from '#engine/variables/fileValue.ts';

describe('a file of a run', () => {
	it('keeps its name if version 0.1.0 saved it', () => {
		const { filename, ...rest } = toFileValue({ type: 'document', transfer_method: 'remote_url', url: 'https://files.example/a.pdf' });
		const saved = { ...rest, name: filename } as unknown as FileValue;
		assert.equal(getFileMember(saved, 'name'), 'a.pdf');
		assert.equal(formatFileMarkdown(saved), '[a.pdf](https://files.example/a.pdf)');
	});
});
