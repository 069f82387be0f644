import { waitUntil } from '../support/waitUntil.ts';
import { ChatPage } from '../ui/chat/chatPage.ts';
import type { Workbench } from '../ui/driver/workbench.ts';
import { getNodeRow, inspectLatestRun } from '../ui/workflows/inspectorFrame.ts';

const channel = 'Agent Runs';

/** Run files of the sample workspace, their agents, and a node of each agent. */
const files = [
	{ file: 'annual-report.run.json', agent: 'summarize', node: 'Start' },
	{ file: 'review-batch.run.json', agent: 'review-batch', node: 'Each review' },
	{ file: 'translate-notice.run.json', agent: 'translate', node: 'Start' },
] as const;

/** Simulates a user in a window, from a run to its log and a chat, and closes everything at the end. `index` chooses the run file. */
export async function runUserRound(workbench: Workbench, index: number): Promise<void> {
	const { file, agent, node } = files[index % files.length] as (typeof files)[number];
	await runFile(workbench, file);
	const inspector = await inspectLatestRun(workbench, agent);
	await getNodeRow(inspector, node).click();
	await expandAgentLists(workbench, agent);
	await sendChatMessage(workbench, `Round ${index}`);
	await workbench.runCommand('Agent Workbench Chat: Open Chat in Editor');
	await workbench.page.locator('.tab').nth(2).waitFor();
	await clearNotifications(workbench);
	await workbench.runCommand('View: Close All Editors');
	await workbench.page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
	await workbench.showContainer('Explorer');
}

async function runFile(workbench: Workbench, file: string): Promise<void> {
	await workbench.openFile(file);
	const from = workbench.output.readChannel(channel).length;
	await workbench.getCodeLens('Run').first().click();
	await waitUntil(`the end of a run of ${file}`, () => workbench.output.readChannel(channel).slice(from).includes('■ succeeded'), 60_000);
}

async function expandAgentLists(workbench: Workbench, agent: string): Promise<void> {
	await workbench.showContainer('Agent Workbench');
	const tree = workbench.getTree('Agents');
	const entries = tree.root.locator('.monaco-list-row[aria-level="4"]');
	await tree.expandRows('Built-in gateway', agent);
	// one after another, because the entries of both don't fit into the view
	for (const list of ['Logs', 'Runs']) {
		await tree.expandRows(list);
		await entries.first().waitFor();
		await tree.collapseRow(list);
		await entries.first().waitFor({ state: 'detached' });
	}
	await tree.collapseRow(agent);
}

async function sendChatMessage(workbench: Workbench, words: string): Promise<void> {
	const page = await ChatPage.openChatInSideBar(workbench);
	await page.sendMessage(words);
	await page.getReply(/You wrote/).waitFor();
	await page.waitForIdleChat();
	await workbench.runCommand('Agent Workbench Chat: New Chat');
	await page.waitForNewChat();
}

/** Clears the notifications, because VS Code keeps unanswered ones. */
async function clearNotifications(workbench: Workbench): Promise<void> {
	if ((await workbench.page.locator('#status\\.notifications .codicon-bell-dot').count()) === 0) {
		return;
	}
	try {
		await workbench.runCommand('Notifications: Clear All Notifications');
	} catch {
		// the last notification closed by itself in the meantime, which disables the command
		await workbench.page.keyboard.press('Escape');
	}
}
