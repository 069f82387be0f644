import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cleanFileName, getExtension, getFileKind, getMimeType } from '#gateway/uploads/fileKinds.ts';
import { getBoundary, MultipartError, MultipartParser } from '#gateway/uploads/multipart.ts';

interface Part {
	readonly name: string;
	readonly fileName: string | undefined;
	readonly data: Buffer;
}

/** Returns the parts of a form received in these chunks. */
function parseForm(boundary: string, pieces: readonly Buffer[]): { parts: Part[]; ended: boolean } {
	const parser = new MultipartParser(boundary);
	const parts: { name: string; fileName: string | undefined; data: Buffer }[] = [];
	for (const piece of pieces) {
		for (const event of parser.push(piece)) {
			if (event.kind === 'part') {
				parts.push({ name: event.name, fileName: event.fileName, data: Buffer.alloc(0) });
			} else if (event.kind === 'data') {
				const part = parts.at(-1)!;
				part.data = Buffer.concat([part.data, event.data]);
			}
		}
	}
	return { parts, ended: parser.ended };
}

function createForm(boundary: string, parts: readonly { name: string; data: Uint8Array }[]): Buffer {
	const pieces = parts.flatMap(({ name, data }) => [
		Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n`),
		Buffer.from(data),
		Buffer.from('\r\n'),
	]);
	return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

describe('MultipartParser', () => {
	it('returns every byte, however the form is split', () => {
		const bytes = fc
			.uint8Array({ maxLength: 60 })
			.map(data => data.map(byte => (byte % 4 === 0 ? 13 : byte % 4 === 1 ? 10 : byte % 4 === 2 ? 45 : byte)));
		fc.assert(
			fc.property(
				fc.array(fc.record({ name: fc.stringMatching(/^[a-z]{1,5}$/), data: bytes }), { maxLength: 4 }),
				fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 }),
				(parts, sizes) => {
					const whole = createForm('--b', parts);
					const pieces: Buffer[] = [];
					for (let at = 0, i = 0; at < whole.length; i++) {
						const size = sizes[i % sizes.length]!;
						pieces.push(whole.subarray(at, at + size));
						at += size;
					}
					const read = parseForm('--b', pieces);
					assert.ok(read.ended);
					assert.deepEqual(
						read.parts.map(({ name, data }) => ({ name, data: [...data] })),
						parts.map(({ name, data }) => ({ name, data: [...data] })),
					);
				},
			),
		);
	});

	it('reads names as written by clients', () => {
		const createHeader = (disposition: string) =>
			parseForm('b', [Buffer.from(`--b\r\ncontent-disposition: ${disposition}\r\n\r\nx\r\n--b--`)]).parts[0];
		assert.equal(createHeader('form-data; name="file"; filename="a \\"b\\".txt"')?.fileName, 'a "b".txt');
		assert.equal(createHeader('form-data; name=file; filename=a.txt')?.fileName, 'a.txt');
		assert.equal(createHeader('form-data; name="file"; filename="%22.txt"')?.fileName, '".txt');
		assert.equal(createHeader('form-data; name="user"')?.fileName, undefined);
	});

	it('refuses an invalid form', () => {
		assert.throws(() => parseForm('b', [Buffer.from('--bx\r\n')]), MultipartError);
		assert.throws(() => parseForm('b', [Buffer.from('--b\r\nfoo: bar\r\n\r\nx')]), MultipartError);
		assert.throws(() => parseForm('b', [Buffer.from(`--b\r\n${'x'.repeat(20_000)}`)]), MultipartError);
		assert.equal(parseForm('b', [Buffer.from('--b\r\ncontent-disposition: form-data; name=a\r\n\r\nx')]).ended, false);
	});

	it('finds the boundary in a content type', () => {
		assert.equal(getBoundary('multipart/form-data; boundary=abc'), 'abc');
		assert.equal(getBoundary('Multipart/Form-Data; charset=utf-8; boundary="a b"'), 'a b');
		assert.equal(getBoundary('application/json'), undefined);
		assert.equal(getBoundary(undefined), undefined);
	});
});

describe('file names and kinds', () => {
	it('removes the path', () => {
		assert.equal(cleanFileName('../../etc/passwd'), 'passwd');
		assert.equal(cleanFileName('C:\\Users\\x\\a.txt'), 'a.txt');
		assert.equal(cleanFileName('a\u0000\n.txt'), 'a.txt');
		assert.equal([...cleanFileName(`${'x'.repeat(400)}.pdf`)].length, 200);
		assert.match(cleanFileName(`${'x'.repeat(400)}.pdf`), /\.pdf$/);
		for (const name of ['', '..', '/', 'a/', '\u0001']) {
			assert.throws(() => cleanFileName(name));
		}
	});

	it('determines kinds by extension, then by media type', () => {
		assert.equal(getFileKind('png', 'application/octet-stream'), 'image');
		assert.equal(getFileKind('', 'video/mp4'), 'video');
		assert.equal(getFileKind('txt', 'text/plain'), 'document');
		assert.throws(() => getFileKind('exe', 'image/png'));
		assert.equal(getExtension('A.Tar.GZ'), 'gz');
		assert.equal(getMimeType('md', undefined), 'text/markdown');
		assert.equal(getMimeType('md', 'Text/Plain; charset=utf-8'), 'text/plain');
		assert.equal(getMimeType('zzz', 'nonsense'), 'application/octet-stream');
	});
});
