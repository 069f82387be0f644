import type { FromHost } from '../../../src/pages/chat/panel/panelProtocol.ts';
import type { ChatChange } from '../../../src/pages/chat/transcript/chatChanges.ts';
import type { Turn } from '../../../src/pages/chat/transcript/transcript.ts';
import { busy, longest, type Recording, recordMainThread } from '../harness/mainThread.ts';
import type { Measure } from '../harness/table.ts';
import { chatWindow } from './chatWindow.ts';
import { replyTokens, tokenCount, tokensPerSecond } from './reply.ts';

/** How many tokens at either end of the reply are compared. */
const share = 1000;
const what = `${tokenCount.toLocaleString('en')} tokens at ${tokensPerSecond.toLocaleString('en')} a second into one reply, highlighting on`;

/** One long reply a round, each in a new chat, after a short one that warms up. */
export const longReply: Measure = {
	name: 'reply',
	measure: `${what}: longest main-thread task, dropped frames, main thread in the 10 s, cost of the last ${share} tokens over the first ${share}`,
	unit: 'ms',
	costUnit: 'frames',
	limits: {
		'longest task': { most: 20 },
		'dropped frames': { most: 0, unit: 'frames' },
		'main thread': { most: 2, unit: 's' },
		'last over first': { most: 1.1, unit: '×' },
	},
	async run(inRounds) {
		const { workbench, chat: current } = await chatWindow();
		const chat = await current();
		await chat.say('warm up');
		await chat.frame.locator('.hljs-keyword').first().waitFor();
		await chat.stop.click();
		await chat.idle();
		const session = await workbench.page.context().newCDPSession(workbench.page);
		return inRounds({ warmUp: 0, rounds: 5 }, async () => {
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			await (await current()).fresh();
			// what the window's start and the round before left behind is not this reply's to clear away
			await session.send('HeapProfiler.collectGarbage');
			const recording = await recordReply();
			const dropped = droppedFrames(recording);
			return {
				values: {
					'longest task': longest(recording.tasks),
					'dropped frames': dropped.own,
					'main thread': busy(recording.tasks) / 1000,
					'last over first': growth(recording),
				},
				costs: { 'missed, what else the machine did included': dropped.all, drawn: recording.frames.length },
			};
		});
	},
};

/** Records one reply, while the user types and has text selected. */
async function recordReply(): Promise<Recording<void>> {
	const { browser, workbench, chat: current } = await chatWindow();
	const chat = await current();
	return recordMainThread(browser, chat.frame, async () => {
		const length = (from: number, to: number) => replyTokens().slice(from, to).join('').length;
		let ended = false;
		// nothing of the driver looks for the end in the page: it would read the whole reply each time, and be measured with it
		const end = chat.frame
			.evaluate(markReply, {
				early: length(0, share),
				late: length(0, tokenCount - share),
				whole: length(0, tokenCount),
				ending: replyTokens().slice(-5).join(''),
			})
			.then(() => {
				ended = true;
			});
		await chat.say('the long one');
		await chat.reply('Part 1').waitFor();
		await chat.frame.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('.block h2') ?? document.body));
		await chat.box.focus();
		while (!ended) {
			await workbench.page.keyboard.type('typed while it comes ', { delay: 60 });
		}
		await end;
		if ((await chat.frame.evaluate(() => getSelection()?.toString())) !== 'Part 1' && !(await chat.box.inputValue()).includes('typed')) {
			throw new Error('what was selected or typed is gone');
		}
	});
}

/**
 * Marks in the recording when the first text came, when the page had `early` and `late` characters of it, and when the reply had ended and
 * all of it, its `ending` last, stood there. It counts what the host's messages bring, for to look it up in the page would cost more with every token. Asks for every
 * frame meanwhile, so that one that is missed is known.
 */
function markReply({ early, late, whole, ending }: { early: number; late: number; whole: number; ending: string }): Promise<void> {
	return new Promise((resolve, reject) => {
		let length = 0;
		const lengthOf = (turn: Turn | undefined) =>
			(turn?.parts ?? []).reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
		const marks: [name: string, from: number][] = [
			['first', 1],
			['early', early],
			['late', late],
			['whole', whole],
		];
		const count = ({ data }: MessageEvent<FromHost>) => {
			for (const change of data.type === 'changes' ? data.changes : []) {
				if (change.type === 'textAdded') {
					length += (change as Extract<ChatChange, { type: 'textAdded' }>).text.length;
				} else if (change.type === 'path') {
					length = change.turns.at(-1)?.role === 'assistant' ? lengthOf(change.turns.at(-1)) : 0;
				}
			}
			while (marks[0] && length >= marks[0][1]) {
				console.timeStamp(marks.shift()![0]);
			}
		};
		window.addEventListener('message', count as (event: MessageEvent) => void);
		const tick = () => {
			const stands = () => document.querySelector('markdown-text.rendered')?.lastElementChild?.textContent?.trimEnd().endsWith(ending);
			if (marks.length === 0 && document.querySelector('chat-turn .assistant .facts') && stands()) {
				console.timeStamp('end');
				window.removeEventListener('message', count as (event: MessageEvent) => void);
				resolve();
			} else if (document.querySelector('chat-turn .assistant .problem')) {
				reject(new Error('the reply failed'));
			} else {
				requestAnimationFrame(tick);
			}
		};
		requestAnimationFrame(tick);
	});
}

const frameMs = 1000 / 60;

/** Frames that were missed, and those of them that the thread was at work for: others the machine took. */
function droppedFrames({ frames, tasks, marks }: Recording<void>): { own: number; all: number } {
	let own = 0;
	let all = 0;
	for (const [index, at] of frames.entries()) {
		const next = frames[index + 1];
		if (next !== undefined && at >= marks.get('first')!) {
			const missed = Math.max(0, Math.round((next - at) / frameMs) - 1);
			all += missed;
			own += Math.min(missed, Math.floor(busy(tasks, at, next) / frameMs));
		}
	}
	return { own, all };
}

/** Processor time of the last tokens, up to where the ended reply stands there, over that of the first. */
function growth({ tasks, marks }: Recording<void>): number {
	return busy(tasks, marks.get('late'), marks.get('end')) / busy(tasks, marks.get('first'), marks.get('early'));
}
