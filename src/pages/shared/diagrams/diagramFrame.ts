import mermaid from 'mermaid';
import { mostEdges } from './diagramLimits.ts';
import type { DiagramTheme } from './diagramTheme.ts';

/** Draws a diagram as SVG. */
export type RenderSvg = (text: string, theme: DiagramTheme) => Promise<string>;

/** Elements that could contain something foreign. Pictures of SVG load and run nothing, but these would be shown. */
const unwanted = 'script, foreignObject, image, feImage, iframe, audio, video, animate, set';

let count = 0;

/**
 * Runs in a hidden frame, because measuring needs the SVG and its styles in a document.
 * @throws the error of the parser
 */
const renderSvg: RenderSvg = async (text, theme) => {
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
	const { svg } = await mermaid.render(`diagram${++count}`, text);
	const { body } = new DOMParser().parseFromString(svg, 'text/html');
	const root = body.querySelector('svg');
	if (!root) {
		throw new Error('no SVG');
	}
	for (const element of root.querySelectorAll(unwanted)) {
		element.remove();
	}
	return new XMLSerializer().serializeToString(root);
};

Object.assign(window, { renderSvg });
window.dispatchEvent(new Event('rendererReady'));
