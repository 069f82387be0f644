// Runs in an extension host (inWindow.ts) and writes its measurements to the file that AGENT_WORKBENCH_BENCH_RESULT names.
import fs from 'node:fs';
import * as vscode from 'vscode';
import { getExtensionUnderTest } from '../../support/editor/extensionUnderTest.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { EventWriter, play } from '../../support/services/faultService.ts';
import { measureCompletion } from './completionInHost.ts';
import { measureHeap } from './heapInHost.ts';
import type { ActivationFigures, EventFigures } from './inWindow.ts';
import { measurePaging } from './pagingInHost.ts';

const emptyPrefix = 'agent-workbench-bench.empty-';
const eventsPerSecond = 1000;
const seconds = 5;
/** Milliseconds between writes. Events that are due in this time are written together. */
const burstMs = 5;

export async function run(): Promise<void> {
	const measures: Record<string, () => Promise<unknown>> = {
		activation: measureActivation,
		completion: measureCompletion,
		events: measureEventDelays,
		heap: measureHeap,
		paging: measurePaging,
	};
	const figures = await measures[process.env['AGENT_WORKBENCH_BENCH']!]!();
	fs.writeFileSync(process.env['AGENT_WORKBENCH_BENCH_RESULT']!, JSON.stringify(figures));
}

async function measureActivation(): Promise<ActivationFigures> {
	const extension = getExtensionUnderTest();
	const empty = vscode.extensions.all.filter(({ id }) => id.startsWith(emptyPrefix));
	if (empty.length === 0) {
		throw new Error(`No extension ${emptyPrefix}… is installed in this window`);
	}
	if (extension.isActive) {
		throw new Error('The extension was activated by the window, at another time than the empty extensions');
	}
	const half = empty.length / 2;
	for (const each of [...empty.slice(0, half), extension, ...empty.slice(half)]) {
		await each.activate();
	}
	const marks = (Reflect.get(globalThis, 'MonacoPerformanceMarks') as { getMarks(): { name: string; startTime: number }[] }).getMarks();
	const getActivationMs = (id: string) => {
		const getMarkTime = (name: string) => marks.find(mark => mark.name === `code/extHost/${name}/${id}`)?.startTime ?? Number.NaN;
		return (
			getMarkTime('didLoadExtensionCode') -
			getMarkTime('willLoadExtensionCode') +
			getMarkTime('didActivateExtension') -
			getMarkTime('willActivateExtension')
		);
	};
	const emptyMs = empty.reduce((sum, { id }) => sum + getActivationMs(id), 0) / empty.length;
	return { ownMs: getActivationMs(extension.id), emptyMs };
}

/** Runs the service in the editor's process, so that both use one clock. The cost of the service is measured too. */
async function measureEventDelays(): Promise<EventFigures> {
	const window = new WindowUnderTest();
	await window.start();
	const sentAt: number[] = [];
	window.service.behaviour.run = async response => {
		const events = new EventWriter(response);
		await events.sendEvents(play.started);
		const begin = performance.now();
		while (sentAt.length < eventsPerSecond * seconds) {
			const due = Math.min(eventsPerSecond * seconds, Math.floor(((performance.now() - begin) / 1000) * eventsPerSecond));
			const some: object[] = [];
			while (sentAt.length < due) {
				some.push(play.nodeFinished(sentAt.length + 1, { outputs: { text: 'x'.repeat(400) } }));
				sentAt.push(performance.now());
			}
			await events.sendEvents(...some);
			await new Promise(resolve => setTimeout(resolve, burstMs));
		}
		await events.sendEvents(play.finished('succeeded'));
		events.endStream();
	};
	await window.runFile();
	const eventMs: number[] = [];
	for (const { at, text } of window.channel.appends) {
		for (const [, index] of text.matchAll(/✔ code +Node (\d+) /g)) {
			eventMs.push(at - sentAt[Number(index) - 1]!);
		}
	}
	await window.dispose();
	return { eventMs, sent: sentAt.length, shown: eventMs.length };
}
