import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { makeTempFolder, removeFolder } from '../../../../scripts/lib/tempFolder.ts';
import { readZip } from '../../../../scripts/lib/zipFile.ts';
import { linkToRepository } from '../../../../scripts/release/cliPackage.ts';
import { readTarball } from '../../../../scripts/release/tarball.ts';
import { unifyModes } from '../../../../scripts/release/unifyModes.ts';

describe('the files of a release', () => {
	let folder: string;
	beforeEach(() => {
		folder = makeTempFolder();
	});
	afterEach(() => removeFolder(folder));

	it('have the same modes in a zip archive, whatever the umask was', () => {
		const files = [0o100664, 0o100600].map(mode => {
			const file = path.join(folder, `${mode}.zip`);
			fs.writeFileSync(file, createZip('a.txt', 'text', mode));
			unifyModes(file);
			return file;
		});
		assert.deepEqual(fs.readFileSync(files[0]!), fs.readFileSync(files[1]!));
		assert.equal(fs.readFileSync(files[0]!).readUInt32LE(createZip('a.txt', 'text', 0).indexOf('PK\x01\x02') + 38) >>> 16, 0o100644);
		assert.deepEqual(
			readZip(files[0]!).map(({ name, readContent }) => [name, readContent().toString()]),
			[['a.txt', 'text']],
		);
	});

	it('are read from an npm package', () => {
		const file = path.join(folder, 'a.tgz');
		const header = Buffer.alloc(512);
		header.write('package/dist/a.js');
		header.write('00000000003 ', 124);
		fs.writeFileSync(file, zlib.gzipSync(Buffer.concat([header, Buffer.alloc(512, 'abc\0'), Buffer.alloc(1024)])));
		assert.deepEqual(
			[...readTarball(file)].map(([name, content]) => [name, content.toString()]),
			[['dist/a.js', 'abc']],
		);
	});

	it('link to the repository from a page without its neighbors', () => {
		const page = '[a](b.md#c) ![d](e.webp) [f](../samples/g.md) [h](https://i.example) [j](#k)';
		assert.equal(
			linkToRepository(page, 'docs', 'https://r/blob/HEAD'),
			'[a](https://r/blob/HEAD/docs/b.md#c) ![d](https://r/blob/HEAD/docs/e.webp) [f](https://r/blob/HEAD/samples/g.md) [h](https://i.example) [j](#k)',
		);
	});
});

/** Creates a zip archive with one stored file. */
function createZip(name: string, text: string, mode: number): Buffer {
	const local = Buffer.alloc(30);
	local.write('PK\x03\x04');
	const entry = Buffer.alloc(46);
	entry.write('PK\x01\x02');
	for (const [header, at] of [
		[local, 18],
		[entry, 20],
	] as const) {
		header.writeUInt32LE(text.length, at);
		header.writeUInt32LE(text.length, at + 4);
		header.writeUInt16LE(name.length, at + 8);
	}
	entry.writeUInt32LE(mode * 0x1_0000, 38);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06');
	end.writeUInt16LE(1, 10);
	end.writeUInt32LE(local.length + name.length + text.length, 16);
	return Buffer.concat([local, Buffer.from(name + text), entry, Buffer.from(name), end]);
}
