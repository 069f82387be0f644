import type { FromGraphHost } from './picture/graphProtocol.ts';

/** Maximum length of a side and number of pixels of a browser's canvas. */
const most = { side: 16_000, pixels: 100_000_000 };

/** Converts an SVG to a PNG in Base64, at double size if possible; empty if the browser can't draw it. */
export async function convertSvgToPng({ svg, width, height }: Extract<FromGraphHost, { type: 'rasterize' }>): Promise<string> {
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
