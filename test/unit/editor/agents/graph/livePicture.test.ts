import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentReadings } from '#editor/agents/files/agentReadings.ts';
import { editGraph } from '#editor/agents/graph/graphEdits.ts';
import { LivePicture } from '#editor/agents/graph/livePicture.ts';
import { listNodeErrors } from '#editor/agents/graph/nodeFaults.ts';
import { fakeTextDocuments } from '../../../../support/editor/playedTexts.ts';

const createAgentText = (title: string, ...ids: string[]): string => `kind: app
app: { name: a, mode: workflow }
workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: ${title}, variables: [] }
${ids.map(id => `      - id: ${id}\n        data: { type: template-transform, title: ${id}, template: hello, variables: [] }\n`).join('')}    edges: []
`;

const readings = new AgentReadings();

describe('LivePicture of a closed document', () => {
	let texts: ReturnType<typeof fakeTextDocuments>;
	let live: LivePicture | undefined;
	const uri = vscode.Uri.file('/agents/a.yml');
	const listIds = () => live?.getCurrentPicture().picture?.nodes.map(({ id }) => id);
	const waitUntilSettled = () => new Promise(resolve => setImmediate(resolve));

	beforeEach(() => {
		texts = fakeTextDocuments();
	});
	afterEach(() => {
		live?.dispose();
		texts.end();
	});

	it('continues with the saved file when the document has no tab', async () => {
		const text = texts.open(uri, createAgentText('Old', 'say'));
		live = new LivePicture(text.document, readings);
		assert.deepEqual(listIds(), ['start', 'say']);
		text.closeDocument(createAgentText('New', 'more', 'say'));
		await waitUntilSettled();
		assert.deepEqual(listIds(), ['start', 'more', 'say']);
		assert.equal(live.document.isClosed, false);
		const edited = await editGraph(await live.openDocument(), { do: 'set', node: 'say', path: ['title'], value: 'Said' }, readings);
		assert.ok('made' in edited);
		assert.equal(text.text, createAgentText('New', 'more', 'say').replace('title: say', 'title: Said'));
		text.changeText(createAgentText('New'));
		assert.deepEqual(listIds(), ['start']);
	});

	it('reports a deleted file and refuses edits', async () => {
		const text = texts.open(uri, createAgentText('Old', 'say'));
		live = new LivePicture(text.document, readings);
		live.getCurrentPicture();
		text.deleteFile();
		text.closeDocument();
		await waitUntilSettled();
		assert.match(live.getCurrentPicture().stale ?? '', /deleted/);
		assert.deepEqual(listIds(), ['start', 'say']);
		await assert.rejects(live.openDocument());
		assert.ok('refused' in (await editGraph(live.document, { do: 'delete', nodes: ['say'] }, readings)));
	});

	it('retries an edit if the text changes in the meantime, and refuses edits of read-only documents', async () => {
		const text = texts.open(uri, createAgentText('Old', 'say'));
		text.meanwhile = () => {
			text.meanwhile = undefined;
			text.changeText(`# another hand\n${createAgentText('Old', 'before', 'say')}`);
		};
		assert.ok('made' in (await editGraph(text.document, { do: 'set', node: 'say', path: ['title'], value: 'Said' }, readings)));
		assert.equal(text.text, `# another hand\n${createAgentText('Old', 'before', 'say').replace('title: say', 'title: Said')}`);

		text.meanwhile = () => text.changeText(`${text.text}#\n`);
		assert.ok('refused' in (await editGraph(text.document, { do: 'set', node: 'say', path: ['title'], value: 'Never' }, readings)));
		assert.ok(!text.text.includes('Never'));

		for (const scheme of ['git', 'agent-workbench']) {
			const shown = texts.open(vscode.Uri.from({ scheme, path: '/a.yml' }), createAgentText('Old'));
			assert.ok('refused' in (await editGraph(shown.document, { do: 'set', node: 'start', path: ['title'], value: 'x' }, readings)));
			assert.equal(shown.text, createAgentText('Old'));
		}
	});

	it('accepts problems at positions beyond the end of the current text', () => {
		const text = texts.open(uri, createAgentText('Old', 'constructor', '__proto__'));
		live = new LivePicture(text.document, readings);
		live.getCurrentPicture();
		const createEditorAt = (line: number) => ({
			range: new vscode.Range(new vscode.Position(line, 0), new vscode.Position(line, 1)),
			message: `${line}`,
			severity: 0,
		});
		const before = vscode.languages.getDiagnostics;
		vscode.languages.getDiagnostics = (() => [createEditorAt(8), createEditorAt(10), createEditorAt(900)]) as never;
		try {
			const faults = listNodeErrors(live);
			assert.deepEqual(faults.slice(0, 2), [
				['constructor', ['8']],
				['__proto__', ['10']],
			]);
		} finally {
			vscode.languages.getDiagnostics = before;
		}
	});
});
