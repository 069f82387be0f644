import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import type { Workbench } from '../../ui/driver/workbench.ts';
import { createTemplateChain } from '../engine/agents.ts';
import { computeMedian } from '../harness/contest.ts';
import { type BenchWindow, openBenchWindow } from '../harness/window.ts';

/** Number of times that a page is opened per round. The median counts. */
const openings = 5;

/**
 * Opens a window on a folder with an agent without a model, and suites with datasets.
 * @param suites number of rows by name of the suite
 * @param fields further fields of all suites
 */
export function openResultsWindow(
	closing: AsyncDisposableStack,
	suites: Readonly<Record<string, number>>,
	fields: Readonly<Record<string, unknown>> = {},
): Promise<BenchWindow> {
	return openBenchWindow(closing, workspace => writeSuites(workspace, suites, fields));
}

function writeSuites(workspace: string, suites: Readonly<Record<string, number>>, fields: Readonly<Record<string, unknown>>): void {
	for (const folder of ['agents', 'suites']) {
		fs.mkdirSync(path.join(workspace, folder));
	}
	fs.writeFileSync(path.join(workspace, 'agents', 'chain.yml'), createTemplateChain(1));
	fs.writeFileSync(path.join(workspace, 'suites', 'other.yml'), createTemplateChain(2));
	for (const [name, rows] of Object.entries(suites)) {
		const dataset = { file: `./${name}.csv`, name: 'row {{id}}', inputs: {} };
		fs.writeFileSync(
			path.join(workspace, 'suites', `${name}.suite.json`),
			JSON.stringify({ model: 'chain', concurrency: 8, dataset, ...fields }),
		);
		const lines = Array.from({ length: rows }, (_, row) => `${row}\n`);
		fs.writeFileSync(path.join(workspace, 'suites', `${name}.csv`), `id\n${lines.join('')}`);
	}
}

/** Returns the results page of a suite. */
export const findResultsPage = (workbench: Workbench, name: string): Promise<Frame> => workbench.findWebview(`Results of ${name}`);

/** Opens and closes the results page of a suite several times. Returns milliseconds from choosing the suite to the visible element. */
export async function measureOpening(workbench: Workbench, name: string, element: string): Promise<number> {
	const times: number[] = [];
	for (let time = 0; time < openings; time++) {
		times.push(await openResults(workbench, name, element));
		await workbench.runCommand('View: Close All Editors');
	}
	return computeMedian(times);
}

/** Opens the results page of a suite. Returns milliseconds from choosing the suite to the first such element with a text. */
export async function openResults(workbench: Workbench, name: string, element: string): Promise<number> {
	await workbench.runCommand('Agent Workbench: Open Suite Results');
	const option = workbench.quickInput.getOption(name);
	await option.waitFor();
	const started = performance.now();
	await option.click();
	const frame = await findResultsPage(workbench, name);
	await frame.locator(element).filter({ hasText: /./ }).first().waitFor();
	return performance.now() - started;
}
