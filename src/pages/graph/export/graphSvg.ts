import { card } from '#agentFile/layout/geometry.ts';
import { type HandleLabels, rowText } from '../cards/rowText.ts';
import { edgePath, isInnerStart } from '../layout/cardSize.ts';
import type { AgentPicture, CardRow, DrawnNode, DrawnNote, LooseEdge } from '../picture/graphTypes.ts';
import type { SvgColors } from './svgColors.ts';

const margin = 24;
/** Number of characters that fit on a card, at an average width. */
const fits = { title: 28, row: 34 } as const;
const font = 'font-family="system-ui, -apple-system, Segoe UI, Roboto, sans-serif"';

/** Formats a graph as a self-contained SVG: only shapes and texts, without scripts or external resources. */
export function graphSvg(picture: AgentPicture, colors: SvgColors, words: HandleLabels): string {
	const { x, y, width, height } = picture;
	const box = `${x - margin} ${y - margin} ${width + 2 * margin} ${height + 2 * margin}`;
	const containers = picture.nodes.filter(({ container }) => container);
	const cards = picture.nodes.filter(({ container }) => !container);
	const inner = new Set(picture.nodes.filter(({ parent }) => parent !== undefined).map(({ id }) => id));
	const edges = (isInner: boolean) => picture.edges.filter(({ source }) => inner.has(source) === isInner).map(edge => edgeOf(edge, colors));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${number(width + 2 * margin)}" height="${number(height + 2 * margin)}" viewBox="${box}" ${font} font-size="13">`,
		`<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8Z" fill="${colors.line}"/></marker></defs>`,
		`<rect x="${number(x - margin)}" y="${number(y - margin)}" width="${number(width + 2 * margin)}" height="${number(height + 2 * margin)}" fill="${colors.paper}"/>`,
		...picture.notes.map(note => noteOf(note, colors)),
		...edges(false),
		...containers.map(node => cardOf(node, colors, words)),
		...edges(true),
		...picture.loose.map(edge => looseOf(edge, colors)),
		...cards.map(node => cardOf(node, colors, words)),
		'</svg>',
	].join('\n');
}

function edgeOf(edge: AgentPicture['edges'][number], { line, failure }: SvgColors): string {
	return `<path d="${edgePath(edge)}" fill="none" stroke="${edge.handle === 'fail-branch' ? failure : line}" stroke-width="1.5" marker-end="url(#arrow)"/>`;
}

function looseOf({ from: { x, y }, target }: LooseEdge, { failure }: SvgColors): string {
	const line = `<path d="M${number(x)} ${number(y)}h28" fill="none" stroke="${failure}" stroke-width="1.5" stroke-dasharray="4 3"/>`;
	return `${line}${textAt(x + 32, y + 4, `${cut(target, fits.row)}?`, `fill="${failure}" font-size="12"`)}`;
}

function cardOf(node: DrawnNode, colors: SvgColors, words: HandleLabels): string {
	const { x, y, width, height, kind, title, rows, container, marks } = node;
	const dash = marks.length > 0 ? ' stroke-dasharray="4 3"' : '';
	const frame = `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="6" fill="${container ? colors.box : colors.card}" stroke="${colors.line}"${dash}/>`;
	if (isInnerStart(node)) {
		return `${frame}<circle cx="${number(x + width / 2)}" cy="${number(y + height / 2)}" r="5" fill="${colors.dim}"/>`;
	}
	return [
		frame,
		textAt(x + 12, y + 21, cut(title, fits.title), `fill="${colors.text}" font-weight="600"`),
		textAt(
			x + 12,
			y + 38,
			cut(node.about === undefined ? kind : `${kind} · ${node.about}`, fits.row),
			`fill="${colors.dim}" font-size="12"`,
		),
		...rows.map((row, at) => rowOf(row, node, card.head + at * card.row + 15, colors, words)),
	].join('');
}

function rowOf(
	row: CardRow,
	{ x, y, width }: DrawnNode,
	top: number,
	{ text: color, failure, line }: SvgColors,
	words: HandleLabels,
): string {
	const { head, handle } = row;
	const said = rowText(row, words);
	const all = cut(head === undefined ? said : `${head} ${said}`, fits.row);
	const fill = `fill="${handle === 'fail-branch' ? failure : color}" font-size="12"`;
	if (handle === undefined) {
		return textAt(x + 12, y + top, all, fill);
	}
	return `${textAt(x + width - 12, y + top, all, `${fill} text-anchor="end"`)}<circle cx="${number(x + width)}" cy="${number(y + top - 4)}" r="4" fill="${handle === 'fail-branch' ? failure : line}"/>`;
}

function noteOf({ x, y, width, height, text, theme }: DrawnNote, { notes, text: color }: SvgColors): string {
	const own = (Object.hasOwn(notes, theme) && notes[theme]) || notes['blue'] || color;
	const perLine = Math.max(4, Math.floor((width - 20) / 7));
	const lines = text
		.split('\n')
		.flatMap(line => line.match(new RegExp(`.{1,${perLine}}`, 'gu')) ?? [''])
		.slice(0, Math.max(1, Math.floor((height - 12) / 17)));
	const frame = `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="6" fill="${own}" fill-opacity="0.15" stroke="${own}"/>`;
	return frame + lines.map((line, at) => textAt(x + 10, y + 20 + at * 17, line, `fill="${color}"`)).join('');
}

function textAt(x: number, y: number, text: string, attributes: string): string {
	return `<text x="${number(x)}" y="${number(y)}" ${attributes}>${escaped(text)}</text>`;
}

function cut(text: string, letters: number): string {
	const all = Array.from(text);
	return all.length > letters
		? `${all
				.slice(0, letters - 1)
				.join('')
				.trimEnd()}…`
		: text;
}

/** Escapes a text for XML and drops characters that XML doesn't allow. */
function escaped(text: string): string {
	const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
	return text
		.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '')
		.replace(/[&<>"']/g, mark => marks[mark] ?? '');
}

function number(value: number): string {
	return String(Math.round(value * 100) / 100);
}
