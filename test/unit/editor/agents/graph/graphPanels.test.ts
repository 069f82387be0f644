import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { AgentReadings } from '#editor/agents/files/agentReadings.ts';
import { GraphPanels, type GraphPanelsParts } from '#editor/agents/graph/graphPanels.ts';
import { fakeTextDocuments } from '../../../../support/editor/playedTexts.ts';

const agent = 'workflow: { graph: { nodes: [{ id: start, data: { type: start } }], edges: [] } }';

describe('GraphPanels', () => {
	let texts: ReturnType<typeof fakeTextDocuments>;
	let panels: GraphPanels;
	let made: { title: string; isDisposed: boolean; revealed: number }[];
	const stubs = {
		languages: { onDidChangeDiagnostics: new vscode.EventEmitter().event, getDiagnostics: () => [] },
		window: { onDidChangeTextEditorSelection: new vscode.EventEmitter().event, createWebviewPanel: () => createPanel() },
	};
	const before = { languages: { ...vscode.languages }, window: { ...vscode.window } };

	function createPanel(): vscode.WebviewPanel {
		const webview = {
			onDidReceiveMessage: new vscode.EventEmitter().event,
			postMessage: async () => true,
			asWebviewUri: (uri: vscode.Uri) => uri,
			html: '',
		};
		const panel = {
			title: '',
			isDisposed: false,
			revealed: 0,
			webview,
			visible: true,
			onDidChangeViewState: new vscode.EventEmitter().event,
			onDidDispose: new vscode.EventEmitter().event,
			reveal: () => panel.revealed++,
			dispose: () => {
				panel.isDisposed = true;
			},
		};
		made.push(panel);
		return panel as unknown as vscode.WebviewPanel;
	}

	beforeEach(() => {
		made = [];
		texts = fakeTextDocuments();
		Object.assign(vscode.languages, stubs.languages);
		Object.assign(vscode.window, stubs.window);
		const parts = {
			codeChanged: new vscode.EventEmitter(),
			runs: { onDidChange: new vscode.EventEmitter().event, list: () => [] },
			agentFolders: () => [],
			runFiles: { onDidChange: new vscode.EventEmitter().event, getRunFiles: async () => [] },
			readings: new AgentReadings(),
			log: { warn: assert.fail, debug() {} },
		};
		panels = new GraphPanels(vscode.Uri.file(path.resolve(import.meta.dirname, '../../../../..')), parts as unknown as GraphPanelsParts);
	});
	afterEach(() => {
		panels.dispose();
		texts.end();
		Object.assign(vscode.languages, before.languages);
		Object.assign(vscode.window, before.window);
	});
	const waitUntilSettled = () => new Promise(resolve => setImmediate(resolve));

	it('follow their file when its folder is renamed, but not other renames', async () => {
		const [a, b] = ['/agents/in/a.yml', '/agents/inside.yml'].map(file => texts.open(vscode.Uri.file(file), agent));
		const moved = texts.open(vscode.Uri.file('/agents/out/a.yml'), agent);
		panels.openGraph((a as NonNullable<typeof a>).document);
		panels.openGraph((b as NonNullable<typeof b>).document);
		texts.renamed.fire({ files: [{ oldUri: vscode.Uri.file('/agents/in'), newUri: vscode.Uri.file('/agents/out') }] });
		await waitUntilSettled();
		panels.openGraph(moved.document);
		assert.equal(made.length, 2);
		assert.deepEqual(
			made.map(({ revealed }) => revealed),
			[1, 0],
		);
	});

	it("don't follow a folder of the same name on another file system", async () => {
		const { document } = texts.open(vscode.Uri.file('/agents/in/a.yml'), agent);
		texts.open(vscode.Uri.file('/agents/out/a.yml').with({ scheme: 'memfs' }), agent);
		panels.openGraph(document);
		const [oldUri, newUri] = ['/agents/in', '/agents/out'].map(folder => vscode.Uri.file(folder).with({ scheme: 'memfs' }));
		texts.renamed.fire({ files: [{ oldUri: oldUri!, newUri: newUri! }] });
		await waitUntilSettled();
		panels.openGraph(document);
		assert.deepEqual(
			made.map(({ revealed }) => revealed),
			[1],
		);
	});

	it('restore one graph per file after a reload, and none if the file is gone', async () => {
		const uri = vscode.Uri.file('/agents/a.yml');
		texts.open(uri, agent);
		await panels.restorePanel(createPanel(), { uri: uri.toString() });
		for (const state of [{ uri: uri.toString() }, { uri: 'file:///gone.yml' }, { uri: '://' }, { uri: 7 }, undefined]) {
			await panels.restorePanel(createPanel(), state);
		}
		assert.deepEqual(
			made.map(({ isDisposed }) => isDisposed),
			[false, true, true, true, true, true],
		);
		assert.equal(made[0]?.title, 'Graph of a.yml');
	});

	it('name the file and the selected node of the active graph for commands without an argument', async () => {
		const { document } = texts.open(vscode.Uri.file('/agents/a.yml'), agent);
		panels.openGraph(document);
		assert.equal(await panels.createCommandTarget(), undefined);
		const received = new vscode.EventEmitter<unknown>();
		const panel = createPanel();
		Object.assign(panel, { active: true });
		Object.assign(panel.webview, { onDidReceiveMessage: received.event });
		panels.resolveCustomTextEditor(document, panel);
		assert.deepEqual(await panels.createCommandTarget(), { uri: document.uri });
		received.fire({ type: 'select', nodes: ['start'] });
		assert.deepEqual(await panels.createCommandTarget(), { uri: document.uri, node: 'start' });
	});

	it('set the title only for graphs next to their text', () => {
		const { document } = texts.open(vscode.Uri.file('/agents/a.yml'), agent);
		const panel = createPanel();
		panels.resolveCustomTextEditor(document, panel);
		assert.match(panel.webview.html, /<title>Graph of a\.yml<\/title>/);
		assert.equal(panel.title, '');
	});
});
