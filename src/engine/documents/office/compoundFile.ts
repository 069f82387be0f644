import { NodeError } from '../../nodes/nodeError.ts';

const magic = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const headerBytes = 512;
const entryBytes = 128;
/** Maximum number of bytes to read from one document: streams that share sectors could exceed the size of the file. */
const maxBytes = 30 * 1024 * 1024;
/** Sector numbers from here on are special values. */
const firstMark = 0xfffffffa;
const noEntry = 0xffffffff;

/** A stream or storage in the file. */
interface Entry {
	readonly name: string;
	readonly start: number;
	readonly size: number;
	readonly left: number;
	readonly right: number;
	readonly child: number;
}

/** True if bytes start like a compound file: an Office document before 2007, an Outlook message, or an encrypted newer document. */
export function isCompoundFile(bytes: Uint8Array): boolean {
	return magic.every((byte, index) => bytes[index] === byte);
}

/** A compound file (MS-CFB), the format of Office before 2007 and of Outlook messages: streams stored in sectors. */
export class CompoundFile {
	readonly #bytes: Uint8Array;
	readonly #view: DataView;
	readonly #sectorBytes: number;
	readonly #miniBytes: number;
	readonly #miniCutoff: number;
	readonly #nextOf: Uint32Array;
	readonly #miniNextOf: Uint32Array;
	readonly #entries: readonly Entry[];
	readonly #miniStream: Uint8Array;
	#read = 0;

	constructor(bytes: Uint8Array) {
		if (!isCompoundFile(bytes) || bytes.length < headerBytes) {
			throw createDamageError();
		}
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const [sectorShift, miniShift] = [this.#view.getUint16(0x1e, true), this.#view.getUint16(0x20, true)];
		if ((sectorShift !== 9 && sectorShift !== 12) || miniShift !== 6) {
			throw createDamageError();
		}
		this.#sectorBytes = 1 << sectorShift;
		this.#miniBytes = 1 << miniShift;
		this.#miniCutoff = this.#view.getUint32(0x38, true);
		this.#nextOf = toUint32Array(concatBytes(this.#listTableSectors().map(sector => this.#getSector(sector))));
		this.#entries = this.#readDirectory(this.#readChain(this.#view.getUint32(0x30, true)));
		this.#miniNextOf = toUint32Array(this.#readChain(this.#view.getUint32(0x3c, true)));
		const root = this.#entries[0];
		this.#miniStream = root ? this.#readChain(root.start) : new Uint8Array();
	}

	/** Returns the names in a storage, or in the root if none is given. */
	listStorageNames(...storage: readonly string[]): string[] {
		return [...this.#findStorageEntries(storage).keys()];
	}

	/**
	 * Returns the bytes of a stream, given the names of its storages and its own name; undefined if it doesn't exist.
	 * @throws {NodeError} if the stream is damaged
	 */
	readStream(...path: readonly string[]): Uint8Array | undefined {
		const entry = this.#findStorageEntries(path.slice(0, -1)).get(path.at(-1) ?? '');
		if (!entry) {
			return undefined;
		}
		const bytes = entry.size < this.#miniCutoff ? this.#readMiniChain(entry.start, entry.size) : this.#readChain(entry.start, entry.size);
		return bytes.subarray(0, entry.size);
	}

	#findStorageEntries(storage: readonly string[]): ReadonlyMap<string, Entry> {
		let found = this.#listChildren(this.#entries[0]);
		for (const name of storage) {
			found = this.#listChildren(found.get(name));
		}
		return found;
	}

	/** Returns the entries of a storage, which form a tree of siblings. */
	#listChildren(storage: Entry | undefined): Map<string, Entry> {
		const found = new Map<string, Entry>();
		const seen = new Set<number>();
		const open = [storage?.child ?? noEntry];
		for (let id = open.pop(); id !== undefined; id = open.pop()) {
			const entry = this.#entries[id];
			if (entry && !seen.has(id)) {
				seen.add(id);
				found.set(entry.name, entry);
				open.push(entry.left, entry.right);
			}
		}
		return found;
	}

	#readDirectory(bytes: Uint8Array): Entry[] {
		const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		return Array.from({ length: Math.floor(bytes.length / entryBytes) }, (_, index) => {
			const at = index * entryBytes;
			const nameBytes = Math.min(64, Math.max(2, view.getUint16(at + 0x40, true))) - 2;
			return {
				name: new TextDecoder('utf-16le').decode(bytes.subarray(at, at + nameBytes)),
				left: view.getUint32(at + 0x44, true),
				right: view.getUint32(at + 0x48, true),
				child: view.getUint32(at + 0x4c, true),
				start: view.getUint32(at + 0x74, true),
				size: view.getUint32(at + 0x78, true),
			};
		});
	}

	/** Returns the sectors with the allocation table: 109 are listed in the header, the others in a chain of sectors. */
	#listTableSectors(): number[] {
		const listed = Array.from({ length: 109 }, (_, index) => this.#view.getUint32(0x4c + index * 4, true));
		const seen = new Set<number>();
		for (let next = this.#view.getUint32(0x44, true); next < firstMark && !seen.has(next); ) {
			seen.add(next);
			const more = toUint32Array(this.#getSector(next));
			listed.push(...more.subarray(0, -1));
			next = more.at(-1) ?? noEntry;
		}
		return [...new Set(listed.filter(sector => sector < firstMark))];
	}

	#readChain(start: number, size = Number.POSITIVE_INFINITY): Uint8Array {
		return this.#followChain(start, size, this.#nextOf, this.#sectorBytes, sector => this.#getSector(sector));
	}

	#readMiniChain(start: number, size: number): Uint8Array {
		const getMiniSector = (sector: number) => this.#miniStream.subarray(sector * this.#miniBytes, (sector + 1) * this.#miniBytes);
		return this.#followChain(start, size, this.#miniNextOf, this.#miniBytes, getMiniSector);
	}

	#followChain(start: number, size: number, nextOf: Uint32Array, bytes: number, part: (sector: number) => Uint8Array): Uint8Array {
		const parts: Uint8Array[] = [];
		for (let sector = start; sector < firstMark && parts.length * bytes < size; sector = nextOf[sector] ?? noEntry) {
			this.#read += bytes;
			if (this.#read > maxBytes || parts.length > nextOf.length) {
				throw createDamageError();
			}
			parts.push(part(sector));
		}
		return concatBytes(parts);
	}

	#getSector(number: number): Uint8Array {
		const at = (number + 1) * this.#sectorBytes;
		return this.#bytes.subarray(at, at + this.#sectorBytes);
	}
}

function createDamageError(): NodeError {
	return new NodeError('The document is damaged, or its parts are larger than 30 MB', 'TextExtractionError');
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
	return new Uint8Array(Buffer.concat(parts));
}

function toUint32Array(bytes: Uint8Array): Uint32Array {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return Uint32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => view.getUint32(index * 4, true));
}
