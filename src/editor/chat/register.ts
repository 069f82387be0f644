import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { ConversationReference } from '../explorer/conversations/conversationTypes.ts';
import { runInBackground } from '../platform/background.ts';
import type { FeatureParts } from '../platform/feature.ts';
import { registerPanelRestorer } from '../platform/restorePanels.ts';
import type { RunsFeature } from '../runs/register.ts';
import { hasStoredReviews } from './code/storedReviews.ts';
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

/** Registers the chat's view, editor and commands. Their implementations, `ChatHost` and `ChatCommands`, load on first use. */
export function registerChat({ context, dataFolder, windows, connections, runs, runAgent, commands, log, own }: ChatParts): void {
	const { extensionUri, workspaceState: memory } = context;
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
			memory,
			log,
		});
		own(chat.host);
		return chat;
	});
	own(
		vscode.window.registerWebviewViewProvider(chatViewId, {
			resolveWebviewView: async view => {
				const { host } = await load();
				const panel = await host.attachWebview(view.webview);
				view.onDidChangeVisibility(() => (view.visible ? host.activatePanel(panel) : panel.onHidden()));
				view.onDidDispose(() => runInBackground(host.detachPanel(panel), log, 'Chat'));
				panel.setReveal(() => view.show(false));
			},
		}),
	);
	own(
		registerPanelRestorer(chatViewId, async (panel, state: { chatId?: unknown } | undefined) =>
			(await load()).editors.fillEditor(panel, typeof state?.chatId === 'string' ? state.chatId : undefined),
		),
	);
	const registerChatCommand = (verb: ChatVerb, handler: (...args: unknown[]) => unknown) =>
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
	registerChatCommand('openInEditor', async () => (await load()).editors.openEditor(chatViewId));
	registerChatCommand('new', async () => (await showChat()).openNewChat());
	registerChatCommand('list', async () => (await showChat()).showChats());
	registerChatCommand('tools', async () => (await showChat()).pickTools());
	registerChatCommand('annotations', async () => (await showChat()).editAnnotation());
	registerChatCommand('variables', async () => (await showChat()).editVariable());
	registerChatCommand('rename', async () => (await showChat()).renameChat());
	registerChatCommand('delete', async () => (await showChat()).delete());
	registerChatCommand('export', async () => (await showChat()).exportChat());
	registerChatCommand('import', async () => (await showChat()).importChat());
	registerChatCommand('askAboutSelection', async () => (await showChat()).askAboutSelection());
	registerChatCommand('askAboutRun', async (run: unknown) => (await showChat()).askAboutRun(run));
	registerChatCommand('openConversation', async (conversation: unknown) =>
		(await showChat()).openConversation(conversation as ConversationReference),
	);
	registerChatCommand('withAgent', async (agent: unknown) => (await showChat()).chatWithAgent(agent));
	const registerProposalCommand = (verb: ChatVerb, act: 'acceptAll' | 'discardAll' | 'acceptHunk' | 'discardHunk' | 'showDiff') =>
		registerChatCommand(verb, async (...args) => (await load()).host.proposals[act](...(args as [])));
	registerProposalCommand('acceptCode', 'acceptAll');
	registerProposalCommand('discardCode', 'discardAll');
	registerProposalCommand('acceptHunk', 'acceptHunk');
	registerProposalCommand('discardHunk', 'discardHunk');
	registerProposalCommand('showCodeDiff', 'showDiff');
	registerChatCommand('addFile', async (uri?: unknown, uris?: unknown) => (await showChat()).addFiles(uri, uris));
	if (hasStoredReviews(memory)) {
		runInBackground(load(), log, 'Chat');
	}
}
