import type { Browser, Page } from 'playwright-core';

/** Part of a picture in pixels. */
interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

interface Frame {
	readonly box: Box;
	/** A complete WebP file. */
	readonly webp: Buffer;
	/** Milliseconds that it is shown. */
	duration: number;
}

/** Encodes screenshots as lossless WebP, with the encoder of the browser, so that no other program is needed. */
export class WebpEncoder {
	readonly #page: Page;

	private constructor(page: Page) {
		this.#page = page;
	}

	static async open(browser: Browser): Promise<WebpEncoder> {
		return new WebpEncoder(await browser.newPage());
	}

	/** Encodes a PNG, or a part of it. */
	async encodePng(png: Buffer, part?: Box): Promise<Buffer> {
		const { webp } = (await this.#encodeChange(png, part, false))!;
		return webp;
	}

	/**
	 * Encodes screenshots of the same size as an animated WebP that repeats forever. Each frame contains only the box that changed.
	 * @param shots PNG files with the time in milliseconds that each is shown
	 */
	async encodeAnimation(shots: readonly { readonly png: Buffer; readonly duration: number }[]): Promise<Buffer> {
		const frames: Frame[] = [];
		for (const { png, duration } of shots) {
			const change = await this.#encodeChange(png, undefined, frames.length > 0);
			const last = frames.at(-1);
			if (change) {
				frames.push({ ...change, duration });
			} else if (last) {
				last.duration += duration;
			}
		}
		return formatAnimation(frames);
	}

	/** Encodes a part of a PNG, or its difference from the previous picture; `undefined` if there is no difference. */
	async #encodeChange(png: Buffer, part: Box | undefined, isDifference: boolean): Promise<{ box: Box; webp: Buffer } | undefined> {
		const found = await this.#page.evaluate(
			async ({ data, part, isDifference }) => {
				const state = globalThis as unknown as { before?: ImageData };
				const image = new Image();
				image.src = `data:image/png;base64,${data}`;
				await image.decode();
				const drawBox = (box: { x: number; y: number; width: number; height: number }) => {
					const canvas = document.createElement('canvas');
					[canvas.width, canvas.height] = [box.width, box.height];
					const context = canvas.getContext('2d', { alpha: false })!;
					context.drawImage(image, -box.x, -box.y);
					return { canvas, context };
				};
				let box = part ?? { x: 0, y: 0, width: image.width, height: image.height };
				const now = drawBox({ x: 0, y: 0, width: image.width, height: image.height }).context.getImageData(0, 0, image.width, image.height);
				const { before } = state;
				if (isDifference && before) {
					const [a, b] = [new Uint32Array(before.data.buffer), new Uint32Array(now.data.buffer)];
					let [left, top, right, bottom] = [image.width, image.height, -1, -1];
					for (let at = 0; at < a.length; at++) {
						if (a[at] !== b[at]) {
							const [x, y] = [at % image.width, Math.floor(at / image.width)];
							[left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
						}
					}
					if (right < 0) {
						return undefined;
					}
					// positions of frames are even
					[left, top] = [left - (left % 2), top - (top % 2)];
					box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
				}
				state.before = now;
				// quality 1 is lossless
				const blob = await new Promise<Blob | null>(resolve => drawBox(box).canvas.toBlob(resolve, 'image/webp', 1));
				const url = await new Promise<string>(resolve => {
					const reader = new FileReader();
					reader.onload = () => resolve(String(reader.result));
					reader.readAsDataURL(blob!);
				});
				return { box, data: url.slice(url.indexOf(',') + 1) };
			},
			{ data: png.toString('base64'), part, isDifference },
		);
		return found && { box: found.box, webp: Buffer.from(found.data, 'base64') };
	}
}

/** Formats an animated WebP (the container format of the WebP specification, RIFF with chunks VP8X, ANIM and ANMF). */
function formatAnimation(frames: readonly Frame[]): Buffer {
	const { width, height } = frames[0]!.box;
	const header = Buffer.alloc(10);
	// flag: the file has an animation
	header[0] = 2;
	header.writeUIntLE(width - 1, 4, 3);
	header.writeUIntLE(height - 1, 7, 3);
	const chunks = Buffer.concat([
		Buffer.from('WEBP'),
		formatChunk('VP8X', header),
		// background color, and no limit of repetitions
		formatChunk('ANIM', Buffer.alloc(6)),
		...frames.map(formatFrame),
	]);
	return formatChunk('RIFF', chunks);
}

function formatFrame({ box, webp, duration }: Frame): Buffer {
	const head = Buffer.alloc(16);
	head.writeUIntLE(box.x / 2, 0, 3);
	head.writeUIntLE(box.y / 2, 3, 3);
	head.writeUIntLE(box.width - 1, 6, 3);
	head.writeUIntLE(box.height - 1, 9, 3);
	head.writeUIntLE(Math.round(duration), 12, 3);
	// replaces the picture below instead of blending with it
	head[15] = 2;
	return formatChunk('ANMF', Buffer.concat([head, readBitstream(webp)]));
}

/** Returns the chunk with the pixels of a WebP file. */
function readBitstream(webp: Buffer): Buffer {
	for (let at = 12; at < webp.length; ) {
		const [name, size] = [webp.toString('latin1', at, at + 4), webp.readUInt32LE(at + 4)];
		const end = at + 8 + size + (size % 2);
		if (name === 'VP8L' || name === 'VP8 ') {
			return webp.subarray(at, end);
		}
		at = end;
	}
	throw new Error('The WebP file has no pixels');
}

function formatChunk(name: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8, name);
	head.writeUInt32LE(content.length, 4);
	return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
