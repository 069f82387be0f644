import zlib from 'node:zlib';

/** A compressed file of a ZIP archive. */
export interface ZipEntry {
	readonly name: string;
	/**
	 * Unpacks the file. Returns undefined if it has more than `most` bytes, whatever size the archive claims. Throws if the file is damaged.
	 */
	unpack(most: number): Uint8Array | undefined;
}

const directoryEnd = 0x06054b50;
const zip64Locator = 0x07064b50;
const zip64DirectoryEnd = 0x06064b50;
const directoryEntry = 0x02014b50;
const fileHeader = 0x04034b50;
/** Size of the end-of-directory record, and maximum length of the comment that may follow it, in bytes. */
const [endBytes, longestComment] = [22, 0xffff];
/** Marks a number that is stored in the ZIP64 field of an entry. */
const inZip64Field = 0xffffffff;

/**
 * Lists the files in the directory of a ZIP archive. Throws if the data isn't a ZIP archive or is encrypted. We don't use a library: those
 * that allocate the size that an archive claims still unpack everything beyond it, for hours. Here, the unpacked size is limited.
 */
export function readZipEntries(archive: Uint8Array): ZipEntry[] {
	const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
	const entries: ZipEntry[] = [];
	let { count, at } = findZipDirectory(bytes);
	for (; count > 0; count--) {
		requireValid(bytes.readUInt32LE(at) === directoryEntry);
		const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
		const checksum = bytes.readUInt32LE(at + 16);
		const extra = at + 46 + bytes.readUInt16LE(at + 28);
		const end = extra + bytes.readUInt16LE(at + 30);
		const { size, offset } = readSizeAndOffset(bytes, at, bytes.subarray(extra, end));
		entries.push({
			name: bytes.toString('utf8', at + 46, extra),
			unpack(most) {
				requireValid((flags & 1) === 0 && bytes.readUInt32LE(offset) === fileHeader);
				const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
				requireValid(start + size <= bytes.length && (method === 0 || method === 8));
				const packed = bytes.subarray(start, start + size);
				const unpacked = method === 0 ? packed : inflateEntry(packed, most);
				if (!unpacked || unpacked.length > most) {
					return undefined;
				}
				requireValid(zlib.crc32(unpacked) === checksum);
				return unpacked;
			},
		});
		at = end + bytes.readUInt16LE(at + 32);
	}
	return entries;
}

function findZipDirectory(bytes: Buffer): { readonly count: number; readonly at: number } {
	for (let end = bytes.length - endBytes; end >= Math.max(0, bytes.length - endBytes - longestComment); end--) {
		if (bytes.readUInt32LE(end) !== directoryEnd) {
			continue;
		}
		if (end < 20 || bytes.readUInt32LE(end - 20) !== zip64Locator) {
			return { count: bytes.readUInt16LE(end + 10), at: bytes.readUInt32LE(end + 16) };
		}
		const zip64End = readUInt64(bytes, end - 12);
		requireValid(bytes.readUInt32LE(zip64End) === zip64DirectoryEnd);
		return { count: readUInt64(bytes, zip64End + 32), at: readUInt64(bytes, zip64End + 48) };
	}
	throw new RangeError('invalid zip data');
}

/** Reads the compressed size and the offset of a file from its directory entry. Some programs write ZIP64 fields for small files too. */
function readSizeAndOffset(bytes: Buffer, entry: number, extra: Buffer): { readonly size: number; readonly offset: number } {
	const field = findZip64Field(extra);
	let next = 0;
	const [, size, offset] = [24, 20, 42].map(at => {
		const value = bytes.readUInt32LE(entry + at);
		return value === inZip64Field && field ? readUInt64(field, 8 * next++) : value;
	}) as [number, number, number];
	return { size, offset };
}

function findZip64Field(extra: Buffer): Buffer | undefined {
	for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
		if (extra.readUInt16LE(at) === 1) {
			return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
		}
	}
	return undefined;
}

function readUInt64(bytes: Buffer, at: number): number {
	return Number(bytes.readBigUInt64LE(at));
}

/** Returns undefined if the unpacked data has more than `most` bytes. */
function inflateEntry(packed: Buffer, most: number): Buffer | undefined {
	try {
		// plus one, because zlib refuses 0
		return zlib.inflateRawSync(packed, { maxOutputLength: most + 1 });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
			return undefined;
		}
		throw error;
	}
}

function requireValid(holds: boolean): void {
	if (!holds) {
		throw new RangeError('invalid zip data');
	}
}
