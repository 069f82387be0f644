import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Frame } from 'playwright-core';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { type OpenSession, openWorkbench } from '../../ui/driver/session.ts';
import { findWebviewFrame } from '../../ui/driver/webviews.ts';
import type { Workbench } from '../../ui/driver/workbench.ts';
import { computeMedian } from '../harness/contest.ts';
import { findLongestTask, recordMainThread } from '../harness/mainThread.ts';
import type { Measure } from '../harness/table.ts';

/** Number of nodes in each file. `few` is the floor. */
const sizes = { few: 50, many: 1000 };
type Name = keyof typeof sizes;
/** Number of repetitions per round. The median counts. */
const times = 3;

interface GraphWindow {
	readonly session: OpenSession;
	readonly workbench: Workbench;
	readonly browser: Browser;
	readonly folder: string;
}

let opened: Promise<GraphWindow> | undefined;

async function getGraphWindow(): Promise<GraphWindow> {
	opened ??= openGraphWindow();
	return opened;
}

export async function closeGraphWindow(): Promise<void> {
	const window = await opened?.catch(() => undefined);
	await window?.session.close();
	if (window) {
		removeFolder(window.folder);
	}
}

async function openGraphWindow(): Promise<GraphWindow> {
	const folder = makeTempFolder();
	fs.mkdirSync(path.join(folder, 'agents'));
	for (const [name, count] of Object.entries(sizes)) {
		fs.writeFileSync(path.join(folder, 'agents', `${name}.yml`), createAgentText(name, count));
	}
	const session = await openWorkbench({ workspace: folder, extensions: [path.join(import.meta.dirname, 'emptyPage')] });
	const browser = session.workbench.page.context().browser();
	if (!browser) {
		throw new Error('the workbench has no separate browser');
	}
	return { session, workbench: session.workbench, browser, folder };
}

/** Creates an agent with templates in rows of forty, each connected to the previous one. */
function createAgentText(name: string, count: number): string {
	const createNode = (at: number) => `      - id: n${at}
        type: custom
        position: { x: ${(at % 40) * 300}, y: ${Math.floor(at / 40) * 160} }
        data:
          type: template-transform
          title: Node ${at}
          template: "{{ x }} number ${at}"
          variables:
            - { variable: x, value_selector: [n${at - 1}, output] }
`;
	const places = Array.from({ length: count - 1 }, (_, at) => at + 1);
	return `app: { name: ${name}, mode: workflow }
kind: app
version: "0.6.0"
workflow:
  graph:
    edges:
${places.map(at => `      - { id: e${at}, source: n${at - 1}, target: n${at}, sourceHandle: source, targetHandle: target }\n`).join('')}    nodes:
      - id: n0
        type: custom
        position: { x: 0, y: 0 }
        data: { type: start, title: Start, variables: [] }
${places.map(createNode).join('')}`;
}

/** Opens a page next to the active file with the palette. Returns the milliseconds from the key to the frame that shows it. */
async function openPage(
	{ page, quickInput }: Workbench,
	{ command, title, isShown }: { command: string; title: string; isShown: () => boolean },
): Promise<{ ms: number; frame: Frame }> {
	await page.keyboard.press('F1');
	await quickInput.box.fill(`>${command}`);
	await quickInput.widget.locator('.monaco-list-row.focused', { hasText: command.replace(/^.*: /, '') }).waitFor();
	const started = performance.now();
	await page.keyboard.press('Enter');
	const frame = await findWebviewFrame(page, title);
	await frame.waitForFunction(isShown, undefined, { polling: 'raf' });
	return { ms: performance.now() - started, frame };
}

function openGraph(workbench: Workbench, name: Name): Promise<{ ms: number; frame: Frame }> {
	return openPage(workbench, {
		command: 'Agent Workbench: Open Agent Graph',
		title: `Graph of ${name}.yml`,
		isShown: () => document.querySelectorAll('.node').length > 5,
	});
}

function openEmptyPage(workbench: Workbench): Promise<{ ms: number; frame: Frame }> {
	return openPage(workbench, {
		command: 'Bench: Open Empty Page',
		title: 'Empty page',
		isShown: () => document.querySelector('.empty') !== null,
	});
}

/** Opens a file and a page next to it, several times in turn with an empty page. Returns the median times in milliseconds. */
async function measureOpening(workbench: Workbench, name: Name): Promise<{ graph: number; emptyPage: number }> {
	const found: { graph: number; emptyPage: number }[] = [];
	const openWithFile = async (open: () => Promise<{ ms: number }>) => {
		await workbench.openFile(`${name}.yml`);
		const { ms } = await open();
		await workbench.runCommand('View: Close All Editors');
		return ms;
	};
	for (let time = 0; time <= times; time++) {
		const emptyPage = await openWithFile(() => openEmptyPage(workbench));
		found.push({ emptyPage, graph: await openWithFile(() => openGraph(workbench, name)) });
	}
	const [, ...counted] = found;
	return { graph: computeMedian(counted.map(each => each.graph)), emptyPage: computeMedian(counted.map(each => each.emptyPage)) };
}

/** Pans over the whole graph with the wheel, and zooms out and in. Returns the milliseconds of the longest task. */
async function panAndZoomGraph(browser: Browser, frame: Frame): Promise<number> {
	const { tasks } = await recordMainThread(browser, frame, () =>
		frame.evaluate(async () => {
			const canvas = document.querySelector('.canvas') as HTMLElement;
			const { left, top, width, height } = canvas.getBoundingClientRect();
			const dispatchWheelEvent = (deltaX: number, deltaY: number, ctrlKey: boolean) =>
				canvas.dispatchEvent(
					new WheelEvent('wheel', { deltaX, deltaY, ctrlKey, clientX: left + width / 2, clientY: top + height / 2, cancelable: true }),
				);
			const runAnimationFrames = async (count: number, step: () => void) => {
				for (let at = 0; at < count; at++) {
					step();
					await new Promise(resolve => requestAnimationFrame(resolve));
				}
			};
			await runAnimationFrames(60, () => dispatchWheelEvent(150, 60, false));
			await runAnimationFrames(20, () => dispatchWheelEvent(0, 20, true));
			await runAnimationFrames(60, () => dispatchWheelEvent(-150, -60, false));
			await runAnimationFrames(30, () => dispatchWheelEvent(0, -20, true));
		}),
	);
	return findLongestTask(tasks);
}

/** Types letters into the title of a node in the middle. Returns the milliseconds from a key to the frame whose graph shows the letter. */
async function measureKeystroke(workbench: Workbench, frame: Frame): Promise<number> {
	const { page } = workbench;
	const id = await frame.evaluate(() => {
		const { left, top, width, height } = (document.querySelector('.canvas') as HTMLElement).getBoundingClientRect();
		const getDistanceFromCenter = (node: Element) => {
			const box = node.getBoundingClientRect();
			return Math.hypot(box.x + box.width / 2 - left - width / 2, box.y + box.height / 2 - top - height / 2);
		};
		return (
			(
				[...document.querySelectorAll('.node:not([data-node="n0"])')].toSorted(
					(a, b) => getDistanceFromCenter(a) - getDistanceFromCenter(b),
				)[0] as HTMLElement
			).dataset['node'] ?? ''
		);
	});
	await frame.locator(`.node[data-node="${id}"]`).dblclick();
	await page
		.locator('.monaco-editor.focused .view-line', { hasText: `id: ${id}` })
		.first()
		.waitFor();
	// from the node's first line to its title
	for (let line = 0; line < 5; line++) {
		await page.keyboard.press('ArrowDown');
	}
	await page.keyboard.press('End');
	const found: number[] = [];
	for (const letter of 'abcde') {
		const started = performance.now();
		await page.keyboard.press(letter);
		await frame.waitForFunction(
			([node, end]) => document.querySelector(`.node[data-node="${node}"] .nodeTitle`)?.textContent?.endsWith(end ?? ''),
			[id, letter],
			{ polling: 'raf' },
		);
		found.push(performance.now() - started);
		await new Promise(resolve => setTimeout(resolve, 600));
	}
	for (let back = 0; back < 5; back++) {
		await page.keyboard.press('Backspace');
	}
	// restores the text, so that the editor closes without a prompt
	await page.keyboard.press('Control+s');
	await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
	return computeMedian(found);
}

/**
 * Measures the time from the key in the palette to the cards in the new editor, including creating the webview, reading the file and
 * rendering. The floor is the same for a file with fifty nodes. VS Code colors the longer text meanwhile, on the same processors, so only
 * the time beyond that of an empty page next to the same text counts. Then pans over the whole graph, zooms out and in, types letters into the
 * file, and measures the time until the card shows each of them.
 */
export const graph: Measure = {
	name: 'graph',
	measure:
		'graph of 1,000 nodes: time to open beyond that of an empty page next to the same text, over the same for 50 nodes; longest task while panning and zooming; time from a keystroke in the text to the redrawn graph',
	unit: '×',
	costUnit: 'ms',
	limits: { opens: { most: 2 }, pans: { most: 50, unit: 'ms' }, keystroke: { most: 100, unit: 'ms' } },
	async run(inRounds) {
		const { browser, workbench } = await getGraphWindow();
		return inRounds({ warmUp: 1, rounds: 3 }, async () => {
			const few = await measureOpening(workbench, 'few');
			const many = await measureOpening(workbench, 'many');
			await workbench.openFile('many.yml');
			const { frame } = await openGraph(workbench, 'many');
			const pans = await panAndZoomGraph(browser, frame);
			const key = await measureKeystroke(workbench, frame);
			await workbench.runCommand('View: Close All Editors');
			return {
				values: { opens: (many.graph - many.emptyPage) / (few.graph - few.emptyPage), pans, keystroke: key },
				costs: { few: few.graph, 'few, empty page': few.emptyPage, many: many.graph, 'many, empty page': many.emptyPage },
			};
		});
	},
};
