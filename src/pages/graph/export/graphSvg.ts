import { card } from '#agentFile/layout/geometry.ts';
import { getOwnField } from '#base/records/ownField.ts';
import { type CardLabels, getRowText } from '../cards/rowText.ts';
import { formatEdgePath, isInnerStart } from '../layout/cardSize.ts';
import type { AgentPicture, CardRow, DrawnNode, DrawnNote, LooseEdge } from '../picture/graphTypes.ts';
import type { SvgColors } from './svgColors.ts';

const margin = 24;
/** Number of Latin letters that fit on a card, at an average width. */
const fits = { title: 28, row: 34 } as const;
const font = 'font-family="system-ui, -apple-system, Segoe UI, Roboto, sans-serif"';

/** Formats a graph as a self-contained SVG: only shapes and texts, without scripts or external resources. */
export function formatSvg(picture: AgentPicture, colors: SvgColors, words: CardLabels): string {
	const { x, y, width, height } = picture;
	const box = `${x - margin} ${y - margin} ${width + 2 * margin} ${height + 2 * margin}`;
	const containers = picture.nodes.filter(({ container }) => container);
	const cards = picture.nodes.filter(({ container }) => !container);
	const inner = new Set(picture.nodes.filter(({ parent }) => parent !== undefined).map(({ id }) => id));
	const formatEdges = (isInner: boolean) =>
		picture.edges.filter(({ source }) => inner.has(source) === isInner).map(edge => formatEdge(edge, colors));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${formatNumber(width + 2 * margin)}" height="${formatNumber(height + 2 * margin)}" viewBox="${box}" ${font} font-size="13">`,
		`<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8Z" fill="${colors.line}"/></marker></defs>`,
		`<rect x="${formatNumber(x - margin)}" y="${formatNumber(y - margin)}" width="${formatNumber(width + 2 * margin)}" height="${formatNumber(height + 2 * margin)}" fill="${colors.paper}"/>`,
		...picture.notes.map(note => formatNote(note, colors)),
		...formatEdges(false),
		...containers.map(node => formatCard(node, colors, words)),
		...formatEdges(true),
		...picture.loose.map(edge => formatLooseEdge(edge, colors)),
		...cards.map(node => formatCard(node, colors, words)),
		'</svg>',
	].join('\n');
}

function formatEdge(edge: AgentPicture['edges'][number], { line, failure }: SvgColors): string {
	return `<path d="${formatEdgePath(edge)}" fill="none" stroke="${edge.handle === 'fail-branch' ? failure : line}" stroke-width="1.5" marker-end="url(#arrow)"/>`;
}

function formatLooseEdge({ from: { x, y }, target }: LooseEdge, { failure }: SvgColors): string {
	const line = `<path d="M${formatNumber(x)} ${formatNumber(y)}h28" fill="none" stroke="${failure}" stroke-width="1.5" stroke-dasharray="4 3"/>`;
	return `${line}${formatText(x + 32, y + 4, `${truncateText(target, fits.row)}?`, `fill="${failure}" font-size="12"`)}`;
}

function formatCard(node: DrawnNode, colors: SvgColors, words: CardLabels): string {
	const { x, y, width, height, kind, title, rows, container, marks, about } = node;
	const type = getOwnField(words.types, kind) ?? kind;
	const dash = marks.length > 0 ? ' stroke-dasharray="4 3"' : '';
	const frame = `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(height)}" rx="6" fill="${container ? colors.box : colors.card}" stroke="${colors.line}"${dash}/>`;
	if (isInnerStart(node)) {
		return `${frame}<circle cx="${formatNumber(x + width / 2)}" cy="${formatNumber(y + height / 2)}" r="5" fill="${colors.dim}"/>`;
	}
	return [
		frame,
		formatText(x + 12, y + 21, truncateText(title, fits.title), `fill="${colors.text}" font-weight="600"`),
		formatText(
			x + 12,
			y + 38,
			truncateText(about === undefined ? type : `${type} · ${about}`, fits.row),
			`fill="${colors.dim}" font-size="12"`,
		),
		...rows.map((row, at) => formatRow(row, node, card.head + at * card.row + 15, colors, words)),
	].join('');
}

function formatRow(
	row: CardRow,
	{ x, y, width }: DrawnNode,
	top: number,
	{ text: color, failure, line }: SvgColors,
	words: CardLabels,
): string {
	const { head, handle } = row;
	const said = getRowText(row, words);
	const all = truncateText(head === undefined ? said : `${head} ${said}`, fits.row);
	const fill = `fill="${handle === 'fail-branch' ? failure : color}" font-size="12"`;
	if (handle === undefined) {
		return formatText(x + 12, y + top, all, fill);
	}
	return `${formatText(x + width - 12, y + top, all, `${fill} text-anchor="end"`)}<circle cx="${formatNumber(x + width)}" cy="${formatNumber(y + top - 4)}" r="4" fill="${handle === 'fail-branch' ? failure : line}"/>`;
}

function formatNote({ x, y, width, height, text, theme }: DrawnNote, { notes, text: color }: SvgColors): string {
	const own = (Object.hasOwn(notes, theme) && notes[theme]) || notes['blue'] || color;
	const perLine = Math.max(4, Math.floor((width - 20) / 7));
	const lines = text
		.split('\n')
		.flatMap(line => line.match(new RegExp(`.{1,${perLine}}`, 'gu')) ?? [''])
		.slice(0, Math.max(1, Math.floor((height - 12) / 17)));
	const frame = `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(height)}" rx="6" fill="${own}" fill-opacity="0.15" stroke="${own}"/>`;
	return frame + lines.map((line, at) => formatText(x + 10, y + 20 + at * 17, line, `fill="${color}"`)).join('');
}

function formatText(x: number, y: number, text: string, attributes: string): string {
	return `<text x="${formatNumber(x)}" y="${formatNumber(y)}" ${attributes}>${escapeXml(text)}</text>`;
}

/** Truncates a text to the width of a number of Latin letters. Chinese, Japanese and Korean letters are twice as wide. */
function truncateText(text: string, letters: number): string {
	let rest = letters;
	let shown = '';
	for (const letter of text) {
		rest -= /[\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\uff01-\uff60]/.test(letter) ? 2 : 1;
		if (rest < 0) {
			return `${shown.slice(0, -1).trimEnd()}…`;
		}
		shown += letter;
	}
	return text;
}

/** Escapes a text for XML and drops characters that XML doesn't allow. */
function escapeXml(text: string): string {
	const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
	return text
		.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '')
		.replace(/[&<>"']/g, mark => marks[mark] ?? '');
}

function formatNumber(value: number): string {
	return String(Math.round(value * 100) / 100);
}
