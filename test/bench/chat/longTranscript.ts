import fs from 'node:fs';
import path from 'node:path';
import { findLongestTask, recordMainThread } from '../harness/mainThread.ts';
import type { Measure } from '../harness/table.ts';
import { getChatWindow } from './chatWindow.ts';
import { turnCount } from './manyTurns.ts';

async function importLongTranscript(): Promise<void> {
	const { workbench } = await getChatWindow();
	await workbench.runCommand('Agent Workbench Chat: Import Chat…');
	await workbench.quickInput.getOption('..').waitFor();
	await workbench.quickInput.box.fill(path.join(workbench.folder, 'turns.json'));
	await workbench.page.keyboard.press('Enter');
	const chat = await (await getChatWindow()).getChat();
	await chat.getReply(`Answer ${turnCount - 1}`).waitFor();
}

/**
 * Measures the time from the key that picks the chat to the frame that shows its last turn, including reading the file. Then scrolls up one
 * screen per frame for at most 10 s, because rendering text above moves the start further away.
 */
export const longTranscript: Measure = {
	name: 'transcript',
	measure: `transcript of ${turnCount.toLocaleString('en')} turns: time to open; longest task while scrolling`,
	unit: 'ms',
	limits: { opens: { most: 300 }, scrolls: { most: 50 } },
	async run(inRounds) {
		await importLongTranscript();
		return inRounds({ warmUp: 0, rounds: 5 }, async () => ({
			values: { opens: await measureOpening(), scrolls: await measureScrolling() },
		}));
	},
};

async function measureOpening(): Promise<number> {
	const { workbench, getChat: current } = await getChatWindow();
	const { quickInput, page } = workbench;
	await workbench.runCommand('Agent Workbench Chat: New Chat');
	const chat = await current();
	await chat.waitForNewChat();
	await workbench.runCommand('Agent Workbench Chat: Show Chats…');
	await quickInput.box.fill('A thousand');
	await quickInput.widget.locator('.monaco-list-row.focused', { hasText: 'A thousand turns' }).waitFor();
	const shown = chat.frame.waitForFunction(
		last => document.querySelector('.turnList')?.lastElementChild?.textContent?.includes(last),
		`Answer ${turnCount - 1}`,
		{ polling: 'raf' },
	);
	const started = performance.now();
	await page.keyboard.press('Enter');
	await shown;
	return performance.now() - started;
}

async function measureScrolling(): Promise<number> {
	const { browser, getChat: current } = await getChatWindow();
	const chat = await current();
	const { tasks } = await recordMainThread(browser, chat.frame, () =>
		chat.frame.evaluate(
			() =>
				new Promise<void>(resolve => {
					const box = document.querySelector('.turns') as HTMLElement;
					let left = 600;
					const scrollPageUp = () => {
						box.scrollTop -= box.clientHeight;
						if (box.scrollTop > 0 && --left > 0) {
							requestAnimationFrame(scrollPageUp);
						} else {
							resolve();
						}
					};
					requestAnimationFrame(scrollPageUp);
				}),
		),
	);
	return findLongestTask(tasks);
}

/** Returns the bytes of a page's script and of the chunks that it loads immediately, which it shares with other pages. */
function measureScriptBytes(script: string): number {
	const folder = path.join(import.meta.dirname, '../../../dist/webview');
	const findImportedFiles = (file: string): string[] => {
		const text = fs.readFileSync(path.join(folder, file), 'utf8');
		const found = [...text.matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g)].map(([, name]) => path.join(path.dirname(file), name ?? ''));
		return [file, ...found.flatMap(findImportedFiles)];
	};
	return [...new Set(findImportedFiles(script))].reduce((sum, file) => sum + fs.statSync(path.join(folder, file)).size, 0);
}

/** Bytes of the page's script in the package; grammars are separate files. */
export const pageCode: Measure = {
	name: 'code',
	measure: 'webview code, minified, without grammars',
	unit: 'KB',
	limits: { size: { most: 250 } },
	run: inRounds => inRounds({ warmUp: 0, rounds: 1 }, async () => ({ values: { size: measureScriptBytes('chat.js') / 1000 } })),
};
