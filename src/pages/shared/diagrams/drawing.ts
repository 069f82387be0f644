import type { DiagramTheme } from './diagramTheme.ts';

/** A drawn diagram. */
interface Drawing {
	/** Data URL of the picture. */
	readonly url: string;
	readonly width: number;
	/** Title and description that the diagram's text gives. */
	readonly name: string;
}

/**
 * Draws a diagram. The result is a picture of an SVG, in which no script runs, nothing is loaded and styles affect nothing else.
 * @throws the error of Mermaid's parser
 */
export async function drawDiagram(text: string, theme: DiagramTheme): Promise<Drawing> {
	// loaded with the first diagram
	const { renderSvg } = await import('./renderSvg.ts');
	return createDrawing(await renderSvg(text, theme));
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
