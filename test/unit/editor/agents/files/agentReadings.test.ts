import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { AgentReadings } from '#editor/agents/files/agentReadings.ts';

interface PlainContent {
	readonly workflow: { readonly graph: { readonly nodes: readonly { readonly id: string; readonly data: { readonly title: string } }[] } };
}
const toPlainContent = (content: unknown) => content as PlainContent;

/** Returns the text of an agent with this number of template nodes. */
function createAgent(count: number): string {
	const ids = Array.from({ length: count }, (_, at) => `n${at}`);
	const createNode = (id: string) =>
		`      - id: ${id}\n        data:\n          type: template-transform\n          title: ${id}\n          template: hello\n          variables: []\n`;
	return `app: {name: a, mode: workflow}\nkind: app\nworkflow:\n  graph:\n    nodes:\n${ids.map(createNode).join('')}    edges: []\n`;
}

/** Creates a document, and a function that edits it. */
function createDocument(text: string) {
	const document = { text, version: 1, isClosed: false, getText: () => document.text };
	const typeText = (from: string, to: string) => {
		assert.ok(document.text.includes(from));
		document.text = document.text.replace(from, to);
		document.version++;
	};
	return { document: document as unknown as vscode.TextDocument, type: typeText };
}

describe('AgentReadings', () => {
	it('parses each version once, and only the node that changed', () => {
		const { document, type } = createDocument(createAgent(3));
		const readings = new AgentReadings();
		const first = readings.get(document);
		assert.equal(readings.get(document), first);
		assert.ok(readings.isParsed(document));
		type('title: n1\n', 'title: Other\n');
		assert.ok(!readings.isParsed(document));
		const second = readings.get(document);
		const [before, after] = [first, second].map(({ content }) => toPlainContent(content).workflow.graph.nodes);
		assert.deepEqual(
			after?.map((node, at) => node === before?.[at]),
			[true, false, true],
		);
		assert.equal(after?.[1]?.data.title, 'Other');
		assert.deepEqual(
			second.blocks.map(({ start, end }) => document.getText().slice(start, end).split('\n')[0]),
			['id: n0', 'id: n1', 'id: n2'],
		);
		// the earlier reading must not change
		assert.equal(first.text.slice(first.blocks[2]?.start).startsWith('id: n2'), true);
	});

	it('keeps the other nodes while one is invalid, and reports its position', () => {
		const text = createAgent(40);
		const wrong = text.replace('title: n7\n', 'title: "n7\n');
		const { error, content } = new AgentReading(wrong, new AgentReading(text).parts);
		assert.match(error?.message ?? '', /quote/);
		assert.equal(wrong.slice(0, error?.offset).split('\n').length, text.slice(0, text.indexOf('title: n7')).split('\n').length);
		assert.deepEqual(
			toPlainContent(content).workflow.graph.nodes.map(({ id }) => id),
			Array.from({ length: 40 }, (_, at) => `n${at}`),
		);
	});

	it('parses large documents in slices, and again if they change in the meantime', async () => {
		const { document, type } = createDocument(createAgent(1500));
		const readings = new AgentReadings();
		let others = 0;
		const actMeanwhile = () => {
			others++;
			if (others === 1) {
				type('title: n700\n', 'title: Typed\n');
			}
			if (!readings.isParsed(document)) {
				setImmediate(actMeanwhile);
			}
		};
		setImmediate(actMeanwhile);
		const [one, two] = await Promise.all([readings.readDocument(document), readings.readDocument(document)]);
		assert.equal(one, two);
		assert.ok(others > 1, 'others go on in between');
		assert.equal(one.text, document.getText());
		assert.equal(toPlainContent(one.content).workflow.graph.nodes[700]?.data.title, 'Typed');
	});
});
