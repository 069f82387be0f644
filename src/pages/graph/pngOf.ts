import type { FromGraphHost } from './picture/graphProtocol.ts';

/** Most pixels of a side, and of all: browsers draw no larger canvas. */
const most = { side: 16_000, pixels: 100_000_000 };

/** An SVG as a PNG in Base64, twice as large where that can be drawn; empty where it cannot be drawn at all. */
export async function pngOf({ svg, width, height }: Extract<FromGraphHost, { type: 'rasterize' }>): Promise<string> {
	const image = new Image();
	image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
	try {
		await image.decode();
	} catch {
		return '';
	}
	const scale = Math.min(2, most.side / Math.max(width, height), Math.sqrt(most.pixels / (width * height)));
	const canvas = document.createElement('canvas');
	canvas.width = Math.round(image.naturalWidth * scale);
	canvas.height = Math.round(image.naturalHeight * scale);
	const context = canvas.getContext('2d');
	context?.drawImage(image, 0, 0, canvas.width, canvas.height);
	return canvas.toDataURL('image/png').split(',')[1] ?? '';
}
