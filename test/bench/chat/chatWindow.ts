import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../scripts/lib/browser.ts';
import { openPage } from '../../../scripts/lib/page.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { startServer } from '../../../scripts/lib/server.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { testSettings } from '../../../scripts/lib/userSettings.ts';
import { ChatPage } from '../../ui/chat/chatPage.ts';
import { Workbench } from '../../ui/driver/workbench.ts';
import { startNode } from '../harness/processes.ts';
import { createLongTranscript } from './manyTurns.ts';

/** A real workbench with the chat open, connected to the benchmark's service. */
export interface ChatWindow {
	readonly browser: Browser;
	readonly workbench: Workbench;
	getChat(): Promise<ChatPage>;
	close(): Promise<void>;
}

let opened: Promise<ChatWindow> | undefined;

/** Returns the window shared by all measures of the table. */
export function getChatWindow(): Promise<ChatWindow> {
	opened ??= openChatWindow();
	return opened;
}

export async function closeChatWindow(): Promise<void> {
	await (await opened?.catch(() => undefined))?.close();
}

async function openChatWindow(): Promise<ChatWindow> {
	const closing: (() => unknown)[] = [];
	const close = async () => {
		for (const step of closing.splice(0).reverse()) {
			await step();
		}
	};
	try {
		const service = await startNode<{ port: number }>([path.join(import.meta.dirname, 'replyServer.ts')]);
		closing.push(() => service.stop());
		const workspace = makeTempFolder();
		closing.push(() => removeFolder(workspace));
		fs.writeFileSync(path.join(workspace, 'turns.json'), JSON.stringify(createLongTranscript()));
		const baseUrl = `http://127.0.0.1:${service.ready.port}`;
		const connections = [{ id: 'bench', name: 'Bench', kind: 'anthropic-compatible', baseUrl }];
		const settings = { ...testSettings, 'agentWorkbench.connections': connections, 'files.simpleDialog.enable': true };
		const server = await startServer({ workspace, extensions: [root], settings });
		closing.push(() => server.stop());
		const browser = await launchBrowser();
		closing.push(() => browser.close());
		const { page, closeWindow: leave } = await openPage(browser, server);
		closing.push(leave);
		const workbench = new Workbench(page, workspace, server);
		await workbench.waitUntilWindowReady();
		const chat = await ChatPage.openChatInSideBar(workbench);
		await chat.selectTarget(workbench, 'Bench', 'bench');
		return { browser, workbench, getChat: () => ChatPage.findChat(workbench, 'Chat'), close };
	} catch (error) {
		await close();
		throw error;
	}
}
