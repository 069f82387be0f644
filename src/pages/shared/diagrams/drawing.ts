import type { RenderSvg } from './diagramFrame.ts';
import type { DiagramTheme } from './diagramTheme.ts';

/** A drawn diagram. */
interface Drawing {
	/** Data URL of the picture. */
	readonly url: string;
	readonly width: number;
	/** Title and description that the diagram's text gives. */
	readonly name: string;
}

let renderer: Promise<RenderSvg> | undefined;

/**
 * Draws a diagram. The result is a picture of an SVG, in which no script runs, nothing is loaded and
 * styles affect nothing else.
 * @throws the error of Mermaid's parser
 */
export async function drawDiagram(text: string, theme: DiagramTheme): Promise<Drawing> {
	renderer ??= loadRenderer();
	const renderSvg = await renderer;
	return createDrawing(await renderSvg(text, theme));
}

/**
 * Loads Mermaid into a hidden frame, because the styles of a diagram could affect the page while it is measured. The frame has the page's
 * Content-Security-Policy.
 */
function loadRenderer(): Promise<RenderSvg> {
	const own = document.querySelector<HTMLScriptElement>('script[src]');
	const frame = document.createElement('iframe');
	frame.className = 'diagramFrame';
	frame.inert = true;
	frame.title = '';
	frame.setAttribute('aria-hidden', 'true');
	document.body.append(frame);
	const { contentDocument, contentWindow } = frame;
	return new Promise((resolve, reject) => {
		if (!own || !contentDocument || !contentWindow) {
			reject(new Error('no frame'));
			return;
		}
		contentWindow.addEventListener('rendererReady', () => resolve((contentWindow as unknown as { renderSvg: RenderSvg }).renderSvg));
		const script = contentDocument.createElement('script');
		script.type = 'module';
		script.nonce = own.nonce;
		script.src = new URL('diagrams.js', own.src).href;
		script.addEventListener('error', () => {
			renderer = undefined;
			frame.remove();
			reject(new Error(script.src));
		});
		contentDocument.body.append(script);
	});
}

/** Turns an SVG into a picture. */
export function createDrawing(svg: string): Drawing {
	const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
	const [, , width = 0, height = 0] = (documentElement.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
	// a picture without a size would be 300 pixels wide
	documentElement.setAttribute('width', String(width));
	documentElement.setAttribute('height', String(height));
	const name = ['title', 'desc'].map(tag => documentElement.querySelector(`:scope > ${tag}`)?.textContent?.trim()).filter(Boolean);
	return {
		url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(documentElement))}`,
		width,
		name: name.join('. '),
	};
}
