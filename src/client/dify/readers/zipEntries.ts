import { inflateRawSync } from 'node:zlib';

/** A file of a ZIP archive, still packed. */
export interface ZipEntry {
	readonly name: string;
	/** Unpacks it. Throws if it is damaged or has more than `most` bytes, whatever size the archive says it has. */
	unpack(most: number): Uint8Array;
}

const directoryEnd = 0x06054b50;
const directoryEntry = 0x02014b50;
const fileHeader = 0x04034b50;
/** Bytes of the end of the directory, and of the comment that may follow it. */
const [endBytes, longestComment] = [22, 0xffff];

/**
 * The files that the directory of a ZIP archive lists. Throws if it isn't one, or is encrypted or larger than 4 GB. A library that allocates the size that an
 * archive names unpacks what goes beyond it nevertheless, for hours: here the size that is unpacked is what is bounded.
 */
export function zipEntries(archive: Uint8Array): ZipEntry[] {
	const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
	const end = endOf(bytes);
	const entries: ZipEntry[] = [];
	let at = bytes.readUInt32LE(end + 16);
	for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
		expect(bytes.readUInt32LE(at) === directoryEntry);
		const [flags, method, size] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
		const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map(field => bytes.readUInt16LE(at + field)) as [number, number, number];
		const offset = bytes.readUInt32LE(at + 42);
		const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes);
		entries.push({
			name,
			unpack(most) {
				expect((flags & 1) === 0 && bytes.readUInt32LE(offset) === fileHeader);
				const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
				expect(start + size <= bytes.length);
				const packed = bytes.subarray(start, start + size);
				expect(method === 8 || (method === 0 && size <= most));
				return method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: most });
			},
		});
		at += 46 + nameBytes + extraBytes + commentBytes;
	}
	return entries;
}

function endOf(bytes: Buffer): number {
	for (let at = bytes.length - endBytes; at >= Math.max(0, bytes.length - endBytes - longestComment); at--) {
		if (bytes.readUInt32LE(at) === directoryEnd) {
			return at;
		}
	}
	throw new RangeError('no directory');
}

function expect(holds: boolean): void {
	if (!holds) {
		throw new RangeError('not a ZIP archive that can be read');
	}
}
