const continuation = 0x3c;

/** Reads the records of a workbook of Excel 97 to 2003 one after the other, each with those that only continue it. What is missing reads as 0. */
export class BiffReader {
	readonly #bytes: Uint8Array;
	readonly #view: DataView;
	#at: number;
	/** Of the piece of the record that is being read. */
	#end = 0;
	#place = 0;
	type = 0;

	constructor(bytes: Uint8Array, place: number) {
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.#at = place;
		this.#end = place;
	}

	/** Goes to the next record; false behind the last. */
	next(): boolean {
		while (this.#continues()) {
			this.#piece();
		}
		return this.#piece();
	}

	/** Bytes of this piece of the record that were not read. */
	get left(): number {
		return this.#end - this.#place;
	}

	/** Whether anything of the record was not read. */
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

	/** What a formula gave: a number or a truth, `text` where it follows as a record of its own, undefined for an error or nothing. */
	formulaResult(): number | boolean | 'text' | undefined {
		const bytes = Uint8Array.from({ length: 8 }, () => this.uint8());
		if (bytes[6] !== 0xff || bytes[7] !== 0xff) {
			return new DataView(bytes.buffer).getFloat64(0, true);
		}
		return bytes[0] === 0 ? 'text' : bytes[0] === 1 ? bytes[2] === 1 : undefined;
	}

	/** A text of so many characters, which says itself how wide they are, and again wherever the record is continued. */
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

	/** Makes the next byte of the record readable, in its continuation too. */
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
