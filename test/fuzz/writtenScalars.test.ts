import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { AgentText } from '#agentFile/agentText.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { formatScalar } from '#agentFile/scalarText.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import { writeEdits } from '#agentFile/writing/writeEdits.ts';
import { fuzzRuns } from './fuzzRuns.ts';

/** Strings that PyYAML refuses or doesn't read as strings if they aren't quoted. */
const hostile = [
	...[
		'<<',
		'=',
		'yes',
		'No',
		'on',
		'OFF',
		'y',
		'true',
		'null',
		'~',
		'',
		' ',
		'2024-01-01',
		'2001-12-14t21:59:43.10-05:00',
		'2024-1-1 1:1:1',
	],
	...['1:30', '-1:30:05', '1:30.5', '010', '0x1F', '0b1', '1_000', '1e3', '1.0e+3', '.5', '-.5', '.inf', '-.INF', '.nan', '1.', '+1'],
	...['\u00a0x', 'x\u00a0', '\ufeffx', 'a\ufeffb', '\u2003x', 'a\u00a0b', '\u007f', 'a\u0080b', '\u0085', 'a\u009f', 'a\ufffeb', '\uffff'],
	...[
		'\ud800',
		'a\udc00b',
		'😀',
		'\u200b',
		'\ue000',
		'\u0000',
		'\u0007',
		'\u001b',
		'a\tb',
		'\ta',
		'a\t',
		'a\rb',
		'a\r\nb',
		'\u2028',
		'a\u2029b',
	],
	...[
		'?x',
		':x',
		'a?b',
		'a:b',
		'-',
		'- a',
		'-a',
		'?',
		'? a',
		':',
		'a:',
		'a: b',
		'a #b',
		'#a',
		'%a',
		'@a',
		'`a',
		'!a',
		'&a',
		'*a',
		'|',
		'>',
	],
	...['[a]', '{a}', 'a,b', 'a]', "'", '"', "a'b", 'a"b', "''", '---', '--- a', '...', '... a', 'a\n---\nb', 'a\nb', 'a\n', '\na', ' a\nb'],
	...[
		'a\n b',
		'a \nb',
		'a\n\nb',
		'a\n\n',
		'\n',
		'\n\n',
		'a\n ',
		'\ta\nb',
		'a\n\tb',
		'a\tb\n c',
		'  a\n b\n',
		'x\u00a0\ny',
		'x\ny\u00a0',
		'\u00a0x\ny',
	],
];
const text = fc.oneof(
	fc.constantFrom(...hostile),
	fc.tuple(fc.constantFrom(...hostile), fc.constantFrom(...hostile)).map(([a, b]) => a + b),
	fc.string({ unit: 'binary', maxLength: 8 }),
	fc.string({ unit: fc.constantFrom(...'ab \t\n:-?#,[]{}\'"|>&*!%@`=<0123.eE_~\u00a0\u0085\u2028'), maxLength: 8 }),
);

const path = ['workflow', 'graph', 'nodes', 0, 'data', 'title'];
/** Files that write the title of their node in different styles. */
const files = ['x', "'x'", '"x"', '|\n            x', '>-\n            x', ''].map(
	title => `workflow:\n  graph:\n    nodes:\n      - id: a\n        data:\n          title: ${title}\n          type: end\n    edges: []\n`,
);
files.push("workflow: {graph: {nodes: [{id: a, data: {title: 'x', type: end}}], edges: []}}\n");
files.push('workflow: {graph: {nodes: [{id: a, data: {title: x, other: [b]}}], edges: []}}\n');

interface Case {
	readonly file: string;
	/** The string that PyYAML must read at `title`, or under the key of a map. */
	readonly title: string;
}

/** Returns PyYAML's values for each file; `undefined` if it isn't installed. */
function parseWithPyYaml(texts: readonly string[]): readonly unknown[] | undefined {
	const program = `
import json, sys
try:
    import yaml
except ImportError:
    sys.exit(7)
def read(text):
    try:
        return ['read', yaml.safe_load(text)['workflow']['graph']['nodes'][0]['data']]
    except Exception as error:
        return ['refused', str(error)]
print(json.dumps([read(text) for text in json.load(sys.stdin)], default=str))`;
	const { status, stdout } = spawnSync('python3', ['-c', program], { input: JSON.stringify(texts), encoding: 'utf8', maxBuffer: 1 << 28 });
	return status === 0 ? (JSON.parse(stdout) as unknown[]) : undefined;
}

function writeScalar(value: unknown, file: string): string {
	const place = `no place for ${JSON.stringify(value)} in ${file}`;
	const refusals = { shared: String, size: String, place };
	return applyChanges(file, writeEdits(new AgentReading(file), [{ kind: 'set', path, value }], refusals));
}

describe('strings written into an agent file', () => {
	it('are set in any style, and read back unchanged', function () {
		const cases: Case[] = [];
		const addCase = (value: string, file: string) => {
			const title = value.toWellFormed();
			const after = applyOperation(file, { do: 'set', node: 'a', path: ['title'], value });
			assert.ok('changes' in after, `${JSON.stringify(value)} in ${file}: ${'refused' in after ? after.refused : ''}`);
			const set = applyChanges(file, after.changes);
			assert.deepEqual((new AgentText(set).content as typeof shape).workflow.graph.nodes[0]?.data.title, title);
			cases.push({ file: set, title });
			const items = writeScalar([value, { [`k${title}`]: value }], file);
			cases.push({ file: items, title: JSON.stringify([title, { [`k${title}`]: title }]) });
			for (const inFlow of [true, false]) {
				const [open, close] = inFlow ? '[]' : '  ';
				const line = `workflow: {graph: {nodes: [{id: a, data: {title: ${formatScalar(value, true)}}}]}}\n`;
				const block = `workflow:\n  graph:\n    nodes:\n      - data:\n          title: ${open}${formatScalar(value, inFlow)}${close}\n`;
				cases.push({ file: line, title }, { file: block, title: inFlow ? JSON.stringify([title]) : title });
			}
		};
		for (const value of hostile) {
			for (const file of files) {
				addCase(value, file);
			}
		}
		fc.assert(fc.property(text, fc.constantFrom(...files), addCase), { numRuns: fuzzRuns });
		const read = parseWithPyYaml(cases.map(({ file }) => file));
		if (!read) {
			this.skip();
		}
		const wrong = cases.flatMap(({ file, title }, at) => {
			const [kind, data] = read[at] as ['read' | 'refused', { title: unknown }];
			const found = kind === 'read' ? data.title : data;
			const shown = typeof found === 'string' ? found : JSON.stringify(found);
			return shown === title ? [] : [`${JSON.stringify(title)} in ${JSON.stringify(file)}: ${shown}`];
		});
		assert.deepEqual(wrong.slice(0, 20), []);
	});
});

declare const shape: { workflow: { graph: { nodes: { data: { title: unknown } }[] } } };
