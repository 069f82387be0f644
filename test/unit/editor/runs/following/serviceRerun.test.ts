import assert from 'node:assert/strict';
import { rerunRequest } from '#editor/runs/following/serviceRerun.ts';

describe('a run of a service that is begun once more', () => {
	const again = (inputs: Record<string, unknown> | string) => rerunRequest({ inputs }, 'summarize', 'ana');

	it('is given what it was given, whether its service tells that as JSON or as a text', () => {
		const wanted = { model: 'summarize', inputs: { text: 'a', sentences: 2 }, response_mode: 'streaming', user: 'ana' };
		assert.deepEqual(again({ text: 'a', sentences: 2 }), wanted);
		assert.deepEqual(again('{"text": "a", "sentences": 2}'), wanted);
	});

	it('leaves out what the system added, and sends files as a request names them', () => {
		const stored = { dify_model_identity: '__dify__file__', type: 'image', filename: 'a.png' };
		const request = again({
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

	it('is refused where its service does not tell what it was given', () => {
		for (const inputs of ['', 'null', '{"cut', '[]']) {
			assert.throws(() => again(inputs), { reason: 'no-inputs' });
		}
	});
});
