import fs from 'node:fs';
import zlib from 'node:zlib';

/** One file in an archive. */
export interface ZipEntry {
	name: string;
	/** Returns the unpacked content. */
	readContent(): Buffer;
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/**
 * Reads the files of a zip archive, such as a .vsix: stored or deflated, below 4 GB.
 * @throws if the file isn't such an archive
 */
export function readZip(file: string): ZipEntry[] {
	const bytes = fs.readFileSync(file);
	const signature = Buffer.alloc(4);
	signature.writeUInt32LE(endOfDirectory);
	const end = bytes.lastIndexOf(signature);
	if (end < 0) {
		throw new Error(`${file} is not a zip archive`);
	}
	const entries: ZipEntry[] = [];
	let at = bytes.readUInt32LE(end + 16);
	for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
		if (bytes.readUInt32LE(at) !== directoryEntry) {
			throw new Error(`${file} has a broken directory`);
		}
		const [method, size, header] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
		const [nameLength, extraLength, commentLength] = [28, 30, 32].map(offset => bytes.readUInt16LE(at + offset)) as [
			number,
			number,
			number,
		];
		const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
		entries.push({ name, readContent: () => unpackEntry(bytes, header, size, method) });
		at += 46 + nameLength + extraLength + commentLength;
	}
	return entries;
}

/**
 * Returns the content of an entry. Uses the lengths of name and extra field in the local header, which can differ from those in the
 * directory.
 */
function unpackEntry(bytes: Buffer, header: number, size: number, method: number): Buffer {
	const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
	const packed = bytes.subarray(start, start + size);
	return method === 0 ? packed : zlib.inflateRawSync(packed);
}
