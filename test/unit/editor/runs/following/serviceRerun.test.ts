import assert from 'node:assert/strict';
import { createRerunRequest } from '#editor/runs/following/serviceRerun.ts';

describe("a request that repeats a service's run", () => {
	const createRerun = (inputs: Record<string, unknown> | string) => createRerunRequest({ inputs }, 'summarize', 'ana');

	it('contains the inputs of the run, whether they are an object or JSON in a string', () => {
		const wanted = { model: 'summarize', inputs: { text: 'a', sentences: 2 }, response_mode: 'streaming', user: 'ana' };
		assert.deepEqual(createRerun({ text: 'a', sentences: 2 }), wanted);
		assert.deepEqual(createRerun('{"text": "a", "sentences": 2}'), wanted);
	});

	it('omits system variables, and converts files to the form of a request', () => {
		const stored = { dify_model_identity: '__dify__file__', type: 'image', filename: 'a.png' };
		const request = createRerun({
			'sys.user_id': 'someone',
			'sys.files': [{ ...stored, transfer_method: 'local_file', related_id: 'u1', remote_url: null }],
			photo: { ...stored, transfer_method: 'remote_url', remote_url: 'https://example.com/a.png' },
			pages: [{ ...stored, transfer_method: 'local_file', upload_file_id: 'u2' }],
			settings: { type: 'image' },
		});
		assert.deepEqual(request.files, [{ type: 'image', transfer_method: 'local_file', upload_file_id: 'u1' }]);
		assert.deepEqual(request.inputs, {
			photo: { type: 'image', transfer_method: 'remote_url', url: 'https://example.com/a.png' },
			pages: [{ type: 'image', transfer_method: 'local_file', upload_file_id: 'u2' }],
			settings: { type: 'image' },
		});
	});

	it("isn't created if the service doesn't report the inputs", () => {
		for (const inputs of ['', 'null', '{"cut', '[]']) {
			assert.throws(() => createRerun(inputs), { reason: 'no-inputs' });
		}
	});
});
