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
	return findDirectoryEntries(bytes, file).map(at => {
		const [method, size, header] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
		const name = bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28));
		return { name, readContent: () => unpackEntry(bytes, header, size, method) };
	});
}

/**
 * Returns the offsets of the entries in the directory of a zip archive.
 * @param file its name, for errors
 */
export function findDirectoryEntries(bytes: Buffer, file: string): number[] {
	const signature = Buffer.alloc(4);
	signature.writeUInt32LE(endOfDirectory);
	const end = bytes.lastIndexOf(signature);
	if (end < 0) {
		throw new Error(`${file} is not a zip archive`);
	}
	const offsets: number[] = [];
	let at = bytes.readUInt32LE(end + 16);
	for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
		if (bytes.readUInt32LE(at) !== directoryEntry) {
			throw new Error(`${file} has a broken directory`);
		}
		offsets.push(at);
		at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
	}
	return offsets;
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
