import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { loadAgentSchema } from '#agentFile/checks/loadAgentSchema.ts';
import { AgentReadings } from '#editor/agents/files/agentReadings.ts';
import { GraphPanel, type GraphPanelParts } from '#editor/agents/graph/graphPanel.ts';
import type { FromGraphHost } from '#pages/graph/picture/graphProtocol.ts';
import { fakeTextDocuments } from '../../../../support/editor/playedTexts.ts';

const agent = `workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [] }
      - id: say
        data: { type: template-transform, title: Say, template: hello, variables: [] }
    edges: []
`;

describe('GraphPanel', () => {
	const file = vscode.Uri.file('/agents/a.yml');
	let texts: ReturnType<typeof fakeTextDocuments>;
	let restore: (() => void)[];
	let panel: GraphPanel;
	let posted: FromGraphHost[];
	let heard: vscode.EventEmitter<unknown>;
	let viewed: vscode.EventEmitter<unknown>;
	let page: { visible: boolean };
	let warned: string[];
	let done: string[];
	const ignoreEvents = () => {};

	/** Replaces functions of VS Code until the test ends. */
	function replaceFunctions(of: object, functions: object): void {
		const before = Object.fromEntries(Object.keys(functions).map(name => [name, (of as Record<string, unknown>)[name]]));
		Object.assign(of, functions);
		restore.push(() => Object.assign(of, before));
	}

	beforeEach(() => {
		[restore, posted, warned, done, seq] = [[], [], [], [], 0];
		texts = fakeTextDocuments();
		replaceFunctions(vscode.languages, { onDidChangeDiagnostics: new vscode.EventEmitter().event, getDiagnostics: () => [] });
		replaceFunctions(vscode.window, {
			onDidChangeTextEditorSelection: new vscode.EventEmitter().event,
			showWarningMessage: async (message: string) => void warned.push(message),
			tabGroups: { all: [] },
			showTextDocument: async () => undefined,
		});
		replaceFunctions(vscode.commands, { executeCommand: async (command: string) => void done.push(`${command} ${texts.open.length}`) });
		heard = new vscode.EventEmitter();
		viewed = new vscode.EventEmitter();
	});
	afterEach(() => {
		panel.dispose();
		texts.end();
		for (const each of restore) {
			each();
		}
	});

	function openPanel(text = texts.open(file, agent)) {
		page = { visible: true };
		const parts = {
			runs: { onDidChange: new vscode.EventEmitter().event, list: () => [] },
			readings: new AgentReadings(),
			log: { warn() {}, debug() {} },
			kinds: [],
			forms: {
				schema: loadAgentSchema(path.resolve(import.meta.dirname, '../../../../..')),
				listFaults: async () => [],
				listModels: async () => [],
			},
			agentFolders: () => [],
			runFiles: { onDidChange: new vscode.EventEmitter().event, getRunFiles: async () => [] },
			openField: () => Promise.reject(new Error('no such program')),
		} as unknown as GraphPanelParts;
		const webview = {
			onDidReceiveMessage: heard.event,
			postMessage: async (message: FromGraphHost) => {
				posted.push(message);
				ignoreEvents();
			},
		};
		const made = Object.assign(page, { webview, onDidChangeViewState: viewed.event, active: true, reveal() {} });
		panel = new GraphPanel(made as unknown as vscode.WebviewPanel, text.document, parts, false);
		heard.fire({ type: 'ready', selected: [] });
		return text;
	}

	let seq: number;
	/** Sends a request from the page, based on the last form by default. Returns the number of the request. */
	function sendFromPage(message: object, form = getLastForm(), known = getLastDone()): number {
		heard.fire({ ...message, seq: ++seq, form, done: known });
		return seq;
	}
	const getLastDone = () => posted.reduce((last, message) => (message.type === 'done' ? message.seq : last), 0);
	const getLastForm = () => posted.reduce((last, message) => (message.type === 'form' ? message.revision : last), 0);

	const waitUntilSettled = async () => {
		for (let turn = 0; turn < 20; turn++) {
			await new Promise(resolve => setImmediate(resolve));
		}
	};
	const listRefusals = () => posted.flatMap(message => (message.type === 'refused' ? [message.sentence] : []));
	const createTitleEdit = (value: unknown, node = 'say') => ({ do: 'set', node, path: ['title'], value });

	it('ignores invalid messages and handles the next one', async () => {
		const text = openPanel();
		for (const wrong of [
			null,
			1,
			'edit',
			[],
			{ type: 'edit' },
			{ type: 'edit', operation: { do: 'set', node: 'say', path: ['__proto__', 'polluted'], value: 1 } },
		]) {
			heard.fire(wrong);
		}
		heard.fire({ type: 'select', nodes: ['no such node', '__proto__', 'constructor'] });
		heard.fire({ type: 'select', nodes: ['constructor'] });
		heard.fire({ type: 'reveal', node: 'no such node' });
		heard.fire({ type: 'rasterized', png: '!!' });
		sendFromPage({ type: 'edit', operation: createTitleEdit('x', 'no such node') });
		sendFromPage({ type: 'edit', operation: createTitleEdit('Said') });
		await waitUntilSettled();
		assert.equal(text.text, agent.replace('title: Say', 'title: Said'));
		assert.deepEqual(listRefusals(), ["'no such node' isn't a node of this file."]);
		assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
	});

	it('sends the whole graph when the page loads or has missed something, otherwise only changes', async () => {
		const text = openPanel();
		await waitUntilSettled();
		const listPictures = () =>
			posted.flatMap(message =>
				message.type === 'picture' ? [message.picture ? 'whole' : message.change ? `change ${message.since}` : 'none'] : [],
			);
		assert.deepEqual(listPictures(), ['whole']);
		text.changeText(agent.replace('title: Say', 'title: Said'));
		text.changeText(agent.replace('title: Say', 'title: Sung'));
		assert.deepEqual(listPictures(), ['whole', 'change 1', 'change 2']);
		heard.fire({ type: 'wholePicture' });
		await waitUntilSettled();
		page.visible = false;
		viewed.fire(undefined);
		text.changeText(agent);
		page.visible = true;
		heard.fire({ type: 'ready', selected: [] });
		await waitUntilSettled();
		assert.deepEqual(listPictures().slice(3), ['whole', 'whole']);
	});

	it('applies typed text when the page is hidden and before undo', async () => {
		const text = openPanel();
		sendFromPage({ type: 'typed', operation: createTitleEdit('Typed') });
		assert.equal(text.text, agent);
		page.visible = false;
		viewed.fire(undefined);
		await waitUntilSettled();
		assert.match(text.text, /title: Typed/);
		page.visible = true;
		heard.fire({ type: 'ready', selected: [] });
		sendFromPage({ type: 'typed', operation: createTitleEdit('Again') });
		replaceFunctions(vscode.commands, { executeCommand: async () => void done.push(text.text) });
		sendFromPage({ type: 'undo' });
		await waitUntilSettled();
		assert.match(done[0] ?? '', /title: Again/);
	});

	it("shows a message if typed text can't be applied after the page is closed", async () => {
		const text = openPanel();
		sendFromPage({ type: 'typed', operation: createTitleEdit('Typed') });
		text.changeText('workflow: [');
		panel.dispose();
		await waitUntilSettled();
		assert.equal(warned.length, 1);
		assert.equal(text.text, 'workflow: [');
	});

	it('continues after a step that fails', async () => {
		const text = openPanel();
		replaceFunctions(vscode.workspace, { applyEdit: async () => Promise.reject(new Error('the editor is busy')) });
		sendFromPage({ type: 'edit', operation: createTitleEdit('Lost') });
		sendFromPage({ type: 'undo' });
		await waitUntilSettled();
		assert.deepEqual(listRefusals(), ['the editor is busy']);
		restore.pop()?.();
		sendFromPage({ type: 'edit', operation: createTitleEdit('Said') });
		sendFromPage({ type: 'typed', operation: createTitleEdit('Typed') });
		sendFromPage({ type: 'edit', operation: createTitleEdit('Typed') });
		await waitUntilSettled();
		assert.match(text.text, /title: Typed/);
	});

	it('shows the form of the node that a reloaded page had selected', async () => {
		openPanel();
		heard.fire({ type: 'ready', selected: ['say'] });
		await waitUntilSettled();
		assert.equal(posted.findLast(message => message.type === 'form')?.form?.node, 'say');
	});

	it('asks a hidden page for a PNG when it becomes visible', async () => {
		openPanel();
		const target = vscode.Uri.file('/agents/a.png');
		const written: string[] = [];
		replaceFunctions(vscode.window, {
			showSaveDialog: async () => {
				page.visible = false;
				viewed.fire(undefined);
				return target;
			},
			showInformationMessage: async () => undefined,
			activeColorTheme: { kind: 2 },
		});
		replaceFunctions(vscode.workspace, {
			fs: { ...vscode.workspace.fs, writeFile: async (_: unknown, bytes: Uint8Array) => written.push(String(bytes)) },
		});
		heard.fire({ type: 'export' });
		await waitUntilSettled();
		assert.deepEqual(
			posted.filter(({ type }) => type === 'rasterize'),
			[],
		);
		heard.fire({ type: 'ready', selected: [] });
		assert.equal(posted.filter(({ type }) => type === 'rasterize').length, 1, [...listRefusals(), ...warned].join());
		heard.fire({ type: 'rasterized', png: Buffer.from('png').toString('base64') });
		await waitUntilSettled();
		assert.deepEqual(written, ['png']);
		assert.deepEqual(listRefusals(), []);
	});

	it("shows why code can't be opened", async () => {
		openPanel();
		heard.fire({ type: 'openField', node: 'say', path: ['template'] });
		await waitUntilSettled();
		assert.deepEqual(listRefusals(), ['no such program']);
	});

	it('applies an edit to the current text if the page has an older one', async () => {
		const text = openPanel();
		const newer = `# by another hand\n${agent.replace('      - id: say', '      - id: before\n        data: { type: code, title: B }\n      - id: say')}`;
		text.changeText(newer);
		sendFromPage({ type: 'edit', operation: createTitleEdit('Said') });
		await waitUntilSettled();
		assert.equal(text.text, newer.replace('title: Say', 'title: Said'));
		text.changeText('workflow: [');
		sendFromPage({ type: 'edit', operation: createTitleEdit('Never') });
		await waitUntilSettled();
		assert.equal(text.text, 'workflow: [');
		assert.equal(listRefusals().length, 1);
	});

	it('edits a closed file as saved, and refuses edits of a deleted one', async () => {
		const text = openPanel();
		text.closeDocument(agent.replace('hello', 'much longer than before'));
		sendFromPage({ type: 'edit', operation: createTitleEdit('Said') });
		await waitUntilSettled();
		assert.equal(text.text, agent.replace('hello', 'much longer than before').replace('title: Say', 'title: Said'));
		text.deleteFile();
		text.closeDocument();
		await waitUntilSettled();
		sendFromPage({ type: 'edit', operation: createTitleEdit('Never') });
		await waitUntilSettled();
		assert.equal(listRefusals().length, 1);
		assert.ok(posted.some(message => message.type === 'picture' && message.stale?.includes('deleted')));
	});

	it('follows a renamed file', async () => {
		openPanel();
		const other = texts.open(vscode.Uri.file('/agents/b.yml'), agent);
		panel.followRename(other.document);
		assert.equal(panel.uri.path, '/agents/b.yml');
		assert.equal(posted.findLast(message => message.type === 'begin')?.file, 'b.yml');
		sendFromPage({ type: 'edit', operation: createTitleEdit('Said') });
		await waitUntilSettled();
		assert.match(other.text, /title: Said/);
	});

	it('refuses to paste text without nodes or of 50 MB', async () => {
		const text = openPanel();
		let clipboard = '';
		replaceFunctions(vscode.env.clipboard, { readText: async () => clipboard });
		for (const wrong of [
			'',
			'no: [yaml',
			'\u0000\u202e',
			'nodes: 1',
			'nodes: [1]',
			'nodes: [{ id: a, data: x }]',
			'a'.repeat(50_000_000),
			'- '.repeat(1_000_000),
			'&a [*a]',
		]) {
			clipboard = wrong;
			sendFromPage({ type: 'paste' });
			await waitUntilSettled();
			assert.equal(text.text, agent);
		}
		assert.equal(listRefusals().length, 9);
		clipboard =
			'nodes: [{ id: __proto__, data: { type: code, title: "<img onerror=x>", code: x } }]\nedges: [{ source: a, target: __proto__ }]';
		sendFromPage({ type: 'paste' });
		await waitUntilSettled();
		assert.equal(listRefusals().length, 9, listRefusals().at(-1));
		assert.ok(text.text.startsWith(agent.slice(0, agent.indexOf('    edges'))));
		assert.match(text.text, /id: __proto__/);
	});

	it('changes no other list item if the list was changed elsewhere', async () => {
		const createListYaml = (...names: string[]) =>
			agent.replace('variables: []', `variables: [${names.map(name => `{ variable: ${name}, label: ${name} }`).join(', ')}]`);
		const text = openPanel(texts.open(file, createListYaml('a', 'b')));
		const label = { do: 'set', node: 'start', path: ['variables', 1, 'label'], value: 'typed' };
		const remove = { do: 'removeItem', node: 'start', path: ['variables'], at: 0 };
		for (const [type, operation] of [
			['typed', label],
			['edit', remove],
		]) {
			for (const names of [['b'], ['b', 'a'], ['new', 'a', 'b']]) {
				text.changeText(createListYaml('a', 'b'));
				heard.fire({ type: 'ready', selected: [] });
				posted.length = 0;
				heard.fire({ type: 'ready', selected: [] });
				heard.fire({ type: 'select', nodes: ['start'] });
				sendFromPage({ type, operation });
				text.changeText(createListYaml(...names));
				page.visible = true;
				heard.fire({ type: 'openText' });
				await waitUntilSettled();
				assert.equal(text.text, createListYaml(...names));
				assert.equal(listRefusals().length, 1);
			}
		}
		text.changeText(createListYaml('b', 'b'));
		heard.fire({ type: 'ready', selected: [] });
		heard.fire({ type: 'select', nodes: ['start'] });
		sendFromPage({ type: 'typed', operation: label });
		text.changeText(createListYaml('other', 'b'));
		heard.fire({ type: 'openText' });
		await waitUntilSettled();
		assert.equal(text.text, createListYaml('other', 'b').replace('label: b', 'label: typed'));
	});

	it('refuses edits of read-only documents', async () => {
		const text = openPanel(texts.open(vscode.Uri.from({ scheme: 'git', path: '/a.yml' }), agent));
		assert.equal(posted.find(message => message.type === 'begin')?.editable, false);
		sendFromPage({ type: 'edit', operation: createTitleEdit('Never') });
		sendFromPage({ type: 'copy', nodes: ['say'], cut: true });
		await waitUntilSettled();
		assert.equal(text.text, agent);
		assert.equal(listRefusals().length, 2);
	});

	describe('while the page has an older state', () => {
		const createAgentWithList = (...names: string[]) =>
			agent.replace('variables: []', `variables: [${names.map(name => `{ variable: ${name}, label: ${name} }`).join(', ')}]`);
		const item = { node: 'start', path: ['variables'] };
		const createLabelEdit = (at: number, value: string) => ({ do: 'set', node: 'start', path: ['variables', at, 'label'], value });

		it("resolves list positions based on the page's state and its earlier requests", async () => {
			const text = openPanel(texts.open(file, createAgentWithList('a', 'b', 'c')));
			heard.fire({ type: 'select', nodes: ['start'] });
			const form = getLastForm();
			sendFromPage({ type: 'edit', operation: { do: 'removeItem', ...item, at: 0 } }, form, 0);
			await waitUntilSettled();
			sendFromPage({ type: 'edit', operation: createLabelEdit(1, 'third') }, form, 0);
			sendFromPage({ type: 'edit', operation: { do: 'moveItem', ...item, at: 1, to: 0 } }, form, 0);
			sendFromPage({ type: 'typed', operation: createLabelEdit(0, 'third again') }, form, 0);
			sendFromPage({ type: 'edit', operation: { do: 'insertItem', ...item, at: 2, value: { variable: 'd' } } }, form, 0);
			sendFromPage({ type: 'edit', operation: createLabelEdit(2, 'new') }, form, 0);
			await waitUntilSettled();
			assert.deepEqual(listRefusals(), []);
			const variables = text.text.match(/variables: (\[.*?\])/)?.[1] ?? '';
			assert.equal(variables, '[{ variable: c, label: third again }, { variable: b, label: b }, { variable: d, label: new }]');
		});

		it('changes no other item if an earlier request was refused or the list was changed elsewhere', async () => {
			const text = openPanel(texts.open(file, createAgentWithList('a', 'b', 'c')));
			heard.fire({ type: 'select', nodes: ['start'] });
			const form = getLastForm();
			text.changeText(createAgentWithList('x', 'a', 'b', 'c'));
			await waitUntilSettled();
			for (const operation of [{ do: 'removeItem', ...item, at: 0 }, createLabelEdit(1, 'third')]) {
				sendFromPage({ type: 'edit', operation }, form, 0);
				await waitUntilSettled();
			}
			assert.equal(text.text, createAgentWithList('x', 'a', 'b', 'c'));
			assert.equal(listRefusals().length, 2);
			sendFromPage({ type: 'edit', operation: createLabelEdit(3, 'third') });
			await waitUntilSettled();
			assert.equal(text.text, createAgentWithList('x', 'a', 'b', 'c').replace('label: c', 'label: third'));
		});

		it('handles all kinds of requests in order', async () => {
			const text = openPanel();
			const order: string[] = [];
			replaceFunctions(vscode.commands, {
				executeCommand: async (command: string) => {
					await waitUntilSettled();
					order.push(`${command}: ${/title: (S\w*)\b(?!t)/.exec(text.text.slice(text.text.indexOf('say')))?.[1]}`);
				},
			});
			sendFromPage({ type: 'typed', operation: createTitleEdit('Said') });
			sendFromPage({ type: 'undo' });
			sendFromPage({ type: 'edit', operation: createTitleEdit('Sung') });
			sendFromPage({ type: 'redo' });
			await waitUntilSettled();
			await waitUntilSettled();
			await waitUntilSettled();
			assert.deepEqual(order, ['undo: Said', 'redo: Sung']);
			assert.deepEqual(
				posted.flatMap(message => (message.type === 'done' ? [message.seq] : [])),
				[1, 2, 3, 4],
			);
		});

		it('sends picture and form with the requests they include, and reports a request as done after both', async () => {
			openPanel();
			heard.fire({ type: 'select', nodes: ['say'] });
			await waitUntilSettled();
			posted.length = 0;
			sendFromPage({ type: 'edit', operation: createTitleEdit('Said') });
			sendFromPage({ type: 'edit', operation: createTitleEdit('Sung', 'nobody') });
			await waitUntilSettled();
			const received = posted.flatMap(message =>
				message.type === 'picture' || message.type === 'form'
					? [`${message.type} ${message.done}`]
					: message.type === 'done' || message.type === 'refused'
						? [message.type]
						: [],
			);
			assert.deepEqual(received, ['picture 1', 'form 1', 'done', 'refused', 'done']);
		});

		it('sends no form during an edit, because the page would apply the edit to it again', async () => {
			const diagnostics = new vscode.EventEmitter<vscode.DiagnosticChangeEvent>();
			replaceFunctions(vscode.languages, { onDidChangeDiagnostics: diagnostics.event });
			openPanel();
			heard.fire({ type: 'select', nodes: ['say'] });
			await waitUntilSettled();
			const listForms = () => posted.flatMap(message => (message.type === 'form' ? [message.done] : []));
			let duringEdit: number[] | undefined;
			const { applyEdit } = vscode.workspace;
			replaceFunctions(vscode.workspace, {
				applyEdit: async (edit: vscode.WorkspaceEdit) => {
					const isApplied = await applyEdit(edit);
					diagnostics.fire({ uris: [file] });
					await waitUntilSettled();
					duringEdit = listForms();
					return isApplied;
				},
			});
			posted.length = 0;
			sendFromPage({ type: 'edit', operation: createTitleEdit('Said') });
			await waitUntilSettled();
			await waitUntilSettled();
			assert.deepEqual(duringEdit, []);
			assert.deepEqual(listForms(), [seq]);
		});

		it('follows a node to its new ID', async () => {
			const text = openPanel();
			heard.fire({ type: 'select', nodes: ['say'] });
			sendFromPage({ type: 'edit', operation: { do: 'rename', node: 'say', id: 'said' } });
			sendFromPage({ type: 'typed', operation: createTitleEdit('Told') });
			sendFromPage({ type: 'edit', operation: { do: 'rename', node: 'say', id: 'told' } });
			sendFromPage({ type: 'edit', operation: createTitleEdit('Told you') });
			await waitUntilSettled();
			assert.deepEqual(listRefusals(), []);
			assert.match(text.text, /id: told\n.*title: Told you/);
			assert.deepEqual(
				posted.flatMap(message => (message.type === 'select' ? [message.nodes.join()] : [])),
				['said', 'told'],
			);
		});

		it('applies gestures to a node that was just renamed', async () => {
			let copied = '';
			replaceFunctions(vscode.env.clipboard, {
				writeText: async (text: string) => {
					copied = text;
				},
			});
			const text = openPanel();
			sendFromPage({ type: 'edit', operation: { do: 'rename', node: 'say', id: 'said' } });
			sendFromPage({ type: 'edit', operation: { do: 'move', nodes: [{ id: 'say', x: 500, y: 60 }] } });
			sendFromPage({ type: 'edit', operation: { do: 'connect', from: { node: 'start', handle: 'source' }, target: 'say' } });
			sendFromPage({ type: 'edit', operation: { do: 'add', type: 'code', behind: { node: 'say', handle: 'source' } } });
			sendFromPage({ type: 'copy', nodes: ['say'], cut: false });
			await waitUntilSettled();
			assert.deepEqual(listRefusals(), []);
			assert.match(text.text, /x: 500/);
			assert.match(text.text, /target: said/);
			assert.match(text.text, /source: said/);
			assert.match(copied, /id: said/);
			replaceFunctions(vscode.window, { showWarningMessage: async (_message: string, _options: object, remove: string) => remove });
			sendFromPage({ type: 'edit', operation: { do: 'delete', nodes: ['say'] } });
			await waitUntilSettled();
			assert.doesNotMatch(text.text, /id: said/);
		});

		it("selects new nodes only if the user hasn't selected something else", async () => {
			openPanel();
			const listSelections = () => posted.flatMap(message => (message.type === 'select' ? [message.nodes.join()] : []));
			sendFromPage({ type: 'edit', operation: { do: 'add', type: 'code' } });
			heard.fire({ type: 'select', nodes: ['say'] });
			await waitUntilSettled();
			assert.deepEqual(listSelections(), []);
			assert.equal(posted.findLast(message => message.type === 'form')?.form?.node, 'say');
			sendFromPage({ type: 'edit', operation: { do: 'add', type: 'llm' } });
			await waitUntilSettled();
			assert.deepEqual(listSelections(), ['llm']);
		});
	});
});
