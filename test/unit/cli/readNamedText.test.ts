import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readNamedText } from '#cli/readFailure.ts';

describe('a text file that is named on the command line', () => {
	let folder: string;
	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-named-'));
	});
	after(() => fs.rmSync(folder, { recursive: true }));

	const readBytes = (bytes: Uint8Array) => {
		const file = path.join(folder, 'a.run.json');
		fs.writeFileSync(file, bytes);
		return readNamedText(file);
	};

	it('may have a byte order mark, which editors add', () => {
		assert.equal(readBytes(Buffer.from('\uFEFF{"model":"é"}')), '{"model":"é"}');
	});

	it('is refused if it has another encoding, instead of reaching the agent with replacement characters', () => {
		for (const encoding of ['latin1', 'utf16le'] as const) {
			assert.throws(() => readBytes(Buffer.from('\uFEFF{"model":"né"}', encoding)), {
				name: 'CliFault',
				message: /a\.run\.json: isn't UTF-8 text\. Expected a text file\.$/,
			});
		}
	});
});
