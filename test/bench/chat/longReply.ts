import { busy, longest, type Recording, recordMainThread } from '../harness/mainThread.ts';
import type { Measure } from '../harness/table.ts';
import { chatWindow } from './chatWindow.ts';
import { tokenCount, tokensPerSecond } from './reply.ts';

interface Times {
	/** Milliseconds since the recording's start at which the first text stood there, and the end of the reply. */
	readonly firstText: number;
	readonly lastText: number;
}

let recorded: Promise<Recording<Times>> | undefined;

/** The long reply comes once for all measures of it, while the user types and has text selected; a short one before warms up. */
function recording(): Promise<Recording<Times>> {
	recorded ??= record();
	return recorded;
}

async function record(): Promise<Recording<Times>> {
	const { browser, workbench, chat: current } = await chatWindow();
	const chat = await current();
	await chat.say('warm up');
	await chat.frame.locator('.hljs-keyword').first().waitFor();
	await chat.stop.click();
	await chat.idle();
	await workbench.runCommand('Agent Workbench: New Chat');
	await chat.fresh();
	return recordMainThread(browser, chat.frame, async () => {
		const frames = chat.frame.evaluate(timesOfReply);
		await chat.say('the long one');
		await chat.reply('Part 1').waitFor();
		await chat.frame.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('.block h2') ?? document.body));
		await chat.box.focus();
		let ended = false;
		const end = chat
			.reply('end_turn')
			.waitFor({ timeout: 60_000 })
			.then(() => {
				ended = true;
			});
		while (!ended) {
			await workbench.page.keyboard.type('typed while it comes ', { delay: 60 });
		}
		await end;
		if ((await chat.frame.evaluate(() => getSelection()?.toString())) !== 'Part 1' && !(await chat.box.inputValue()).includes('typed')) {
			throw new Error('what was selected or typed is gone');
		}
		return frames;
	});
}

/** Notes when the first text of the reply stood there and when the reply had ended. Asks for every frame meanwhile. */
function timesOfReply(): Promise<Times> {
	return new Promise(resolve => {
		const started = performance.now();
		let firstText = 0;
		const tick = (now: number) => {
			if (firstText === 0 && document.querySelector('chat-turn .assistant .block')) {
				firstText = now - started;
			}
			if (document.querySelector('chat-turn .assistant .facts')) {
				resolve({ firstText, lastText: now - started });
			} else {
				requestAnimationFrame(tick);
			}
		};
		requestAnimationFrame(tick);
	});
}

const frameMs = 1000 / 60;

/** Frames that were missed, and those of them that the thread was at work for: others the machine took. */
function droppedFrames({ frames, tasks, result }: Recording<Times>): { own: number; all: number } {
	let own = 0;
	let all = 0;
	for (const [index, at] of frames.entries()) {
		const next = frames[index + 1];
		if (next !== undefined && at >= result.firstText) {
			const missed = Math.max(0, Math.round((next - at) / frameMs) - 1);
			all += missed;
			own += Math.min(missed, Math.floor(busy(tasks, at, next) / frameMs));
		}
	}
	return { own, all };
}

const what = `${tokenCount.toLocaleString('en')} tokens at ${tokensPerSecond.toLocaleString('en')} a second`;

/** The lines of the budget on a long reply. */
export const longReply: readonly Measure[] = [
	{
		name: 'longest-task',
		measure: `${what}: longest main-thread task, most`,
		unit: 'ms',
		limit: 20,
		async run() {
			const { tasks } = await recording();
			const value = longest(tasks);
			return { value, ok: value <= 20, notes: [`${tasks.filter(({ ms }) => ms > 20).length} tasks of ${tasks.length} over 20 ms`] };
		},
	},
	{
		name: 'dropped-frames',
		measure: `${what}: dropped frames, most`,
		unit: '',
		limit: 0,
		async run() {
			const done = await recording();
			const { own, all } = droppedFrames(done);
			return { value: own, ok: own === 0, notes: [`${done.frames.length} frames; ${all} missed, what else the machine did included`] };
		},
	},
	{
		name: 'main-thread',
		measure: `${what}: main thread in the 10 s, most`,
		unit: 's',
		limit: 2.5,
		async run() {
			const value = busy((await recording()).tasks) / 1000;
			return { value, ok: value <= 2.5 };
		},
	},
	{
		name: 'flat',
		measure: 'cost of the last 1,000 tokens over the first 1,000, most',
		unit: '×',
		limit: 1.2,
		async run() {
			const { tasks, result } = await recording();
			const span = (1000 / tokensPerSecond) * 1000;
			const first = busy(tasks, result.firstText, result.firstText + span);
			const last = busy(tasks, result.lastText - span, result.lastText);
			return { value: last / first, ok: last / first <= 1.2, notes: [`${first.toFixed(0)} ms, then ${last.toFixed(0)} ms`] };
		},
	},
];
