const continuation = 0x3c;

/** Reads the records of an Excel 97–2003 workbook in order, joining each with its continuation records. Missing bytes read as 0. */
export class BiffReader {
	readonly #bytes: Uint8Array;
	readonly #view: DataView;
	#at: number;
	/** End of the current part of the record. */
	#end = 0;
	#place = 0;
	type = 0;

	constructor(bytes: Uint8Array, place: number) {
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.#at = place;
		this.#end = place;
	}

	/** Moves to the next record. Returns false after the last one. */
	readNextRecord(): boolean {
		while (this.#hasContinuation()) {
			this.#openNextPart();
		}
		return this.#openNextPart();
	}

	/** Number of unread bytes in the current part of the record. */
	get left(): number {
		return this.#end - this.#place;
	}

	/** True if the record has unread bytes. */
	get hasMore(): boolean {
		return this.left > 0 || this.#hasContinuation();
	}

	skipBytes(bytes: number): void {
		for (let rest = bytes; rest > 0; ) {
			const step = Math.min(rest, this.#ensureReadable(1) ? this.left : rest);
			this.#place += step;
			rest -= step;
		}
	}

	readUint8(): number {
		return this.#ensureReadable(1) ? this.#view.getUint8(this.#place++) : 0;
	}

	readUint16(): number {
		return this.readUint8() | (this.readUint8() << 8);
	}

	readUint32(): number {
		return (this.readUint16() | (this.readUint16() << 16)) >>> 0;
	}

	readDouble(): number {
		const view = new DataView(new ArrayBuffer(8));
		for (let index = 0; index < 8; index++) {
			view.setUint8(index, this.readUint8());
		}
		return view.getFloat64(0, true);
	}

	/**
	 * Reads the result of a formula: a number or boolean, `text` if a separate string record follows, or undefined for an error or an
	 * empty result.
	 */
	readFormulaResult(): number | boolean | 'text' | undefined {
		const bytes = Uint8Array.from({ length: 8 }, () => this.readUint8());
		if (bytes[6] !== 0xff || bytes[7] !== 0xff) {
			return new DataView(bytes.buffer).getFloat64(0, true);
		}
		return bytes[0] === 0 ? 'text' : bytes[0] === 1 ? bytes[2] === 1 : undefined;
	}

	/** Reads a string with the given number of characters. A flag for the character width comes first, and again in every continuation. */
	readString(characters: number): string {
		const flags = this.readUint8();
		const runs = (flags & 8) !== 0 ? this.readUint16() : 0;
		const extension = (flags & 4) !== 0 ? this.readUint32() : 0;
		let wide = (flags & 1) !== 0;
		const pieces: string[] = [];
		for (let rest = characters; rest > 0; ) {
			if (this.left <= 0) {
				if (!this.#hasContinuation()) {
					break;
				}
				this.#openNextPart();
				wide = (this.readUint8() & 1) !== 0;
			}
			const count = Math.min(rest, wide ? Math.ceil(this.left / 2) : this.left);
			const bytes = this.#bytes.subarray(this.#place, this.#place + (wide ? count * 2 : count));
			pieces.push(new TextDecoder(wide ? 'utf-16le' : 'latin1').decode(bytes));
			this.#place += bytes.length;
			rest -= Math.max(1, count);
		}
		this.skipBytes(Math.min(runs * 4 + extension, this.#bytes.length));
		return pieces.join('');
	}

	/** Moves to the record's continuation if needed. Returns true if this many bytes can be read. */
	#ensureReadable(bytes: number): boolean {
		while (this.left < bytes && this.#hasContinuation()) {
			this.#openNextPart();
		}
		return this.left >= bytes;
	}

	#hasContinuation(): boolean {
		return this.#at + 4 <= this.#bytes.length && this.#view.getUint16(this.#at, true) === continuation;
	}

	#openNextPart(): boolean {
		if (this.#at + 4 > this.#bytes.length) {
			return false;
		}
		const type = this.#view.getUint16(this.#at, true);
		if (type !== continuation) {
			this.type = type;
		}
		this.#place = this.#at + 4;
		this.#end = Math.min(this.#bytes.length, this.#place + this.#view.getUint16(this.#at + 2, true));
		this.#at = this.#end;
		return true;
	}
}
