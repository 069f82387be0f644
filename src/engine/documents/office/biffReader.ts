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
	next(): boolean {
		while (this.#continues()) {
			this.#piece();
		}
		return this.#piece();
	}

	/** Number of unread bytes in the current part of the record. */
	get left(): number {
		return this.#end - this.#place;
	}

	/** True if the record has unread bytes. */
	get hasMore(): boolean {
		return this.left > 0 || this.#continues();
	}

	skip(bytes: number): void {
		for (let rest = bytes; rest > 0; ) {
			const step = Math.min(rest, this.#ready(1) ? this.left : rest);
			this.#place += step;
			rest -= step;
		}
	}

	uint8(): number {
		return this.#ready(1) ? this.#view.getUint8(this.#place++) : 0;
	}

	uint16(): number {
		return this.uint8() | (this.uint8() << 8);
	}

	uint32(): number {
		return (this.uint16() | (this.uint16() << 16)) >>> 0;
	}

	double(): number {
		const view = new DataView(new ArrayBuffer(8));
		for (let index = 0; index < 8; index++) {
			view.setUint8(index, this.uint8());
		}
		return view.getFloat64(0, true);
	}

	/**
	 * Reads the result of a formula: a number or boolean, `text` if a separate string record follows, or undefined for an error or an
	 * empty result.
	 */
	formulaResult(): number | boolean | 'text' | undefined {
		const bytes = Uint8Array.from({ length: 8 }, () => this.uint8());
		if (bytes[6] !== 0xff || bytes[7] !== 0xff) {
			return new DataView(bytes.buffer).getFloat64(0, true);
		}
		return bytes[0] === 0 ? 'text' : bytes[0] === 1 ? bytes[2] === 1 : undefined;
	}

	/** Reads a string with the given number of characters. A flag gives the character width, and is repeated in every continuation. */
	text(characters: number): string {
		const flags = this.uint8();
		const runs = (flags & 8) !== 0 ? this.uint16() : 0;
		const extension = (flags & 4) !== 0 ? this.uint32() : 0;
		let wide = (flags & 1) !== 0;
		const pieces: string[] = [];
		for (let rest = characters; rest > 0; ) {
			if (this.left <= 0) {
				if (!this.#continues()) {
					break;
				}
				this.#piece();
				wide = (this.uint8() & 1) !== 0;
			}
			const count = Math.min(rest, wide ? Math.ceil(this.left / 2) : this.left);
			const bytes = this.#bytes.subarray(this.#place, this.#place + (wide ? count * 2 : count));
			pieces.push(new TextDecoder(wide ? 'utf-16le' : 'latin1').decode(bytes));
			this.#place += bytes.length;
			rest -= Math.max(1, count);
		}
		this.skip(Math.min(runs * 4 + extension, this.#bytes.length));
		return pieces.join('');
	}

	/** Makes the next bytes of the record readable, moving to its continuation if needed. */
	#ready(bytes: number): boolean {
		while (this.left < bytes && this.#continues()) {
			this.#piece();
		}
		return this.left >= bytes;
	}

	#continues(): boolean {
		return this.#at + 4 <= this.#bytes.length && this.#view.getUint16(this.#at, true) === continuation;
	}

	#piece(): boolean {
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
