import fs from 'node:fs';
import zlib from 'node:zlib';

const blockSize = 512;

/**
 * Reads the files of an npm package (.tgz) by their path in it. Supports what npm writes: regular files, with names of at most 255 bytes.
 */
export function readTarball(file: string): Map<string, Buffer> {
	const bytes = zlib.gunzipSync(fs.readFileSync(file));
	const files = new Map<string, Buffer>();
	let at = 0;
	while (bytes[at]) {
		const size = Number.parseInt(readField(bytes, at + 124, 12), 8);
		const name = [readField(bytes, at + 345, 155), readField(bytes, at, 100)].filter(Boolean).join('/');
		files.set(name.replace(/^package\//, ''), bytes.subarray(at + blockSize, at + blockSize + size));
		at += blockSize + Math.ceil(size / blockSize) * blockSize;
	}
	return files;
}

function readField(bytes: Buffer, offset: number, length: number): string {
	const text = bytes.toString('latin1', offset, offset + length);
	return text.split('\0')[0]!.trim();
}
