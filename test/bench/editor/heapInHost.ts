import path from 'node:path';
import v8 from 'node:v8';
import * as vscode from 'vscode';
import { Disposables } from '../../../src/base/disposables.ts';
import { WindowPresence } from '../../../src/base/files/windowPresence.ts';
import { ChatPanel } from '../../../src/editor/chat/panel/chatPanel.ts';
import { registerChat } from '../../../src/editor/chat/register.ts';
import { Chat } from '../../../src/editor/chat/transcripts/chat.ts';
import type { CommandRegistrar } from '../../../src/editor/platform/commands.ts';
import { InspectedRun } from '../../../src/editor/runs/inspector/inspectedRun.ts';
import { InspectorPanel } from '../../../src/editor/runs/inspector/inspectorPanel.ts';
import type { RunsFeature } from '../../../src/editor/runs/register.ts';
import { Timeline } from '../../../src/runs/events/timeline.ts';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { getExtensionUnderTest } from '../../support/editor/extensionUnderTest.ts';
import { MemoryState } from '../../support/editor/memoryState.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { measureHeapInUse } from './heapInUse.ts';
import type { HeapFigures } from './inWindow.ts';

const rounds = 20;
/** Warm-up rounds, which load code and fill VS Code's caches. */
const warmUp = 5;
const classes = { ChatPanel, Chat, InspectorPanel, InspectedRun, Timeline };

/** Opens and closes the chat editor and the inspector of a run with their real pages, and measures this process's heap before and after. */
export async function measureHeap(): Promise<HeapFigures> {
	const window = new WindowUnderTest();
	await window.start();
	const { key } = (await window.runFile())!;
	const connections = new ConnectionsUnderTest();
	const chat = openChat(connections);
	const runHeapRound = async (): Promise<void> => {
		const gone = [
			await openReadyPanel(async () => window.executeCommand('agentWorkbench.run.inspect', key)),
			await openReadyPanel(async () => chat.execute('agentWorkbench.chat.openInEditor')),
		].map(panel => new Promise<void>(resolve => panel.onDidDispose(() => resolve())));
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await Promise.all(gone);
	};
	for (let n = 0; n < warmUp; n++) {
		await runHeapRound();
	}
	const before = measureHeapInUse();
	for (let n = 0; n < rounds; n++) {
		await runHeapRound();
	}
	const after = measureHeapInUse();
	// a chat is written to disk before it is released
	await waitUntil(
		'all instances are garbage-collected',
		() => Object.values(classes).every(type => v8.queryObjects(type) === 0),
		5000,
	).catch(() => undefined);
	const left = Object.fromEntries(Object.entries(classes).map(([name, type]) => [name, v8.queryObjects(type) as number]));
	chat.dispose();
	await connections.dispose();
	await window.dispose();
	return { grownBytes: after - before, left };
}

/** Creates the chat as the extension does. The side bar view stays with the installed extension, because a view has only one provider. */
function openChat({ registry, log, dataFolder }: ConnectionsUnderTest) {
	const handlers = new Map<string, () => unknown>();
	const commands = {
		register: (id: string, handler: () => unknown) => {
			handlers.set(id, handler);
			return { dispose() {} };
		},
	} as unknown as CommandRegistrar;
	const context = {
		extensionUri: getExtensionUnderTest().extensionUri,
		workspaceState: new MemoryState(),
	} as unknown as vscode.ExtensionContext;
	const none = new vscode.EventEmitter<never>().event;
	const records = { onDidChange: none, onDidRemove: none, list: () => [], get: () => undefined };
	const { registerWebviewViewProvider, registerWebviewPanelSerializer } = vscode.window;
	const registered = { registerWebviewViewProvider, registerWebviewPanelSerializer };
	for (const name of Object.keys(registered)) {
		Reflect.set(vscode.window, name, () => ({ dispose() {} }));
	}
	const held = new Disposables();
	registerChat({
		context,
		dataFolder: path.join(dataFolder, 'chat'),
		windows: new WindowPresence(path.join(dataFolder, 'chat')),
		connections: registry,
		runs: { records } as unknown as RunsFeature,
		runAgent: async () => new vscode.LanguageModelToolResult([]),
		commands,
		log: log.channel,
		own: disposable => held.register(disposable),
	});
	Object.assign(vscode.window, registered);
	return { execute: (id: string) => handlers.get(id)?.(), dispose: () => held.dispose() };
}

/** Opens a panel, and resolves once its page has reported that it is ready. */
async function openReadyPanel(open: () => Promise<unknown>): Promise<vscode.WebviewPanel> {
	const { createWebviewPanel } = vscode.window;
	const { promise, resolve } = Promise.withResolvers<vscode.WebviewPanel>();
	Reflect.set(vscode.window, 'createWebviewPanel', (...args: Parameters<typeof createWebviewPanel>) => {
		const panel = createWebviewPanel(...args);
		const listener = panel.webview.onDidReceiveMessage(() => {
			listener.dispose();
			resolve(panel);
		});
		return panel;
	});
	try {
		await open();
		return await promise;
	} finally {
		Reflect.set(vscode.window, 'createWebviewPanel', createWebviewPanel);
	}
}
