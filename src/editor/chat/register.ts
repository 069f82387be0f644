import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { ConversationReference } from '../explorer/conversations/conversationTypes.ts';
import { runInBackground } from '../platform/background.ts';
import type { FeatureParts } from '../platform/feature.ts';
import { registerPanelRestorer } from '../platform/restorePanels.ts';
import { getTabIcon } from '../platform/tabIcon.ts';
import type { RunsFeature } from '../runs/register.ts';
import { LastEditor } from './lastEditor.ts';
import type { AgentRunner } from './tools/agentTool.ts';

/** ID of the view, and type of the editor panels. */
const chatViewId = 'agentWorkbench.chat';

type ChatVerb = CommandId extends infer Id ? (Id extends `agentWorkbench.chat.${infer Verb}` ? Verb : never) : never;

interface ChatParts extends FeatureParts {
	readonly connections: Connections;
	readonly runs: RunsFeature;
	/** Runs an agent when a model in the chat calls it as a tool. */
	readonly runAgent: AgentRunner;
}

/** Registers the chat's view, editor and commands. Its code loads on first use (`ChatHost`, `ChatCommands`). */
export function registerChat({ context, dataFolder, windows, connections, runs, runAgent, commands, log, own }: ChatParts): void {
	const { extensionUri } = context;
	// created at startup, because the previous editor can't be found after the chat has the focus
	const editors = own(new LastEditor());
	const load = createLazyLoader(async () => {
		const { createChat } = await import('./createChat.ts');
		const chat = createChat({
			extensionUri,
			folder: path.join(dataFolder, 'chats'),
			windows,
			connections,
			runs: runs.records,
			runStory: async key => (await runs.load()).reader.readStory(key),
			prepare: runs.prepare,
			runAgent,
			editors,
			log,
		});
		own(chat.host);
		return chat;
	});
	const fillPanel = async (webviewPanel: vscode.WebviewPanel, chatId: string | undefined) => {
		const { host } = await load();
		webviewPanel.iconPath = getTabIcon(extensionUri);
		const panel = await host.attach(webviewPanel.webview, chatId);
		webviewPanel.onDidChangeViewState(() => {
			if (webviewPanel.active) {
				host.activate(panel);
			}
			if (!webviewPanel.visible) {
				panel.onHidden();
			}
		});
		webviewPanel.onDidDispose(() => runInBackground(host.detach(panel), log, 'Chat'));
		panel.onReveal(() => webviewPanel.reveal());
	};
	own(
		vscode.window.registerWebviewViewProvider(chatViewId, {
			resolveWebviewView: async view => {
				const { host } = await load();
				const panel = await host.attach(view.webview);
				view.onDidChangeVisibility(() => (view.visible ? host.activate(panel) : panel.onHidden()));
				view.onDidDispose(() => runInBackground(host.detach(panel), log, 'Chat'));
				panel.onReveal(() => view.show(false));
			},
		}),
	);
	own(
		registerPanelRestorer(chatViewId, (panel, state: { chatId?: unknown } | undefined) =>
			fillPanel(panel, typeof state?.chatId === 'string' ? state.chatId : undefined),
		),
	);
	const register = (verb: ChatVerb, handler: (...args: unknown[]) => unknown) =>
		own(commands.register(`agentWorkbench.chat.${verb}`, handler));
	/** Opens the view if there is no panel, and returns the commands. */
	const showChat = async () => {
		const chat = await load();
		if (!chat.host.activePanel) {
			await vscode.commands.executeCommand(`${chatViewId}.focus`);
			await chat.host.waitForPanel();
		}
		return chat.commands;
	};
	register('openInEditor', async () => {
		const { host } = await load();
		const id = host.activePanel?.chat.transcript.id;
		const panel = vscode.window.createWebviewPanel(chatViewId, vscode.l10n.t('Chat'), vscode.ViewColumn.Active, { enableScripts: true });
		await fillPanel(panel, id);
	});
	register('new', async () => (await showChat()).openNewChat());
	register('list', async () => (await showChat()).showChats());
	register('tools', async () => (await showChat()).pickTools());
	register('annotations', async () => (await showChat()).editAnnotation());
	register('variables', async () => (await showChat()).editVariable());
	register('rename', async () => (await showChat()).rename());
	register('delete', async () => (await showChat()).delete());
	register('export', async () => (await showChat()).export());
	register('import', async () => (await showChat()).import());
	register('askAboutSelection', async () => (await showChat()).askAboutSelection());
	register('askAboutRun', async (run: unknown) => (await showChat()).askAboutRun(run));
	register('openConversation', async (conversation: unknown) => (await showChat()).openConversation(conversation as ConversationReference));
	register('withAgent', async (agent: unknown) => (await showChat()).chatWithAgent(agent));
	register('acceptCode', async () => (await load()).host.proposals.accept());
	register('discardCode', async () => (await load()).host.proposals.discard());
	register('addFile', async (uri?: unknown, uris?: unknown) => (await showChat()).addFiles(uri, uris));
}
