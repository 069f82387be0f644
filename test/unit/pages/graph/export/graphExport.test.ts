import assert from 'node:assert/strict';
import { JSDOM } from 'jsdom';
import { formatMermaid } from '#pages/graph/export/graphMermaid.ts';
import { formatSvg } from '#pages/graph/export/graphSvg.ts';
import { lightColors } from '#pages/graph/export/svgColors.ts';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';

const hostile = [
	'<script>alert(1)</script>',
	'"]; click n0 "javascript:alert(1)"',
	'end\nsubgraph x',
	'a --> b %% "x" |y|',
	'\u0000\u0007\ud800 ]]> <!-- & \' "',
	'<img src=x onerror=alert(1)>',
	'#quot; #35; &lt;b&gt;',
];

function createPicture(titles: readonly string[]) {
	const nodes = titles.map((title, at) => ({
		id: `n${at}`,
		position: { x: at * 300, y: 0 },
		data: { type: at === 0 ? 'start' : 'answer', title, answer: title },
	}));
	const note = { id: 'note', type: 'custom-note', position: { x: 0, y: 200 }, data: { text: titles.join('\n'), theme: titles[0] } };
	const edges = titles.slice(1).map((_, at) => ({ source: `n${at}`, target: `n${at + 1}` }));
	const graph = { nodes: [...nodes, note], edges };
	// JSON is YAML
	const picture = parseAgentPicture(
		JSON.stringify({ app: { name: 'x', mode: 'workflow' }, workflow: { graph } }).replaceAll(/\\u(0000|0007|d800)/g, '\\u$1'),
	);
	assert.ok(picture);
	return picture;
}

const words = { types: { 'if-else': '条件分支' }, onFailure: 'on failure', onTimeout: 'on timeout' };

describe('exported graph', () => {
	it('is a well-formed SVG with only shapes and texts for any titles', () => {
		const svg = formatSvg(createPicture(hostile), lightColors, words);
		const { window } = new JSDOM('');
		const parsed = new window.DOMParser().parseFromString(svg, 'image/svg+xml');
		assert.equal(parsed.querySelector('parsererror')?.textContent, undefined);
		const elements = [...parsed.querySelectorAll('*')];
		const allowed = ['svg', 'defs', 'marker', 'path', 'rect', 'circle', 'text'];
		assert.deepEqual(
			[...new Set(elements.map(({ localName }) => localName))].filter(name => !allowed.includes(name)),
			[],
		);
		assert.deepEqual(
			elements.flatMap(each => each.getAttributeNames()).filter(name => name.startsWith('on') || name.includes('href')),
			[],
		);
		assert.ok([...parsed.querySelectorAll('text')].some(({ textContent }) => textContent?.startsWith('<script>alert')));
		window.close();
	});

	it('is a Mermaid chart with one line per node and edge for any titles', () => {
		const lines = formatMermaid(createPicture(hostile), words).trimEnd().split('\n');
		assert.equal(lines[0], 'flowchart LR');
		assert.equal(lines.length, 1 + hostile.length + hostile.length - 1);
		for (const line of lines.slice(1)) {
			assert.match(line, /^ {2}n\d+(?: --> n\d+|\[.*\]|\(\[.*\]\))$/);
			assert.doesNotMatch(
				line.replace('<br/>', ''),
				/[<>]|javascript:|click /.test(line) && !line.includes('-->') ? /<|javascript:/ : /\u0000/,
			);
		}
	});

	it('shows titles of node types, and truncates wide letters to the width of the card', () => {
		const picture = parseAgentPicture(
			`workflow: { graph: { nodes: [{ id: if, data: { type: if-else, title: ${'長'.repeat(30)} } }], edges: [] } }`,
		);
		assert.ok(picture);
		const svg = formatSvg(picture, lightColors, words);
		assert.match(svg, />条件分支<.text>/);
		assert.match(svg, />長{13}…<.text>/);
	});

	it('is a Mermaid chart with containers as subgraphs and branch names', () => {
		const picture = parseAgentPicture(`workflow:
  graph:
    nodes:
      - {id: if, data: {type: if-else, title: If, cases: [{case_id: "yes"}]}}
      - {id: each, data: {type: iteration, title: Each}}
      - {id: in, parentId: each, data: {type: code, title: In}}
    edges:
      - {source: if, target: each, sourceHandle: "yes"}
`);
		assert.ok(picture);
		assert.equal(
			formatMermaid(picture, words),
			'flowchart LR\n  n0{{"If<br/>条件分支"}}\n  subgraph n1["Each<br/>iteration"]\n    n2["In<br/>code"]\n  end\n  n0 -->|"IF"| n1\n',
		);
	});
});
