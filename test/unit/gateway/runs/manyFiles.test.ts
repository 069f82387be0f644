import assert from 'node:assert/strict';
import { createRunFiles } from '#engine/run/runFiles.ts';
import { RunService } from '#gateway/runs/runService.ts';

describe('a run with one upload listed very often', () => {
	const files = Array(1_000).fill({ type: 'document', transfer_method: 'local_file', upload_file_id: 'u' });

	it('looks up the upload once for the check', () => {
		const asked: string[] = [];
		const uploads = { get: (id: string) => asked.push(id) && (id === 'u' ? { id } : undefined) };
		const runs = new RunService({ store: { uploads } } as never);
		runs.checkUploads('files', files);
		assert.deepEqual(asked, ['u']);
		const unknown = { type: 'document', transfer_method: 'local_file', upload_file_id: 'x' } as const;
		assert.throws(() => runs.checkUploads('files', [...files, unknown]), /isn't the ID of an uploaded file/);
	});

	it('looks up the upload once for the values of nodes', () => {
		let asked = 0;
		const describeUpload = () => {
			asked++;
			return { name: 'a.txt', mimeType: 'text/plain', size: 1 };
		};
		assert.equal(createRunFiles(files, { files: { describeUpload } })[999]?.filename, 'a.txt');
		assert.equal(asked, 1);
	});
});
