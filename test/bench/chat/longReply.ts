import type { FromHost } from '../../../src/pages/chat/panel/panelProtocol.ts';
import type { ChatChange } from '../../../src/pages/chat/transcript/chatChanges.ts';
import type { Turn } from '../../../src/pages/chat/transcript/transcript.ts';
import { findLongestTask, type Recording, recordMainThread, sumBusyMs } from '../harness/mainThread.ts';
import type { Measure } from '../harness/table.ts';
import { getChatWindow } from './chatWindow.ts';
import { createReplyTokens, tokenCount, tokensPerSecond } from './reply.ts';

/** Number of tokens compared at either end of the reply. */
const share = 1000;
const what = `${tokenCount.toLocaleString('en')} tokens at ${tokensPerSecond.toLocaleString('en')} a second in one reply, with highlighting`;

/** One long reply per round, each in a new chat, after a short reply as a warm-up. */
export const longReply: Measure = {
	name: 'reply',
	measure: `${what}: longest main-thread task, dropped frames, main thread in the 10 s (without the animation frames that the measurement requests), cost of the last ${share} tokens over the first ${share}`,
	unit: 'ms',
	costUnit: 'frames',
	limits: {
		'longest task': { most: 20 },
		'dropped frames': { most: 0, unit: 'frames' },
		'main thread': { most: 2, unit: 's' },
		'last over first': { most: 1.1, unit: '×' },
	},
	async run(inRounds) {
		const { workbench, getChat: current } = await getChatWindow();
		const chat = await current();
		await chat.sendMessage('warm up');
		await chat.frame.locator('.hljs-keyword').first().waitFor();
		await chat.stop.click();
		await chat.waitForIdleChat();
		const session = await workbench.page.context().newCDPSession(workbench.page);
		return inRounds({ warmUp: 0, rounds: 5 }, async () => {
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			await (await current()).waitForNewChat();
			// don't count garbage left by the window's start or by the previous round
			await session.send('HeapProfiler.collectGarbage');
			const frameShare = await measureAnimationFrames();
			const recording = await recordReply();
			const framesMs = frameShare * (recording.marks.get('end')! - recording.marks.get('first')!);
			const dropped = countDroppedFrames(recording);
			return {
				values: {
					'longest task': findLongestTask(recording.tasks),
					'dropped frames': dropped.own,
					'main thread': (sumBusyMs(recording.tasks) - framesMs) / 1000,
					'last over first': computeCostGrowth(recording),
				},
				costs: { 'dropped by any work on the machine': dropped.all, drawn: recording.frames.length },
			};
		});
	},
};

/** Returns the share of the time that an empty chat is busy with animation frames that are only requested. */
async function measureAnimationFrames(): Promise<number> {
	const { browser, getChat: current } = await getChatWindow();
	const { frame } = await current();
	const ms = 2500;
	const { tasks } = await recordMainThread(browser, frame, () =>
		frame.evaluate(
			until =>
				new Promise<void>(resolve => {
					const began = performance.now();
					const checkAnimationFrame = () => (performance.now() - began < until ? requestAnimationFrame(checkAnimationFrame) : resolve());
					requestAnimationFrame(checkAnimationFrame);
				}),
			ms,
		),
	);
	return sumBusyMs(tasks) / ms;
}

/** Records one reply while the user types and has text selected. */
async function recordReply(): Promise<Recording<void>> {
	const { browser, workbench, getChat: current } = await getChatWindow();
	const chat = await current();
	return recordMainThread(browser, chat.frame, async () => {
		const measureTextLength = (from: number, to: number) => createReplyTokens().slice(from, to).join('').length;
		let ended = false;
		// don't poll the page for the reply's end: reading the whole reply each time would be measured too
		const end = chat.frame
			.evaluate(markReplyProgress, {
				early: measureTextLength(0, share),
				late: measureTextLength(0, tokenCount - share),
				whole: measureTextLength(0, tokenCount),
				ending: createReplyTokens().slice(-5).join(''),
			})
			.then(() => {
				ended = true;
			});
		await chat.sendMessage('the long one');
		await chat.getReply('Part 1').waitFor();
		await chat.frame.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('.block h2') ?? document.body));
		await chat.box.focus();
		while (!ended) {
			await workbench.page.keyboard.type('typed while it comes ', { delay: 60 });
		}
		await end;
		if ((await chat.frame.evaluate(() => getSelection()?.toString())) !== 'Part 1' && !(await chat.box.inputValue()).includes('typed')) {
			throw new Error('the selected or typed text is gone');
		}
	});
}

/**
 * Adds marks to the recording: at the first text, after `early` and after `late` characters, and when the page shows the reply up to its
 * `ending`. Counts the characters in the host's messages, because reading them from the page would cost more with every token. Requests
 * every animation frame, so that missed frames are detected.
 */
function markReplyProgress({ early, late, whole, ending }: { early: number; late: number; whole: number; ending: string }): Promise<void> {
	return new Promise((resolve, reject) => {
		let length = 0;
		const getTextLength = (turn: Turn | undefined) =>
			(turn?.parts ?? []).reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
		const marks: [name: string, from: number][] = [
			['first', 1],
			['early', early],
			['late', late],
			['whole', whole],
		];
		const countCharacters = ({ data }: MessageEvent<FromHost>) => {
			for (const change of data.type === 'changes' ? data.changes : []) {
				if (change.type === 'textAdded') {
					length += (change as Extract<ChatChange, { type: 'textAdded' }>).text.length;
				} else if (change.type === 'path') {
					length = change.turns.at(-1)?.role === 'assistant' ? getTextLength(change.turns.at(-1)) : 0;
				}
			}
			while (marks[0] && length >= marks[0][1]) {
				console.timeStamp(marks.shift()![0]);
			}
		};
		window.addEventListener('message', countCharacters as (event: MessageEvent) => void);
		const checkAnimationFrame = () => {
			const isReplyShown = () =>
				document.querySelector('markdown-text.rendered')?.lastElementChild?.textContent?.trimEnd().endsWith(ending);
			if (marks.length === 0 && document.querySelector('chat-turn .assistant .facts') && isReplyShown()) {
				console.timeStamp('end');
				window.removeEventListener('message', countCharacters as (event: MessageEvent) => void);
				resolve();
			} else if (document.querySelector('chat-turn .assistant .problem')) {
				reject(new Error('the reply failed'));
			} else {
				requestAnimationFrame(checkAnimationFrame);
			}
		};
		requestAnimationFrame(checkAnimationFrame);
	});
}

const frameMs = 1000 / 60;

/** Counts all missed frames (`all`) and those missed while this thread was busy (`own`). Other work on the machine causes the rest. */
function countDroppedFrames({ frames, tasks, marks }: Recording<void>): { own: number; all: number } {
	let own = 0;
	let all = 0;
	for (const [index, at] of frames.entries()) {
		const next = frames[index + 1];
		if (next !== undefined && at >= marks.get('first')!) {
			const missed = Math.max(0, Math.round((next - at) / frameMs) - 1);
			all += missed;
			own += Math.min(missed, Math.floor(sumBusyMs(tasks, at, next) / frameMs));
		}
	}
	return { own, all };
}

/**
 * Returns the processor time of the last tokens divided by that of the first tokens. Both are measured between texts that were received, so
 * neither includes what happens once per reply.
 */
function computeCostGrowth({ tasks, marks }: Recording<void>): number {
	return sumBusyMs(tasks, marks.get('late'), marks.get('whole')) / sumBusyMs(tasks, marks.get('first'), marks.get('early'));
}
