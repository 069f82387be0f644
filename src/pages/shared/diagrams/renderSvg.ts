import mermaid from 'mermaid';
import { mostEdges } from './diagramLimits.ts';
import type { DiagramTheme } from './diagramTheme.ts';

/** Elements that could contain something foreign. Pictures of SVG load and run nothing, but these would be shown. */
const unwanted = 'script, foreignObject, image, feImage, iframe, audio, video, animate, set';

let count = 0;

/**
 * Draws a diagram as SVG.
 * @throws the error of the parser
 */
export async function renderSvg(text: string, theme: DiagramTheme): Promise<string> {
	mermaid.initialize({
		startOnLoad: false,
		securityLevel: 'strict',
		suppressErrorRendering: true,
		htmlLabels: false,
		maxEdges: mostEdges,
		logLevel: 'fatal',
		theme: 'base',
		themeVariables: { ...theme.variables },
		fontFamily: theme.fontFamily,
		// a diagram's own configuration is ignored: it could set styles, fonts, HTML labels and higher limits
		secure: Object.keys(mermaid.mermaidAPI.defaultConfig),
	});
	// texts are measured, so the SVG needs a layout until it's complete
	const container = document.body.appendChild(document.createElement('div'));
	container.className = 'diagramDraft';
	container.inert = true;
	try {
		const { svg } = await mermaid.render(`diagram${++count}`, text, container);
		return cleanSvg(svg);
	} finally {
		container.remove();
	}
}

function cleanSvg(svg: string): string {
	const { body } = new DOMParser().parseFromString(svg, 'text/html');
	const root = body.querySelector('svg');
	if (!root) {
		throw new Error('no SVG');
	}
	for (const element of root.querySelectorAll(unwanted)) {
		element.remove();
	}
	return new XMLSerializer().serializeToString(root);
}
